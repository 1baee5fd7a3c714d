//! Runs that are interrupted, and stores and providers that fail: nothing paid is lost, nothing is
//! paid twice, and the viewer is told the truth.
#![cfg(feature = "sandbox")]
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod crashes;
mod example;
mod failures;
mod faults;
mod laws;
mod races;
mod viewers;
