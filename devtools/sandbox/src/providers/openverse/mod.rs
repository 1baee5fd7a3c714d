//! Openverse: a search for openly licensed images that requires no key.

mod faults;
mod results;
mod search;
mod simple_query;

pub(crate) use faults::{OpenverseFault, reply as fault_reply};
pub(crate) use search::answer;
