//! The classes of Durable Objects: one for runs, idempotency keys and sessions, and one for the daily budget.

mod alarm;
mod answers;
mod beginning;
pub(crate) mod budget;
pub(crate) mod client;
mod deletion;
mod effects;
mod fork;
mod key;
mod live_run;
mod publication;
mod run;
mod session;
