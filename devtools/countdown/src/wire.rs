//! The stored forms of a countdown, its events and its records.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta, calls_body};
use engine::{Engine, OrderSummary, key_digest};
use kernel::Millis;
use platform::events::{EventKinds, WireEvent};

use crate::events::{KINDS, event};
use crate::machine::{Action, Countdown, CountdownEngine, CountdownOrder, Notice, Outcome};

/// The key of an action.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Key {
    Count(u32),
    Begin(String),
}

/// The token of a child run that is about to begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    pub command: u32,
    pub run: String,
}

impl Engine for CountdownEngine {
    type Key = Key;
    type Note = Note;
    type Memory = ();

    const ORDER_TAG: Option<&'static str> = Some("countdown");
    const BEGINS_RUNS: bool = true;
    const ENTRY_WEIGHT_MAX: usize = 100_000;
    const ORDER_BYTES_MAX: usize = 10_000;

    fn key(action: &Action, (): &()) -> Key {
        match action {
            Action::Count { left } => Key::Count(*left),
            Action::Begin { request, .. } => Key::Begin(key_digest(request).to_string()),
        }
    }

    fn is_success(outcome: &Outcome) -> bool {
        !outcome.is_failure
    }

    fn reaches(event: &WireEvent, point: &str) -> bool {
        event.kind == "counted" && event.json.contains(&format!("\"left\":{point},"))
    }

    fn child_begun(note: &Note) -> Option<&str> {
        Some(&note.run)
    }

    fn is_child(key: &Key) -> bool {
        matches!(key, Key::Begin(_))
    }

    const KINDS: EventKinds = KINDS;

    fn next_event(
        state: &mut Countdown,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        state
            .next_notice()
            .map(|notice| Ok(event(run, number, notice)))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        at: Millis,
        _stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        let message = "The countdown was interrupted.".to_owned();
        event(
            run,
            number,
            Notice {
                at,
                kind: "failed",
                left: 0,
                message,
                nano_usd: 0,
            },
        )
    }

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
