//! Serper: Google's images through a scraper.

mod faults;
mod search;

pub(crate) use faults::{SerperFault, reply as fault_reply};
pub(crate) use search::{answer, query_of};
