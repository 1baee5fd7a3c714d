//! SerpApi: Google's images through somebody else's scraper.

mod faults;
mod search;

pub(in crate::sandbox) use faults::{SerpApiFault, reply as fault_reply};
pub(in crate::sandbox) use search::answer;
