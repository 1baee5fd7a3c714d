//! The planner: Gemini's generateContent, with a model that knows the world tolerably well.

mod errors;
mod faults;
mod generation;
mod request;
mod schema;

pub(crate) use faults::{GeminiFault, reply as fault_reply};
pub(crate) use generation::answer;
