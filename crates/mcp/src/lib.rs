//! A client of the Model Context Protocol over Streamable HTTP, for the newest revision and for earlier ones, which
//! have sessions. It does no I/O: it builds requests, reads answers and says what to do next.
//!
//! 1. [`Exchange::begin`] returns the first [`Step`].
//! 2. For [`Step::Send`], send the request. Pass the head of its answer to [`Exchange::take_head`], each chunk of the
//!    body to [`Exchange::take_bytes`], and its end to [`Exchange::take_end`], as long as they return [`Step::Read`];
//!    another step means that the rest of the body must not be read. If there is no head, call
//!    [`Exchange::take_nothing`].
//! 3. For [`Step::Pause`], wait, then call [`Exchange::go_on`].
//! 4. After each step, send what [`Exchange::aside`] returns, and ignore the answer.
//!
//! //= MCP 2026-07-28 and 2025-11-25, basic/transports

mod answer_body;
mod connection;
mod exchange;
mod message;
mod refusal;
mod tool;

pub use answer_body::{ANSWER_BYTES_MAX, EXCHANGE_BYTES_MAX, SseEvent, SseReader, TooLong};
pub use connection::{Agreed, CALLER_HEADER, Connection, Era, LEGACY, MODERN, Server, decoded};
pub use exchange::{Exchange, Operation, Reply, ResumePoint, Step};
pub use message::{Progress, codes, meta_key, program_info};
pub use refusal::CallFailure;
pub use tool::{CallResult, Content, Media, TOOLS_BYTES_MAX, TOOLS_MAX, Tool};
