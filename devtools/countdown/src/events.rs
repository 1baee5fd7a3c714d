//! Converts a countdown's notices to its events.

use serde_json::json;

use platform::events::{EventKinds, WireEvent, timestamp};

use crate::machine::Notice;

pub const KINDS: EventKinds = EventKinds {
    goes_on: &["counted", "child", "remark"],
    ends: &["landed", "failed", "stopped"],
};

pub fn event(run: &str, number: u32, notice: Notice) -> WireEvent {
    let Notice {
        at,
        kind,
        left,
        message,
        nano_usd,
    } = notice;
    let json = json!({
        "type": kind, "runId": run, "timestamp": timestamp(at), "left": left, "message": message,
        "spent": {"nanoUsd": nano_usd},
    });
    WireEvent {
        run: run.to_owned(),
        number,
        kind,
        json: json.to_string(),
        is_last: KINDS.ends.contains(&kind),
    }
}
