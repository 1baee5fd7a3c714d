//! The events of an automaton run.

use serde_json::{Map, Value, json};

use engine::record::{EventBody, interrupted};
use kernel::Millis;
use platform::events::{EventKinds, WireEvent, timestamp};

use crate::machine::{
    CHAIN_RUN, Ending, Notice, NoticeKind, Pause, Place, Spent, Unmet, WhyFailed,
};

/// The kinds of events that an automaton run emits, by their effect on the run.
pub const AUTOMATON_KINDS: EventKinds = EventKinds {
    goes_on: &[
        "automaton_started",
        "warning",
        "waiting",
        "looked",
        "state_entered",
        "action_begun",
        "action_done",
        "action_failed",
        CHAIN_RUN,
        "recovering",
        "state_left",
        "making",
        "offered",
        "state_made",
        "asked",
        "answered",
        "state_changed",
        "state_kept",
        "state_dropped",
        "trace_bounded",
    ],
    ends: &["completed", "failed", "stopped"],
};
/// The message for viewers of a run that was interrupted.
const INTERRUPTED: &str = "The run was interrupted on the server and can't go on; an action that was under way may \
                       have been carried out. Look at what the page has done before the run is started anew.";

/// Converts a notice to the run's event with this number.
pub fn automaton_event(
    run: &str,
    number: u32,
    notice: &Notice,
) -> Result<WireEvent, serde_json::Error> {
    let (kind, payload) = told(&notice.kind);
    let body = EventBody {
        kind,
        run_id: run,
        timestamp: timestamp(notice.at),
        node_id: None,
        node_name: None,
        payload,
    };
    body.event(number, notice.kind.is_last())
}

fn told(kind: &NoticeKind) -> (&'static str, Value) {
    match kind {
        NoticeKind::Started { states } => ("automaton_started", json!({"states": states})),
        NoticeKind::Warning { state, message } => {
            ("warning", json!({"state": state, "message": message}))
        }
        NoticeKind::Remark(message) => ("warning", json!({"state": null, "message": message})),
        NoticeKind::Waiting { ms, pause } => {
            let pause = match pause {
                Pause::Transition => "transition",
                Pause::Spacing => "spacing",
                Pause::Wanted => "wanted",
            };
            ("waiting", json!({"ms": ms, "pause": pause}))
        }
        NoticeKind::Looked {
            url,
            picture,
            passed,
            decision,
        } => (
            "looked",
            json!({
                "url": url,
                "picture": picture.as_ref().map(ToString::to_string),
                "passed": passed,
                "decision": decision.as_ref(),
            }),
        ),
        NoticeKind::StateEntered { state, name } => {
            ("state_entered", json!({"state": state, "name": name}))
        }
        NoticeKind::RoundBegun {
            state,
            position,
            count,
        } => (
            "round_begun",
            json!({"state": state, "position": position, "count": count}),
        ),
        NoticeKind::StateLeft { state } => ("state_left", json!({"state": state})),
        NoticeKind::Making { why } => ("making", json!({"reason": why.as_ref()})),
        NoticeKind::Offered { offers } => ("offered", json!({"triggers": offers})),
        NoticeKind::StateMade { written } => ("state_made", json!({"state": written})),
        NoticeKind::Bounded { notices } => ("trace_bounded", json!({"events": notices})),
        NoticeKind::Ended {
            ending,
            spent,
            left_out,
            drift,
            extracted,
        } => {
            let (kind, mut payload) = ended(ending, *spent, *left_out);
            let more = [("drift", drift), ("extracted", extracted)];
            for (name, value) in more {
                if let (Some(members), Some(value)) = (payload.as_object_mut(), value) {
                    members.insert(name.to_owned(), value.clone());
                }
            }
            (kind, payload)
        }
        NoticeKind::Asked { .. }
        | NoticeKind::Answered { .. }
        | NoticeKind::StateChanged { .. }
        | NoticeKind::StateKept { .. }
        | NoticeKind::StateDropped => of_making(kind),
        NoticeKind::ActionBegun { .. }
        | NoticeKind::ActionDone { .. }
        | NoticeKind::ActionFailed { .. }
        | NoticeKind::Chain { .. }
        | NoticeKind::Recovering { .. } => of_action(kind),
    }
}

fn of_making(kind: &NoticeKind) -> (&'static str, Value) {
    match kind {
        NoticeKind::Asked { about, attempt } => (
            "asked",
            json!({"about": about.as_ref(), "attempt": attempt}),
        ),
        NoticeKind::Answered {
            about,
            model,
            says,
            refused,
        } => (
            "answered",
            json!({"about": about.as_ref(), "model": model, "text": says, "refused": refused}),
        ),
        NoticeKind::StateChanged { state, written } => (
            "state_changed",
            json!({"position": state, "state": written}),
        ),
        NoticeKind::StateKept {
            state,
            proof,
            written,
        } => {
            let proof: Option<&str> = proof.as_ref().map(AsRef::as_ref);
            let payload = json!({"position": state, "proof": proof, "state": written});
            ("state_kept", payload)
        }
        _ => ("state_dropped", json!({})),
    }
}

