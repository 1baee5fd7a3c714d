//! The platform's clock.

use std::time::Duration;

use worker::{Date, Delay};

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    Date::now().as_millis()
}

/// Waits for so many milliseconds.
pub(super) async fn sleep(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}
