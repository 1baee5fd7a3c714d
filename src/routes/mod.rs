//! Requests and answers of HTTP: addresses, values, refusals, headers, heads of pages.

mod headers;
mod page_head;
mod route;

pub use headers::{ResponseFormat, is_json, is_prefetch, is_robot, security_headers};
pub use page_head::{PageWords, with_head, with_start};
pub use route::{
    AtlasCall, EnginePaths, Route, StoredCall, is_reading, no_such_address, no_such_chain,
    no_such_run, run_is_over, threshold_percent,
};
