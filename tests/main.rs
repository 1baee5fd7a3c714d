//! All Rust tests of the crate as one program, a module per topic: it links once, and all tests share the machine's
//! cores. `cargo test --test all TOPIC::` runs one topic.
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
mod search_forms;
mod structure;
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

// With the simulated world.
mod browser;
mod collage;
mod copies;
mod countdown;
mod crash_points;
mod masks;
mod memory;
mod observed;
mod png_chunks;
mod properties;
mod recovery;
mod scenarios;
mod sealed;
mod signing;
mod workflow_runs;
