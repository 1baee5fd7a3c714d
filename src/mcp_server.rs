//! A server of tools by the Model Context Protocol over Streamable HTTP, in both its eras. It does no I/O: it
//! reads what is posted, and writes what is answered.
//!
//! //= MCP 2026-07-28 and 2025-11-25, basic/transports

mod answers;
mod call_frames;
mod call_point;
mod entrance;
mod modern;
mod posted;
mod refusal;
mod revisions;

pub use answers::{call_result, discovered, initialized, listed, ponged};
pub use call_frames::CallFrames;
pub use call_point::CallPoint;
pub use entrance::{BODY_BYTES_MAX, read_post};
pub use posted::{Asked, Method, Posted, ToolCall};
pub use refusal::Refusal;
