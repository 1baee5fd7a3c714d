//! Decides whether a caller may do what it asks for, by who it is.

mod access;
mod atlas_access;
mod atlas_readers;
mod call_keys;
mod creator;
mod failed_tokens;
mod idempotency;
mod links;
mod readers;
mod start_headers;
mod turnstile;

pub use access::{
    Caller, is_operator, may_ask, may_call_tools, may_look_deep, may_replay, may_start, may_store,
};
pub use atlas_access::{may_forget, may_read_atlas};
pub use atlas_readers::{AtlasReaders, AtlasReading};
pub use call_keys::{CALL_RUNS_MAX, call_key, call_name, call_periods};
pub use creator::{
    CreatorKey, CreatorsAction, Requester, check_creator, creators_only, run_secret,
};
pub use failed_tokens::FailedTokens;
pub use idempotency::{IdempotencyKey, KeyAnswer, KeyClaim, KeyRecord, KeyUse};
pub use links::may_link_start;
pub use readers::{Reading, allowed_reader};
pub use start_headers::check_start_headers;
pub use turnstile::{Visitor, check_visitor};
