//! The image search: Google's Custom Search JSON API.

mod faults;
mod field_mask;
mod items;
mod search;

pub(in crate::sandbox) use faults::{GoogleFault, reply as fault_reply};
pub(in crate::sandbox) use search::answer;
