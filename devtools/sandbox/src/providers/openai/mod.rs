//! A planner with the API of OpenAI's chat completions, and with the quirks of servers that imitate this API. Its model
//! can call functions.

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
