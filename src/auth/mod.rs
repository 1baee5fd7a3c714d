//! Decides whether a caller may do what it requests.

mod access;
#[cfg(all(target_arch = "wasm32", feature = "edge"))]
pub(crate) mod callers;
mod creator;
mod failed_tokens;
mod idempotency;
mod links;
mod turnstile;

pub use access::{
    AtlasReaders, AtlasReading, Caller, Reading, allowed_reader, is_operator, may_ask,
    may_call_tools, may_forget, may_look_deep, may_read_atlas, may_replay, may_start, may_store,
};
pub use creator::{
    CALL_RUNS_MAX, CreatorKey, CreatorsAction, Requester, call_key, call_name, call_periods,
    check_creator, creators_only, run_secret,
};
pub use failed_tokens::FailedTokens;
pub use idempotency::{
    IdempotencyKey, KeyAnswer, KeyClaim, KeyRecord, KeyUse, check_start_headers,
};
pub use links::may_link_start;
pub use turnstile::{Visitor, check_visitor};
