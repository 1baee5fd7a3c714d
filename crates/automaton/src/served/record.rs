//! The record of an automaton's run.

use std::rc::Rc;

use serde_json::{Value, json};

use engine::Opened;
use kernel::Millis;
use platform::events::timestamp;

use crate::stored::{AUTOMATON_ENGINE, AutomatonEngine};

/// Returns what was asked, how far the run is and what it has spent, by its events so far.
pub(super) fn automaton_record(opened: &Opened<AutomatonEngine>, events: &[Rc<str>]) -> Value {
    let read = |event: Option<&Rc<str>>| -> Value {
        let read = event.and_then(|json| serde_json::from_str(json).ok());
        read.unwrap_or_default()
    };
    let (first, last) = (read(events.first()), read(events.last()));
    let kind = last.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_ended = matches!(kind, "completed" | "failed" | "stopped");
    let payload = last.get("payload").filter(|_| is_ended);
    let of_payload = |name: &str| payload.and_then(|payload| payload.get(name).cloned());
    let order = &opened.order;
    json!({
        "run": opened.run,
        "engine": AUTOMATON_ENGINE,
        "status": if is_ended { kind } else { "running" },
        "reason": of_payload("reason"),
        "message": of_payload("message"),
        "spent": of_payload("spent"),
        "name": order.name(),
        "automaton": order.automaton(),
        "prompts": order.prompts(),
        "parameters": order.parameters(),
        "secrets": order.secrets(),
        "origins": order.origins(),
        "browser": order.browser(),
        "startedAt": first.get("timestamp"),
        "expiresAt": timestamp(Millis(opened.expires_ms)),
        "forkedFrom": opened.forked_from,
    })
}
