//! The planner as OpenAI's chat completions, with the habits of the servers that imitate them.

mod completion;
mod errors;
mod faults;
mod request;
mod strict_schema;

pub(crate) use completion::answer;
pub(crate) use faults::{OpenAiFault, reply as fault_reply};
