//! Reads a request: who sends it, which address it is for, and which run it asks for. Nothing is
//! spent before it is accepted here.

mod access;
mod create_request;
mod options;
mod problem;
mod route;

pub use access::{Caller, may_start, readable_by};
pub use create_request::{ForkWish, Wish};
pub use options::{Asked, BODY_BYTES_MAX};
pub use problem::Problem;
pub use route::{Route, Wanted, is_prefetch};
