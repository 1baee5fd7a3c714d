//! The records, and the answers about runs.

use std::rc::Rc;

use serde_json::{Value, json};

use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta, calls_body};
use engine::{Opened, OrderSummary, Recorded, Served};

use crate::machine::{Countdown, CountdownEngine, CountdownOrder, Outcome};
use crate::wire::Key;

impl Recorded for CountdownEngine {
    type Decision = ();

    fn documents(keys: &Keys, state: &Countdown, meta: &RunMeta, _is_end: bool) -> Documents {
        let about = json!({
            "engine": "countdown", "from": state.order().from, "endedWith": meta.ended_with,
            "forkedFrom": meta.forked_from,
        });
        let calls = calls_body(&meta.calls);
        Documents::new(vec![
            (keys.plain("meta"), about),
            (keys.plain("calls"), calls),
        ])
    }

    fn paid_call(key: &Key) -> Option<(&'static str, &str)> {
        match key {
            Key::Count(_) => Some(("count", "a number")),
            Key::Begin(digest) => Some(("run", digest)),
        }
    }

    fn is_answered(outcome: &Outcome) -> bool {
        !outcome.is_failure
    }

    fn runtime_ms_max(state: &Countdown) -> u64 {
        state.order().runtime_ms_max
    }

    fn steps(_: &Countdown) -> u64 {
        1
    }

    fn summary(order: &CountdownOrder) -> OrderSummary {
        OrderSummary {
            plan: "countdown",
            named: vec![("from", order.from.to_string())],
        }
    }

    fn spent(last_event: &str) -> Option<Amount> {
        let event: Value = serde_json::from_str(last_event).ok()?;
        let nano_usd = event.pointer("/spent/nanoUsd")?.as_u64()?;
        Some(Amount {
            nano_usd,
            ..Amount::default()
        })
    }
}

impl Served for CountdownEngine {
    const HAS_WHOLE_DOCUMENTS: bool = true;
    fn outline(opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value {
        json!({"engine": "countdown", "from": opened.order.from, "events": events.len(), "ended": is_ended})
    }
}
