//! HTTP requests and responses: addresses, headers, the page's head, handlers.

#[cfg(all(target_arch = "wasm32", feature = "edge"))]
mod handlers;
mod headers;
mod page_head;
mod route;

pub use headers::{ResponseFormat, is_json, is_prefetch, is_robot, security_headers};
pub use page_head::{PageWords, with_head, with_start};
pub use route::{AtlasCall, Route, StoredCall, is_reading};
