//! Gemini's generateContent, a planner. Its model knows the world fairly well and can call functions.

mod contents;
mod errors;
mod faults;
mod generation;
mod members;
mod part;
mod request;
mod schema;
mod tools;

pub(crate) use faults::{GeminiFault, reply as fault_reply};
pub(crate) use generation::answer;
