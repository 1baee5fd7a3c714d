//! The third engine: states, their grammar, the loop.

mod budgets;
mod committed;
mod crashes;
mod dialects;
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
mod rules;
mod sandbox_models;
pub mod scene;
mod secrets;
mod site;
mod synthesis;
mod timing;
mod writer;
