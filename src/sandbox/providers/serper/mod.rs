//! Serper: Google's images through somebody else's scraper.

mod faults;
mod search;

pub(in crate::sandbox) use faults::{SerperFault, reply as fault_reply};
pub(in crate::sandbox) use search::{answer, query_of};
