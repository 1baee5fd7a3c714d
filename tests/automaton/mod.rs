//! The third engine: states, their grammar, the loop.

mod budgets;
#[cfg(feature = "sandbox")]
mod committed;
mod crashes;
mod dialects;
mod drift;
mod grammar;
#[cfg(feature = "sandbox")]
mod hostile;
mod making;
mod reading;
#[cfg(feature = "sandbox")]
mod reference;
mod regeneration;
mod rules;
pub mod scene;
mod secrets;
mod site;
mod synthesis;
mod timing;
mod writer;
