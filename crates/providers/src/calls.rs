//! How one command is executed: which provider is asked, within which limits, how often and at which price.

mod failover;
mod in_flight;
mod retry;

pub use failover::{
    AnswerSource, Asked, CallResult, Choice, Choices, Failover, SetAside, ask_in_order,
};
pub use in_flight::{Attempts, CallCost, Gate, Notices, Reading};
pub use retry::{CallLimits, RetryOutcome, SEND_MS_MIN, ask_once, call, charged, limits};
