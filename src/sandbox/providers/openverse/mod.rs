//! Openverse: openly licensed images, asked for without a key.

mod faults;
mod results;
mod search;
mod simple_query;

pub(in crate::sandbox) use faults::{OpenverseFault, reply as fault_reply};
pub(in crate::sandbox) use search::answer;
