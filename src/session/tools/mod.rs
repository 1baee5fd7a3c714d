//! Calls of tools: a server is spoken to as the exchange with it wants.

mod conversation;

pub use conversation::converse;
