//! The requests to servers of tools, over the network.

mod connections;
mod conversation;
mod noting;
mod tool_caller;
mod tool_result;
mod tool_terms;
mod tries;

pub use connections::Connections;
pub use conversation::converse;
pub(super) use tool_caller::ToolCaller;
pub(super) use tool_terms::ToolTerms;
