//! Workers AI in Cloudflare's REST API, a planner. Its text model has JSON mode and function calls.

mod errors;
mod faults;
mod messages;
mod request;
mod run;

pub(crate) use faults::{WorkersAiFault, reply as fault_reply};
pub(crate) use run::answer;
