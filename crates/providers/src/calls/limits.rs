//! The limits within which a command is carried out, and what its answer costs.

use domain::{Failure, FailureKind};
use kernel::Command;
use platform::WireResponse;

use super::retry::CallLimits;

/// Returns the limits of a call that carries a command out, whose attempts have these bounds.
pub fn limits<Action>(
    command: &Command<Action>,
    bytes_max: usize,
    attempt_ms_max: u64,
) -> CallLimits {
    CallLimits {
        bytes_max,
        attempt_ms_max,
        attempts_max: command.attempts_max,
        throttled_max: command.throttled_max,
        time_left_ms: command.time_left_ms,
        pause_ms_max: u64::MAX,
        price_nano_usd: 0,
        provider: ("", ""),
        per_second_max: None,
        is_waited_for: true,
    }
}

/// Returns what an answer costs. Providers charge for what they answered, readable or not, but not
/// for a refusal, though some send a refusal as a success.
pub fn charged<T>(read: &Result<T, Failure>, response: &WireResponse, price: u64) -> u64 {
    let is_answered = match read {
        Ok(_) => true,
        Err(failure) => failure.kind == FailureKind::Malformed,
    };
    if is_answered && response.status().is_success() {
        price
    } else {
        0
    }
}
