//! The machine, run against a world in memory and in virtual time. It needs the feature `sandbox`
//! and is never in the Worker.
//!
//! - [`simulation`]: the world's providers, the clock, the store and the faults in memory
//! - [`properties`]: random runs with failures of every kind, and the laws that hold for each
//! - `bench`: the number of chains that are found, and their price (native only)

#[cfg(not(target_arch = "wasm32"))]
pub mod bench;
pub mod properties;
pub mod simulation;

pub use properties::{RandomRun, RehearsalOutcome, Violation, rehearse};
pub use simulation::{ChainResult, PlannerRule, WorldProviders, find_chain};
#[cfg(not(target_arch = "wasm32"))]
pub use simulation::{
    DocumentWrite, FaultKind, FaultTiming, InjectedFault, Operation, PageWorld, ProcessEnd,
    START_MS, SimulatedRun, Simulation, conduct_in_memory, sandbox_settings,
};
