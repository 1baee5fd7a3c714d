//! The last event of an automaton's run that cannot go on.

use serde_json::json;

use kernel::Millis;
use platform::events::{WireEvent, timestamp};

/// The message that viewers are told.
const MESSAGE: &str = "The run was interrupted on the server and can't go on; an action that was under way may \
                       have been carried out. Look at what the page has done before the run is started anew.";

/// Returns the last event of a run that cannot go on: `failed`, with the reason `interrupted`.
#[must_use]
pub(super) fn interrupted_automaton(run: &str, number: u32, now: Millis) -> WireEvent {
    let body = json!({
        "type": "failed",
        "runId": run,
        "timestamp": timestamp(now),
        "payload": {"reason": "interrupted", "message": MESSAGE},
    });
    WireEvent {
        run: run.to_owned(),
        number,
        kind: "failed",
        json: body.to_string(),
        is_last: true,
    }
}
