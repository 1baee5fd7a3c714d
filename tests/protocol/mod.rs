//! The MCP client with scripted servers: which requests it sends, and how it handles each answer.

mod conversation;
mod eras;
mod hostile;
mod losses;
mod script;
mod tools;
