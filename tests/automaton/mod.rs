//! The third engine: states, their grammar, the loop.

mod budgets;
#[cfg(feature = "sandbox")]
mod committed;
mod crashes;
mod dialects;
mod drift;
mod fallbacks;
mod grammar;
mod habits;
#[cfg(feature = "sandbox")]
mod hostile;
mod investigations;
mod making;
mod proofs;
mod reading;
#[cfg(feature = "sandbox")]
mod reference;
mod regeneration;
mod rules;
#[cfg(feature = "sandbox")]
mod sandbox_models;
pub mod scene;
mod secrets;
mod site;
mod synthesis;
mod timing;
mod writer;
