//! What workflows and automata share in events and records: an event's body, a run's outline, and its documents.

use std::rc::Rc;

use serde::Serialize;
use serde_json::{Value, json};

use kernel::Millis;
use platform::events::{WireEvent, timestamp};

use crate::budget::Amount;
use crate::store::{Documents, Keys, RunMeta, calls_body};
use crate::{Engine, Opened};

/// The body of an event, as it is sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventBody<'a> {
    /// The event's kind.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The run's public token.
    pub run_id: &'a str,
    /// The time, formatted by [`timestamp`].
    pub timestamp: String,
    /// The id of the node that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// The name of that node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_name: Option<&'a str>,
    /// What happened.
    pub payload: Value,
}

impl EventBody<'_> {
    /// Returns the run's event of this number.
    pub fn event(&self, number: u32, is_last: bool) -> Result<WireEvent, serde_json::Error> {
        Ok(WireEvent {
            run: self.run_id.to_owned(),
            number,
            kind: self.kind,
            json: serde_json::to_string(self)?,
            is_last,
        })
    }
}

/// Returns the last event of a run that cannot continue: `failed`, with the reason `interrupted`.
#[must_use]
pub fn interrupted(run: &str, number: u32, now: Millis, payload: &Value) -> WireEvent {
    let body = json!({
        "type": "failed",
        "runId": run,
        "timestamp": timestamp(now),
        "payload": payload,
    });
    WireEvent {
        run: run.to_owned(),
        number,
        kind: "failed",
        json: body.to_string(),
        is_last: true,
    }
}

/// Returns what a run has spent, in billionths of a dollar, according to its last event.
#[must_use]
pub fn nano_usd_told(last_event: &Value) -> Option<u64> {
    let usd = last_event.pointer("/payload/spent/usd")?.as_f64()?;
    Some(Amount::nano_usd_of(usd))
}

/// Returns what a run has spent, according to its last event.
#[must_use]
pub fn amount_told(last_event: &str) -> Option<Amount> {
    Some(Amount {
        searches: 0,
        recognitions: 0,
        nano_usd: nano_usd_told(&serde_json::from_str(last_event).ok()?)?,
    })
}

/// Returns a run's meta document, with the engine's `members`; once the run has ended, also its calls document.
#[must_use]
pub fn documents(
    keys: &Keys,
    meta: &RunMeta,
    engine: &str,
    members: Value,
    is_end: bool,
) -> Documents {
    let body = json!({
        "engine": engine,
        "startedAt": timestamp(meta.started),
        "expiresAt": timestamp(meta.expires),
        "endedWith": meta.ended_with,
        "endedBecause": meta.ended_because,
        "forkedFrom": meta.forked_from,
    });
    let mut bodies = vec![(keys.plain("meta"), joined(body, members))];
    if is_end {
        bodies.push((keys.plain("calls"), calls_body(&meta.calls)));
    }
    Documents::new(bodies)
}

/// Returns a run's progress and spending from its events so far, with `members` of its engine.
#[must_use]
pub fn outline<E: Engine>(
    opened: &Opened<E>,
    engine: &str,
    members: Value,
    events: &[Rc<str>],
) -> Value {
    let read = |event: Option<&Rc<str>>| -> Value {
        let read = event.and_then(|json| serde_json::from_str(json).ok());
        read.unwrap_or_default()
    };
    let (first, last) = (read(events.first()), read(events.last()));
    let kind = last.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_ended = matches!(kind, "completed" | "failed" | "stopped");
    let payload = last.get("payload").filter(|_| is_ended);
    let of_payload = |name: &str| payload.and_then(|payload| payload.get(name).cloned());
    let body = json!({
        "run": opened.run,
        "engine": engine,
        "status": if is_ended { kind } else { "running" },
        "reason": of_payload("reason"),
        "message": of_payload("message"),
        "spent": of_payload("spent"),
        "startedAt": first.get("timestamp"),
        "expiresAt": timestamp(Millis(opened.expires_ms)),
        "forkedFrom": opened.forked_from,
    });
    joined(body, members)
}

fn joined(mut body: Value, members: Value) -> Value {
    if let (Value::Object(body), Value::Object(members)) = (&mut body, members) {
        body.extend(members);
    }
    body
}
