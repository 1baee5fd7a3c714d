//! Workflows from their order to their last write: the conductor with the sandbox's MCP server and its models, in
//! memory, in virtual time.

mod answers;
mod bench;
mod committed;
mod dialects;
mod example;
mod faults;
mod kills;
mod secrets;
