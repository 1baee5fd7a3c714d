//! The planner in Cloudflare's REST API: Workers AI, a text model with JSON mode and function calls.

mod errors;
mod faults;
mod messages;
mod request;
mod run;

pub(crate) use faults::{WorkersAiFault, reply as fault_reply};
pub(crate) use run::answer;
