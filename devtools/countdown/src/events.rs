//! The events.

use serde_json::json;

use engine::Told;
use kernel::Millis;
use platform::events::{EventKinds, WireEvent, timestamp};

use crate::machine::{Countdown, CountdownEngine, Notice};

const KINDS: EventKinds = EventKinds {
    goes_on: &["counted", "child", "remark"],
    ends: &["landed", "failed", "stopped"],
};

fn event(run: &str, number: u32, notice: Notice) -> WireEvent {
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

impl Told for CountdownEngine {
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
}
