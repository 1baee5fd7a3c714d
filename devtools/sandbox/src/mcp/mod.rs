//! An MCP server in both eras of the protocol, as strict as the specification. Its tools act on a small desktop in
//! memory: windows, texts, and a form.
//!
//! Each path `/mcp/NAME` is a separate server with its own desktop. `?fault=KIND@N` in the address makes the N-th tool
//! call fail; `?eras=modern` or `?eras=legacy` leaves only that era. `GET /mcp/NAME/log` lists the tools that were
//! really executed; `DELETE` clears the list and resets the desktop.

mod altered;
mod desktop;
mod element;
mod entrance;
mod event_stream;
mod fault_replies;
mod faults;
mod legacy;
mod legacy_calls;
mod messages;
mod mirrored;
mod modern;
mod plan;
mod screen;
mod server;
mod sessions;
mod tool_calls;
mod tool_list;
mod tools;
mod versions;
mod workbench;

pub(crate) use server::ToolServers;
