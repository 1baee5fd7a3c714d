//! The beginning of a run.

use domain::RunToken;
use engine::journal::{ENTRY_VERSION, Entry};
use engine::{Asked, Opened};
use settings::Providers;

use crate::engines::{EngineName, with_engine};

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

/// Returns the first journal entry of a run that begins now, by its order in JSON. Returns `None` where no engine
/// reads the order.
#[must_use]
pub fn first_entry(
    order: &str,
    providers: &Providers,
    run: &RunToken,
    now_ms: u64,
    time_to_live_s: u64,
) -> Option<String> {
    with_engine!(EngineName::of_order(order)?, E => {
        let order = serde_json::from_str(order).ok()?;
        let opened = opening::<E>(providers, run, order, now_ms, time_to_live_s);
        Some(Entry::Opened(opened).to_json())
    })
}
