//! Brave's image search.

mod errors;
mod faults;
mod parameters;
mod results;
mod search;

pub(in crate::sandbox) use faults::{BraveFault, reply as fault_reply};
pub(in crate::sandbox) use search::answer;
