//! The planner as Cloudflare's REST API gives it: Workers AI, a text model in JSON mode, which
//! can call functions.

mod errors;
mod faults;
mod messages;
mod request;
mod run;

pub(crate) use faults::{WorkersAiFault, reply as fault_reply};
pub(crate) use run::answer;
