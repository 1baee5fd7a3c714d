//! The planner as OpenAI's chat completions, with the quirks of servers that imitate them; its model can call
//! functions.

mod completion;
mod content;
mod errors;
mod faults;
mod messages;
mod request;
mod strict_schema;
mod tools;

pub(crate) use completion::answer;
pub(crate) use faults::{OpenAiFault, reply as fault_reply};
