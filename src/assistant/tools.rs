//! The names of the tools that are of no engine: what may be asked of every run, of published chains, and of names. How
//! a tool is described to assistants stands in `NAME.json` beside this file, and for an engine's tool in the engine's
//! folder. The Worker serves them out of one static file, and does not carry them.

/// Tells how a run is, and waits for its end.
pub const GET_RUN: &str = "get_run";
/// Ends a run.
pub const STOP_RUN: &str = "stop_run";
/// Executes a published chain again.
pub const CHECK_CHAIN: &str = "check_chain";
/// Tells whom a name may mean.
pub const WHO_IS: &str = "who_is";
/// Tells with whom somebody was seen, as far as earlier runs have proven it.
pub const SEEN_WITH: &str = "seen_with";
/// Tells the shortest chain of what earlier runs have proven.
pub const PATH_BETWEEN: &str = "path_between";
