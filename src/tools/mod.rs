//! The words for assistants: the answers of tools, in which what strangers have written is quoted and bounded.

mod calls;

pub mod answers;

pub use answers::{
    known_answer, no_run_of_tools, not_by_arguments, only_its_beginner, people_answer, stopping,
};
pub use calls::{Asked, check_described, take_wait_ms};

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
