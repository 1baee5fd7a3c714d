//! The clock of measurements.

use cdp::{DevTools as _, Sharing};

use crate::local_browsers::LocalDevTools;

/// Returns the time in milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    LocalDevTools::new("", Sharing::Shared).now_ms()
}
