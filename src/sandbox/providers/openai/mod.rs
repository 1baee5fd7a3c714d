//! The planner as OpenAI's chat completions, with the habits of the servers that imitate them.

mod completion;
mod errors;
mod faults;
mod request;
mod strict_schema;

pub(in crate::sandbox) use completion::answer;
pub(in crate::sandbox) use faults::{OpenAiFault, reply as fault_reply};
