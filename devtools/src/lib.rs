//! Tools for testing and measuring the project, which never ship: runs in an in-memory world, local browsers, recorded
//! cases.

pub mod automaton_cases;
pub mod in_memory;
#[cfg(not(target_arch = "wasm32"))]
pub mod live_runs;
#[cfg(not(target_arch = "wasm32"))]
pub mod local_browsers;
pub mod recorded_cases;
pub mod rehearsal;
pub mod workflow_cases;
