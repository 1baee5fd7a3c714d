//! The beginning of a run.

use crate::domain::RunToken;
use crate::engine::{Asked, Opened};
use crate::journal::ENTRY_VERSION;
use crate::settings::Providers;

/// Returns the first journal entry of a run that begins now.
///
/// The run expires its own longest time and `time_to_live_s` from now.
#[must_use]
pub fn opening<E: Asked>(
    providers: &Providers,
    run: &RunToken,
    order: E::Order,
    now_ms: u64,
    time_to_live_s: u64,
) -> Opened<E> {
    let order = E::with_settings(order, providers);
    // The run's own longest time comes before its time to live.
    let kept_ms = time_to_live_s
        .saturating_mul(1_000)
        .saturating_add(E::order_runtime_ms_max(&order));
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