fn of_action(kind: &NoticeKind) -> (&'static str, Value) {
    let (name, place, mut payload) = match kind {
        NoticeKind::ActionBegun { place, call } => {
            ("action_begun", place, json!({"call": call.to_string()}))
        }
        NoticeKind::ActionDone { place, done } => {
            let point = done.point.map(|point| [point.x, point.y]);
            let mut payload = json!({"point": point, "fallback": done.has_fallen_back});
            if let Some(members) = payload.as_object_mut() {
                if done.is_unchanged {
                    members.insert("unchanged".to_owned(), true.into());
                }
                if !done.values.is_empty() {
                    members.insert("values".to_owned(), done.values.clone().into());
                }
                if let Some(file) = &done.file {
                    let file = json!({
                        "name": file.name, "mediaType": file.media_type, "bytes": file.bytes,
                        "digest": file.digest.to_string(),
                    });
                    members.insert("file".to_owned(), file);
                }
            }
            ("action_done", place, payload)
        }
        NoticeKind::ActionFailed {
            place,
            cause,
            was_tried,
            message,
        } => (
            "action_failed",
            place,
            json!({"cause": cause.as_ref(), "tried": was_tried, "message": message}),
        ),
        NoticeKind::Chain {
            place,
            run,
            message,
        } => (CHAIN_RUN, place, json!({"run": run, "message": message})),
        NoticeKind::Recovering { place } => ("recovering", place, json!({})),
        _ => return ("warning", json!({})),
    };
    put_place(&mut payload, *place);
    (name, payload)
}

fn put_place(payload: &mut Value, place: Place) {
    if let Some(members) = payload.as_object_mut() {
        members.insert("state".to_owned(), place.state.into());
        members.insert("line".to_owned(), place.line.into());
    }
}

fn ended(ending: &Ending, spent: Spent, left_out: u64) -> (&'static str, Value) {
    let (kind, mut payload) = match ending {
        Ending::Completed { message, read } => {
            let read = read
                .as_ref()
                .map(|read| json!({"url": read.url, "title": read.title, "texts": read.texts}));
            ("completed", json!({"message": message, "read": read}))
        }
        Ending::Stopped => ("stopped", json!({})),
        Ending::Failed {
            why,
            message,
            unmet,
        } => ("failed", failed(why, message, unmet)),
    };
    if let Some(members) = payload.as_object_mut() {
        members.insert("spent".to_owned(), automaton_spent(spent));
        members.insert("eventsLeftOut".to_owned(), left_out.into());
    }
    (kind, payload)
}

fn failed(why: &WhyFailed, message: &str, unmet: &[Unmet]) -> Value {
    let mut payload = json!({"reason": why.as_ref(), "message": message});
    let mut more = Map::new();
    if !unmet.is_empty() {
        let unmet = unmet
            .iter()
            .map(|unmet| json!({"state": unmet.state, "check": unmet.check}));
        more.insert("unmet".to_owned(), unmet.collect());
    }
    match why {
        WhyFailed::MultipleStates { states } => {
            more.insert("states".to_owned(), json!(states));
        }
        WhyFailed::StateTimeout { state } => {
            more.insert("state".to_owned(), json!(state));
        }
        WhyFailed::Action { place, cause } => {
            more.insert("cause".to_owned(), cause.as_ref().into());
            put_place(&mut payload, *place);
        }
        WhyFailed::Refused { place } | WhyFailed::UnknownOutcome { place } => {
            put_place(&mut payload, *place);
        }
        _ => {}
    }
    if let Some(members) = payload.as_object_mut() {
        members.extend(more);
    }
    payload
}

/// Returns what an automaton run has spent, as JSON for events and records.
#[must_use]
pub fn automaton_spent(spent: Spent) -> Value {
    // The amount is at most 1e13 billionths of a dollar, which a float represents exactly enough.
    #[allow(clippy::cast_precision_loss)]
    let usd = spent.nano_usd as f64 / 1e9;
    json!({
        "states": spent.states,
        "actions": spent.actions,
        "looks": spent.looks,
        "asks": spent.asks,
        "statesMade": spent.states_made,
        "runtimeMs": spent.runtime_ms,
        "usd": usd,
    })
}

/// Returns the last event of an interrupted run: `failed`, with the reason `interrupted`.
#[must_use]
pub fn interrupted_automaton(run: &str, number: u32, now: Millis) -> WireEvent {
    let payload = json!({"reason": "interrupted", "message": INTERRUPTED});
    interrupted(run, number, now, &payload)
}
