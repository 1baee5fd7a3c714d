//! What the Worker hands to the run's object.

use serde::{Deserialize, Serialize};

use crate::investigation::Request;
use crate::journal::{Answered, ENTRY_VERSION, Opened, Order};

use super::identifiers::RunToken;
use super::settings::{PlannerSettings, Providers};

/// The first journal entry of a run that begins now. Where there is no planner its budget is 0.
#[must_use]
pub fn opening(
    providers: &Providers,
    run: &RunToken,
    mut request: Request,
    now_ms: u64,
    time_to_live_s: u64,
) -> Opened {
    if providers.planner == PlannerSettings::Off {
        request.limits.planner_calls_max = 0;
    }
    // The run itself comes before its time to live.
    let kept_ms = time_to_live_s
        .saturating_mul(1_000)
        .saturating_add(request.limits.runtime_ms_max);
    Opened {
        version: ENTRY_VERSION,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        run: run.to_string(),
        order: Order::new(&request),
        expires_ms: now_ms.saturating_add(kept_ms),
        forked_from: None,
    }
}

/// What the Worker hands over to create a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Creation {
    /// The run's token.
    pub run: String,
    /// The accepted question.
    pub order: Order,
    /// The answers of the run that this one is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
}

/// What a forked run begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fork {
    /// The token of the run that it is forked from.
    pub run: String,
    /// That run's answers.
    pub answers: Vec<Answered>,
}

/// An idempotency key's run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// The run's token.
    pub run: String,
    /// The question that the key was used for.
    pub order: Order,
    /// The run that it is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}
