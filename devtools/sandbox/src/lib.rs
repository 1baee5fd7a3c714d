//! The sandbox: a stand-in for the image searches, the image hosts, the recogniser, the planner and
//! Wikidata.
//!
//! It is as strict as the real services and has all their bad habits. It knows a *world* (who stood beside whom in
//! which photo) but nothing of the program under test, so the sandbox and the program can only agree over the wire.
//!
//! - [`world`]: the people in each photo, what a search finds, whom the recogniser sees; pure code
//!   whose results are the same to the bit natively and in WebAssembly
//! - `picture`: the photos, drawn
//! - `providers`: the providers, each a function from requests to replies, and their faults
//! - `mcp`: MCP servers around a desktop in memory
//! - `site`: a web site with a shop, in six variants, and hostile pages
//! - `Sandbox`: all providers over one world, with a plan of their failures; `server` gives it a
//!   socket

// Tests may break these rules, because they compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        clippy::needless_pass_by_value
    )
)]

#[cfg(not(target_arch = "wasm32"))]
pub mod arguments;
#[cfg(not(target_arch = "wasm32"))]
mod call_log;
#[cfg(not(target_arch = "wasm32"))]
mod fault_plan;
pub mod hash;
#[cfg(not(target_arch = "wasm32"))]
mod mcp;
pub mod name_folding;
#[cfg(not(target_arch = "wasm32"))]
mod options;
#[cfg(not(target_arch = "wasm32"))]
pub mod picture;
#[cfg(not(target_arch = "wasm32"))]
pub mod providers;
#[cfg(not(target_arch = "wasm32"))]
pub mod server;
#[cfg(not(target_arch = "wasm32"))]
mod service;
#[cfg(not(target_arch = "wasm32"))]
mod site;
#[cfg(not(target_arch = "wasm32"))]
mod worker_settings;
pub mod world;

#[cfg(not(target_arch = "wasm32"))]
pub use call_log::RecordedCall;
#[cfg(not(target_arch = "wasm32"))]
pub use fault_plan::{FaultError, FaultPlan, fault_kinds_of};
#[cfg(not(target_arch = "wasm32"))]
pub use options::{Latency, SandboxOptions, SearchEngine};
#[cfg(not(target_arch = "wasm32"))]
pub use providers::{
    BodyEnding, Chunk, ModelHabit, Reply, ReplyBody, SandboxCredentials, SandboxProvider,
};
#[cfg(not(target_arch = "wasm32"))]
pub use service::Sandbox;
pub use world::{
    COPIES, ConnectedPair, GroupShape, ListRules, Listed, LiteralEngine, PageRules, RecognisedFace,
    Rules, TellingWords, Trap, TrapKind, World, WorldError, WorldPerson, WorldPhoto, own_world,
};
