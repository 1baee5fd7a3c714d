//! The Durable Objects: those of runs, and that of the budget of the day.

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
