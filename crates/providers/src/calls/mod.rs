//! How one command is carried out: which provider is asked, within which limits, how often and at
//! which price.

mod answer_source;
mod ask_once;
mod attempts;
mod call_result;
mod failover;
mod gate;
mod hand_over;
mod limits;
mod notices;
mod retry;

pub use answer_source::{AnswerSource, SetAside};
pub use ask_once::ask_once;
pub use attempts::{Attempts, CallCost, Reading};
pub use call_result::CallResult;
pub use failover::Failover;
pub use gate::Gate;
pub use hand_over::{Asked, Choice, Choices, ask_in_order};
pub use limits::{charged, limits};
pub use notices::Notices;
pub use retry::{CallLimits, RetryOutcome, SEND_MS_MIN, call};
