//! An in-memory world that answers like the providers: at once and without failures, or through the sandbox, in virtual
//! time, with a store and injected faults.

#[cfg(not(target_arch = "wasm32"))]
#[cfg(not(target_arch = "wasm32"))]
mod children;
#[cfg(not(target_arch = "wasm32"))]
mod conduct_through;
mod copied_photos;
#[cfg(not(target_arch = "wasm32"))]
mod crash_points;
mod event_store;
#[cfg(not(target_arch = "wasm32"))]
mod fault_injector;
mod find_chain;
#[cfg(not(target_arch = "wasm32"))]
mod in_memory_effects;
mod known_chains;
#[cfg(not(target_arch = "wasm32"))]
mod outcome;
#[cfg(not(target_arch = "wasm32"))]
mod outside_body;
#[cfg(not(target_arch = "wasm32"))]
mod page_world;
mod photo_converter;
mod photo_judge;
mod photo_search;
#[cfg(not(target_arch = "wasm32"))]
mod pixels_cache;
#[cfg(not(target_arch = "wasm32"))]
mod processes;
#[cfg(not(target_arch = "wasm32"))]
mod remembered;
mod rule_planner;
#[cfg(not(target_arch = "wasm32"))]
mod scripted_browser;
#[cfg(not(target_arch = "wasm32"))]
mod settings;
#[cfg(not(target_arch = "wasm32"))]
mod simulated_network;
#[cfg(not(target_arch = "wasm32"))]
mod tool_servers;
#[cfg(not(target_arch = "wasm32"))]
mod virtual_clock;
mod world_providers;

#[cfg(not(target_arch = "wasm32"))]
pub use fault_injector::{FaultKind, FaultTiming, InjectedFault, Operation};
pub use find_chain::{ChainResult, find_chain};
#[cfg(not(target_arch = "wasm32"))]
pub use in_memory_effects::START_MS;
#[cfg(not(target_arch = "wasm32"))]
pub use outcome::{DocumentWrite, ProcessEnd, SimulatedRun};
#[cfg(not(target_arch = "wasm32"))]
pub use page_world::PageWorld;
pub use photo_judge::{FaceWithOwner, PhotoFiles, PhotoJudge};
pub use photo_search::PhotoSearch;
#[cfg(not(target_arch = "wasm32"))]
pub use processes::{Simulation, conduct_in_memory};
pub use rule_planner::PlannerRule;
#[cfg(not(target_arch = "wasm32"))]
pub use settings::sandbox_settings;
#[cfg(not(target_arch = "wasm32"))]
pub use tool_servers::{RealBody, ToolServers};
pub use world_providers::WorldProviders;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use world_providers::photo_number;
