//! SerpApi: Google's images through a scraper.

mod faults;
mod search;

pub(crate) use faults::{SerpApiFault, reply as fault_reply};
pub(crate) use search::answer;
