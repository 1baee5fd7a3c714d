//! Sealed runs: what is sealed is what happened, any change of it is found, and the committed set
//! still runs as it ran.
#![cfg(feature = "sandbox")]
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod changes;
mod fork;
mod regression;
mod runs;
mod size;
