//! The platform's clock.

use std::time::Duration;

use js_sys::Date;
use worker::Delay;

/// Returns the milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    // The number is whole and far below 2^53. It is asked for at every step: `worker::Date` would
    // make an object each time.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and after 1970"
    )]
    let now_ms = Date::now() as u64;
    now_ms
}

/// Waits for this number of milliseconds.
pub(super) async fn sleep(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}
