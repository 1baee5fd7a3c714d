//! The image search: Google's Custom Search JSON API.

mod faults;
mod field_mask;
mod items;
mod search;

pub(crate) use faults::{GoogleFault, reply as fault_reply};
pub(crate) use search::answer;
