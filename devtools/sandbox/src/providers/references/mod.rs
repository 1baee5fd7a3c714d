//! The recogniser by portraits, the project's own service: it recognises only the candidates that it is told.

mod faults;
mod recognition;

pub(crate) use faults::{ReferencesFault, reply as fault_reply};
pub(crate) use recognition::{answer, photo_digest};
