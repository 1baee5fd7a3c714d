//! How a run begins, of either engine.

use crate::journal::{
    ENTRY_VERSION, Engine, InvestigationEngine, Opened, Order, WorkflowEngine, WorkflowOrder,
};
use crate::session::daily_budget::Amount;
use crate::session::identifiers::RunToken;
use crate::session::settings::Providers;

/// An engine whose runs are begun by an order.
pub trait Opening: Engine {
    /// Whether its runs keep what tools gave.
    const KEEPS_ARTIFACTS: bool;

    /// The order with what the operator's settings of today add.
    fn with_settings(order: Self::Order, providers: &Providers) -> Self::Order;

    /// How long the run may take, in milliseconds.
    fn runtime_ms_max(order: &Self::Order) -> u64;

    /// The most that it may spend; none where the order cannot be read.
    fn most(order: &Self::Order, providers: &Providers) -> Option<Amount>;
}

impl Opening for InvestigationEngine {
    const KEEPS_ARTIFACTS: bool = false;

    /// Where there is no planner its budget is 0.
    fn with_settings(mut order: Order, providers: &Providers) -> Order {
        if providers.planners.is_empty() {
            order = order.without_planner();
        }
        order.with_prices(providers.attempt_prices())
    }

    fn runtime_ms_max(order: &Order) -> u64 {
        order.runtime_ms_max()
    }

    fn most(order: &Order, providers: &Providers) -> Option<Amount> {
        let limits = order.request().ok()?.limits;
        Some(Amount::most_of(&limits, providers.attempt_prices()))
    }
}

impl Opening for WorkflowEngine {
    const KEEPS_ARTIFACTS: bool = true;

    /// It was accepted with today's prices.
    fn with_settings(order: WorkflowOrder, _providers: &Providers) -> WorkflowOrder {
        order
    }

    fn runtime_ms_max(order: &WorkflowOrder) -> u64 {
        order.runtime_ms_max()
    }

    /// Its investigations reserve their own.
    fn most(order: &WorkflowOrder, _providers: &Providers) -> Option<Amount> {
        let limits = order.order().ok()?.limits;
        let chats = u64::from(limits.chats_max).saturating_mul(limits.chat_nano_usd_max);
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: limits.nano_usd_max.map_or(chats, |most| most.min(chats)),
        })
    }
}

/// The first journal entry of a run that begins now.
///
/// The run expires its own longest time and `time_to_live_s` from now.
#[must_use]
pub fn opening<E: Opening>(
    providers: &Providers,
    run: &RunToken,
    order: E::Order,
    now_ms: u64,
    time_to_live_s: u64,
) -> Opened<E> {
    let order = E::with_settings(order, providers);
    // The run itself comes before its time to live.
    let kept_ms = time_to_live_s
        .saturating_mul(1_000)
        .saturating_add(E::runtime_ms_max(&order));
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
