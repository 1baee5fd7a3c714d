//! Whole worlds: what the benchmark of chains measures, and what each plan connects in the
//! project's own world.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod figures;
mod own_world;
