//! The last event of a workflow's run that cannot go on.

use serde_json::json;

use kernel::Millis;
use platform::events::{WireEvent, timestamp};

/// The message that viewers are told.
const MESSAGE: &str = "The run was interrupted on the server and can't go on; a call that was under \
                                   way may have been made. A fork of it makes no call twice that was answered.";

/// Returns the last event of a run that cannot go on: `failed`, with the reason `interrupted`.
#[must_use]
pub fn interrupted_workflow(run: &str, number: u32, now: Millis) -> WireEvent {
    let body = json!({
        "type": "failed",
        "runId": run,
        "timestamp": timestamp(now),
        "payload": {"reason": "interrupted", "node": null, "message": MESSAGE},
    });
    WireEvent {
        run: run.to_owned(),
        number,
        kind: "failed",
        json: body.to_string(),
        is_last: true,
    }
}
