//! The third engine: states, their grammar, the loop.

mod budgets;
mod committed;
mod crashes;
mod drift;
mod fallbacks;
mod grammar;
mod habits;
mod hostile;
mod investigations;
mod making;
mod proofs;
mod reading;
mod reference;
mod regeneration;
mod sandbox_models;
pub mod scene;
mod secrets;
mod semantics;
mod site;
mod timing;
mod walk;
mod web;
mod writer;
