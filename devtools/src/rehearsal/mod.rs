//! Runs the machine against an in-memory world in virtual time.
//!
//! - [`simulation`]: the world's providers, the clock, the store and the faults
//! - [`properties`]: random runs with failures of every kind, and the properties that must hold
//! - `bench`: the number of chains found, and their cost (native only)

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
