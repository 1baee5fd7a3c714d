//! Brave's image search.

mod errors;
mod faults;
mod parameters;
mod results;
mod search;

pub(crate) use faults::{BraveFault, reply as fault_reply};
pub(crate) use search::answer;
