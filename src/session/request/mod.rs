//! Reads a request: who sends it, which address it is for, and which run it asks for. Nothing is
//! spent before it is accepted here.

mod access;
mod create_request;
mod options;
mod problem;
mod route;

pub use access::{Caller, allowed_reader, is_operator, may_look_deep, may_start};
pub use create_request::{CreateRequest, ForkRequest};
pub use options::{BODY_BYTES_MAX, RunRequest};
pub use problem::Problem;
pub use route::{ResponseFormat, Route, is_prefetch};
