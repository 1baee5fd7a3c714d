//! Visual Degrees finds a chain of people between two public figures, each two neighbours proven
//! by a photo in which both were recognised, and streams the search as it happens.
#![doc = ""]
#![doc = include_str!("../docs/rooms.md")]
// Tests compare exact numbers on purpose and count small things.
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        clippy::needless_pass_by_value
    )
)]

pub mod assistant;
pub mod browser;
pub mod budget;
pub mod calls;
pub mod chat;
pub mod checked_chain;
pub mod child_run;
pub mod doctor;
pub mod domain;
pub mod door;
pub mod effects;
pub mod engine;
pub mod engines;
pub mod events;
pub mod http;
pub mod isolate;
pub mod journal;
pub mod json;
pub mod kernel;
pub mod mask;
pub mod mcp;
pub mod mcp_server;
pub mod memory;
pub mod page;
pub mod people;
pub mod providers;
pub mod publication;
pub mod run;
pub mod run_object;
pub mod sealed;
pub mod settings;
pub mod store;
pub mod watched_call;

pub use visual_degrees_pixels as pixels;
#[cfg(feature = "sandbox")]
pub use visual_degrees_sandbox as sandbox;

#[cfg(all(target_arch = "wasm32", feature = "edge"))]
pub mod edge;

#[cfg(all(target_arch = "wasm32", feature = "verifier"))]
pub mod verifier;

#[cfg(all(feature = "sandbox", not(target_arch = "wasm32")))]
pub mod live_runs;
#[cfg(all(feature = "sandbox", not(target_arch = "wasm32")))]
pub mod local_browsers;
#[cfg(feature = "sandbox")]
pub mod recorded_cases;
#[cfg(feature = "sandbox")]
pub mod rehearsal;
