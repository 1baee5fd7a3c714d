//! Requests and answers of HTTP: addresses, values, refusals, headers, heads of pages.

mod absence;
mod atlas_call;
mod formats;
mod page_head;
mod page_words;
mod robots;
mod route;
mod security_headers;

pub use absence::{no_such_address, no_such_chain, no_such_run, run_is_over};
pub use atlas_call::{AtlasCall, threshold_percent};
pub use formats::{ResponseFormat, is_json, is_prefetch};
pub use page_head::{with_head, with_start};
pub use page_words::PageWords;
pub use robots::is_robot;
pub use route::{EnginePaths, Route, StoredCall, is_reading};
pub use security_headers::security_headers;
