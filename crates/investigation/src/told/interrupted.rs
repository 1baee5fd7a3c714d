//! The last event of a run that cannot go on.

use serde_json::{Value, json};

use kernel::Millis;
use platform::events::{WireEvent, timestamp};

/// The message that viewers are told.
const MESSAGE: &str = "The run was interrupted on the server and can't go on; what was verified \
                       until then is above, and a fork of it pays for nothing twice. Start it again.";

/// Makes the last event of such a run: an honest `error` `internal`, with what was spent as far as
/// the stored events tell.
#[must_use]
pub fn interrupted_event(
    run: &str,
    number: u32,
    now: Millis,
    stored_events: impl DoubleEndedIterator<Item = impl AsRef<str>>,
) -> WireEvent {
    let spent = stored_events.rev().find_map(|json| {
        let event: Value = serde_json::from_str(json.as_ref()).ok()?;
        event.get("spent").cloned()
    });
    let body = json!({
        "type": "error",
        "runId": run,
        "timestamp": timestamp(now),
        "code": "internal",
        "message": MESSAGE,
        "retryable": true,
        "spent": spent.unwrap_or_else(|| json!({})),
    });
    WireEvent {
        run: run.to_owned(),
        number,
        kind: "error",
        json: body.to_string(),
        is_last: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_what_was_spent_last() {
        let stored = [
            r#"{"type":"status","spent":{"searchCalls":1}}"#,
            r#"{"type":"status","spent":{"searchCalls":2}}"#,
            r#"{"type":"path_update"}"#,
        ];
        let event = interrupted_event("s1.k", 4, Millis(0), stored.iter());
        let json: Value = serde_json::from_str(&event.json).unwrap();
        assert_eq!(json["spent"]["searchCalls"], 2);
        assert_eq!(
            (json["code"].as_str(), event.is_last),
            (Some("internal"), true)
        );
        let nothing = interrupted_event("s1.k", 1, Millis(0), [""; 0].iter());
        assert!(nothing.json.contains(r#""spent":{}"#));
    }
}
