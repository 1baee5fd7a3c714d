//! An engine that exists for tests alone: it counts down by asking a provider for each number, and then may
//! begin a run of any engine. It shows that one folder and one row of the registry are enough.
#![allow(missing_docs, clippy::must_use_candidate)]

mod effects;
mod events;
mod machine;
// The names say it; the contract documents the rest.
mod requests;
mod tools;
mod wire;

pub use machine::{Action, Countdown, CountdownEngine, CountdownOrder, Outcome, PRICE_NANO_USD};
