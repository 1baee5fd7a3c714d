//! All Rust tests of the crate as one program, a module for each topic: it links once, and the
//! tests of all topics share the machine's cores. `cargo test --test all TOPIC::` runs one topic.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

#[allow(
    clippy::needless_pass_by_value,
    reason = "tables of JSON read better as values"
)]
mod automaton;
#[cfg(feature = "sandbox")]
mod automaton_runs;
mod counting_allocator;
mod description;
mod engine;
mod formats;
mod kept;
#[allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "tables of JSON and of results read better as values"
)]
mod protocol;
mod providers;
mod random;
mod requests;
mod rooms;
mod search_forms;
#[allow(
    clippy::cast_precision_loss,
    clippy::needless_pass_by_value,
    reason = "tables of JSON read better as values"
)]
mod tool_server;
mod versions;
mod webp;
#[allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "tables of JSON and of results read better as values"
)]
mod workflow;

// Against the stand-in world.
#[cfg(feature = "sandbox")]
mod benchmark;
#[cfg(feature = "sandbox")]
mod browser;
#[cfg(feature = "sandbox")]
mod collage;
#[cfg(feature = "sandbox")]
mod copies;
mod countdown;
#[cfg(feature = "sandbox")]
mod crash_points;
#[cfg(feature = "sandbox")]
mod masks;
#[cfg(feature = "sandbox")]
mod memory;
#[cfg(feature = "sandbox")]
mod observed;
#[cfg(feature = "sandbox")]
mod properties;
#[cfg(feature = "sandbox")]
mod recovery;
#[cfg(feature = "sandbox")]
mod scenarios;
#[cfg(feature = "sandbox")]
mod sealed;
#[cfg(feature = "sandbox")]
mod signing;
#[cfg(feature = "sandbox")]
mod workflow_runs;
