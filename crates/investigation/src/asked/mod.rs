//! The requests for an investigation.

mod asking;
mod begun;
mod create_request;
mod options;
mod values;

pub use create_request::{CreateRequest, ForkRequest};
pub use options::{BODY_BYTES_MAX, RunRequest};
