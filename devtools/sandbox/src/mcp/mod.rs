//! An MCP server that speaks the Model Context Protocol in both its eras, as strictly as its
//! specification wants. It stands around a small desktop in memory: windows, texts, and a form that
//! can be filled in.
//!
//! Each path `/mcp/NAME` is a server of its own, with a desktop of its own. `?fault=KIND@N` in the
//! address makes its N-th call of a tool fail; `?eras=modern` or `?eras=legacy` leaves only that
//! era. `GET /mcp/NAME/log` tells which tools were really executed; `DELETE` forgets them and gives
//! the server a fresh desktop.

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
