//! The record of an automaton's run: the automaton's own part of what every engine gives.

use serde_json::{Value, json};

use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta, calls_body};
use engine::{OrderSummary, Recorded};
use platform::events::timestamp;

use crate::machine::{AutomatonRun, CHAIN_RUN, Outcome};
use crate::stored::{AUTOMATON_ENGINE, AutomatonEngine, AutomatonKey, AutomatonOrder};
use crate::told::automaton_spent;

/// The choice of an automaton's run. It has no values, since the choices of an automaton are its events.
#[derive(Debug, Clone, Copy)]
pub enum NoDecision {}

impl Recorded for AutomatonEngine {
    type Decision = NoDecision;

    fn documents(keys: &Keys, state: &AutomatonRun, meta: &RunMeta, is_end: bool) -> Documents {
        let mut bodies = vec![(keys.plain("meta"), automaton_meta(state, meta))];
        if is_end {
            bodies.push((keys.plain("calls"), calls_body(&meta.calls)));
        }
        Documents::new(bodies)
    }

    fn paid_call(key: &AutomatonKey) -> Option<(&'static str, &str)> {
        match key {
            AutomatonKey::Ask { sha256, .. } => Some(("chat", sha256)),
            AutomatonKey::Investigate { sha256 } => Some((CHAIN_RUN, sha256)),
            _ => None,
        }
    }

    fn is_answered(outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Looked(result) => result.is_ok(),
            Outcome::Acted(result) => result.is_ok(),
            Outcome::Reloaded(result) => result.is_ok(),
            Outcome::Asked(result) => result.is_ok(),
            Outcome::Investigated(result) => result.is_ok(),
            Outcome::Unchanged | Outcome::Waited => true,
        }
    }

    fn runtime_ms_max(state: &AutomatonRun) -> u64 {
        state.runtime_ms_max()
    }

    /// Returns 10: an input leads to one decision over the states, of which there are a bounded number.
    fn steps(_state: &AutomatonRun) -> u64 {
        10
    }

    fn summary(order: &AutomatonOrder) -> OrderSummary {
        let name = order.name().map(|name| (AUTOMATON_ENGINE, name.to_owned()));
        OrderSummary {
            plan: AUTOMATON_ENGINE,
            named: name.into_iter().collect(),
        }
    }

    fn spent(last_event: &str) -> Option<Amount> {
        let event: Value = serde_json::from_str(last_event).ok()?;
        let usd = event.pointer("/payload/spent/usd")?.as_f64()?;
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: Amount::nano_usd_of(usd),
        })
    }
}

fn automaton_meta(machine: &AutomatonRun, meta: &RunMeta) -> Value {
    json!({
        "engine": AUTOMATON_ENGINE,
        "states": machine.automaton().states.len(),
        "startedAt": timestamp(meta.started),
        "expiresAt": timestamp(meta.expires),
        "spent": automaton_spent(machine.spent()),
        "endedWith": meta.ended_with,
        "endedBecause": meta.ended_because,
        "forkedFrom": meta.forked_from,
    })
}
