//! How a run begins.

use crate::journal::{ENTRY_VERSION, Opened, Order};
use crate::session::identifiers::RunToken;
use crate::session::settings::Providers;

/// The first journal entry of a run that begins now. Where there is no planner its budget is 0.
///
/// The run expires its own longest time and `time_to_live_s` from now.
#[must_use]
pub fn opening(
    providers: &Providers,
    run: &RunToken,
    mut order: Order,
    now_ms: u64,
    time_to_live_s: u64,
) -> Opened {
    if providers.planners.is_empty() {
        order = order.without_planner();
    }
    let order = order.with_prices(providers.attempt_prices());
    // The run itself comes before its time to live.
    let kept_ms = time_to_live_s
        .saturating_mul(1_000)
        .saturating_add(order.runtime_ms_max());
    Opened {
        version: ENTRY_VERSION,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        run: run.to_string(),
        order,
        expires_ms: now_ms.saturating_add(kept_ms),
        forked_from: None,
        host: None,
    }
}
