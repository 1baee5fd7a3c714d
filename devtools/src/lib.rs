//! What the project is tried with and measured by, and what never ships: runs in a world in memory, browsers of this
//! machine, recorded cases.

pub mod automaton_cases;
pub mod in_memory;
#[cfg(not(target_arch = "wasm32"))]
pub mod live_runs;
#[cfg(not(target_arch = "wasm32"))]
pub mod local_browsers;
pub mod recorded_cases;
pub mod rehearsal;
pub mod workflow_cases;
