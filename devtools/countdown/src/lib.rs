//! An engine for tests only: it counts down by asking a provider for each number, and may then begin a run of any
//! engine. It shows that a new engine needs one crate and one row of the registry.
#![allow(missing_docs, clippy::must_use_candidate)]

mod effects;
mod events;
mod machine;
// Public items need no documentation here: their names are self-explanatory, and the contract in the `engine` crate
// documents the rest.
mod requests;
mod tools;
mod wire;

pub use machine::{Action, Countdown, CountdownEngine, CountdownOrder, Outcome, PRICE_NANO_USD};
