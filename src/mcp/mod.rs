//! A client of the Model Context Protocol over Streamable HTTP, in both its eras. It does no I/O: it
//! builds requests, reads answers and says what to do next.

mod content;

pub use content::{CallResult, Content, Media};
