//! The budget of the day: what all runs of a UTC day may spend together, how many are under way,
//! and how fast one client starts them.
//!
//! The most that a run may cost is reserved before it begins, and at its end the rest is given
//! back. So at every moment: spent + reserved <= budget, and no call of a run that has its
//! reservation passes the budget. A reservation is given back whole only where the run's own object
//! says that there is no such run; such an object begins the run with a new reservation only.

mod amount;
mod call;
mod client;
mod client_address;
mod ledger;
mod refusal;
#[cfg(test)]
mod tests;

pub use amount::Amount;
pub use call::{BudgetCall, Claim, Release, ReserveAnswer, Settlement};
pub use client::client_digest;
pub use client_address::client_of;
pub use ledger::{BudgetReport, DailyBudget, DueReservation, GRANT_MS_MAX, RunAccount};
pub use refusal::{Quantity, Refusal};
