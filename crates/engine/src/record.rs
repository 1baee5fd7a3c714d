//! What workflows and automata share in their events and records: the body of an event, the outline of a run, and its
//! documents.

use std::rc::Rc;

use serde::Serialize;
use serde_json::{Value, json};

use kernel::Millis;
use platform::events::{WireEvent, timestamp};

use crate::budget::Amount;
use crate::store::{Documents, Keys, RunMeta, calls_body};
use crate::{Engine, Opened};

/// The body of an event, in the form in which it is sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventBody<'a> {
    /// The event's kind.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The run's public token.
    pub run_id: &'a str,
    /// The time of the event, formatted by [`timestamp`].
    pub timestamp: String,
    /// The id of the node that the event concerns, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// The name of the node that the event concerns, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_name: Option<&'a str>,
    /// The details of what happened, depending on the kind.
    pub payload: Value,
}

impl EventBody<'_> {
    /// Serializes the body as the run's event with this number.
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

/// Makes the last event of a run that cannot continue. It is a `failed` event with the reason `interrupted`.
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

/// Returns what a run has spent, according to its last event; `None` if the event does not say.
#[must_use]
pub fn amount_told(last_event: &str) -> Option<Amount> {
    Some(Amount {
        searches: 0,
        recognitions: 0,
        nano_usd: nano_usd_told(&serde_json::from_str(last_event).ok()?)?,
    })
}

/// Makes a run's meta document, which includes the engine's `members`. Once the run has ended, also makes its calls
/// document.
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

/// Makes the outline of a run, which is its progress and spending, from its events so far. It includes the engine's
/// `members`.
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
