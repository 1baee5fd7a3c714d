//! Visual Degrees finds a chain of people between two public figures, and streams the search as it happens. Any two
//! neighbours in the chain were recognised together in a photo.
//!
//! This crate is the Worker: its routes, its Durable Objects, its storage, and the registry of engines. The parts
//! that it uses are in the crates below `crates`. `docs/architecture.md` has a diagram of them, and follows a photo,
//! a click, a call and a request through them.
// Tests compare exact numbers on purpose and count small things.
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        clippy::needless_pass_by_value
    )
)]

pub mod auth;
pub mod doctor;
pub mod engines;
pub mod mcp_server;
pub mod memory;
#[cfg(all(target_arch = "wasm32", feature = "edge"))]
pub mod objects;
pub mod people;
pub mod problems;
pub mod publication;
pub mod routes;
pub mod run_object;
pub mod run_summary;
pub mod sealed;
#[cfg(all(target_arch = "wasm32", feature = "edge"))]
mod storage;
#[cfg(all(target_arch = "wasm32", feature = "edge"))]
mod transport;
#[cfg(all(target_arch = "wasm32", feature = "verifier"))]
pub mod verifier;
