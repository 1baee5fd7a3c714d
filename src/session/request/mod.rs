//! Reads a request: who sends it, which address it is for, and which run it asks for. Nothing is
//! spent before it is accepted here.

mod absence;
mod access;
mod client;
mod create_request;
mod failed_tokens;
mod options;
mod problem;
mod robots;
mod route;
mod security_headers;
mod start_headers;
mod values;
mod workflow_name;

pub use absence::{no_such_address, no_such_chain, no_such_run, run_is_over};
pub use access::{
    Caller, allowed_reader, is_operator, may_ask, may_look_deep, may_replay, may_start, may_store,
};
pub use client::client_of;
pub use create_request::{CreateRequest, ForkRequest};
pub use failed_tokens::FailedTokens;
pub use options::{BODY_BYTES_MAX, RunRequest};
pub use problem::{Absence, Problem};
pub use robots::is_robot;
pub use route::{ResponseFormat, Route, is_json, is_prefetch, is_reading};
pub use security_headers::security_headers;
pub use start_headers::{check_start_headers, check_turnstile_token};
pub(in crate::session) use values::{
    NumberForm, is_letter_or_digit, nano_usd, saturated, session, whole,
};
pub use workflow_name::workflow_name;
