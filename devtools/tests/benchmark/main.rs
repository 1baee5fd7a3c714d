//! Tests on whole worlds: what the benchmark measures, and which pairs each plan connects in the built-in world.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod figures;
mod own_world;
