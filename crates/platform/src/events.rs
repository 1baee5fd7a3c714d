//! The wire format of a run's events. It is public, and `tests/formats` guards it against changes.

use time::OffsetDateTime;

use kernel::Millis;

/// The first line of a stream. It makes clients reconnect after one second.
pub const RETRY: &str = "retry: 1000\n\n";

/// A comment in the stream that keeps a connection open while there are no events.
pub const HEARTBEAT: &str = ": hb\n\n";

/// A comment that ends a stream before the run's last event. The client reconnects after [`RETRY`].
pub const BROKEN_OFF: &str = ": The server can't keep the run's events at the moment. Nothing is \
                              lost: come back, the run goes on where it was.\n\n";

/// A comment that ends the stream of a run that its creator has deleted.
pub const DELETED: &str = ": The run was deleted by whoever started it.\n\n";

/// A comment that ends the stream of a run that has expired.
pub const EXPIRED: &str = ": The run is not kept any longer.\n\n";

/// The bytes that follow an event's JSON in its [`frame`].
pub const FRAME_END: &str = "\n\n";

/// The kinds of events that one engine emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventKinds {
    /// The kinds after which the run continues.
    pub goes_on: &'static [&'static str],
    /// The kinds that end the run.
    pub ends: &'static [&'static str],
}

impl EventKinds {
    /// Returns the kind with this name and whether it ends the run.
    fn find(self, name: &str) -> Option<(&'static str, bool)> {
        let goes_on = self.goes_on.iter().map(|kind| (*kind, false));
        let ends = self.ends.iter().map(|kind| (*kind, true));
        goes_on.chain(ends).find(|(kind, _)| *kind == name)
    }
}

/// One event, ready to be stored and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    /// The run's public token.
    pub run: String,
    /// The number of the event in its run: 1, 2, 3, ... without gaps.
    pub number: u32,
    /// The event's kind: `status`, `evidence`, `path_update`, `final`, `no_path` or `error`. An event of a workflow
    /// has one of the kinds of its trace instead.
    pub kind: &'static str,
    /// The event's data, as one line of JSON.
    pub json: String,
    /// Whether this event ends the run.
    pub is_last: bool,
}

impl WireEvent {
    /// Restores a stored event; `None` if the engine emits no events with its kind.
    #[must_use]
    pub fn stored(
        kinds: EventKinds,
        run: &str,
        number: u32,
        kind: &str,
        json: String,
    ) -> Option<Self> {
        let (kind, is_last) = kinds.find(kind)?;
        Some(Self {
            run: run.to_owned(),
            number,
            kind,
            json,
            is_last,
        })
    }

    /// Returns the reason in a `no_path` event or in a workflow's `failed` event, or the code in an `error` event;
    /// `None` for any other event.
    #[must_use]
    pub fn because(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Because {
            reason: Option<String>,
            code: Option<String>,
            #[serde(default)]
            payload: Payload,
        }
        /// The payload of the last event of a workflow.
        #[derive(Default, serde::Deserialize)]
        struct Payload {
            reason: Option<String>,
        }
        let because: Because = serde_json::from_str(&self.json).ok()?;
        let reason = because.reason.or(because.payload.reason);
        reason.or(because.code).filter(|_| self.is_last)
    }
}

/// Returns the first bytes for a viewer who has seen the events of `run` up to number `after`. They are [`RETRY`] and
/// the id of the last event seen. A block without data emits no event, but the client stores its id. So a client that
/// loses the connection before the first event reconnects to this run instead of starting another run.
#[must_use]
pub fn greeting(run: &str, after: u32) -> String {
    format!("id: {run}.{after}\n{RETRY}")
}

/// Writes one event as the id `{run}.{n}`, the event's kind and one line of JSON.
///
/// The data stays one line because the JSON serializer escapes CR, LF and NUL inside strings. The run's token
/// consists of `[A-Za-z0-9_.-]` by construction.
#[must_use]
pub fn frame(event: &WireEvent) -> String {
    format!("{}{}{FRAME_END}", frame_begin(event), event.json)
}

/// Returns the part of a [`frame`] before the event's JSON.
#[must_use]
pub fn frame_begin(event: &WireEvent) -> String {
    let WireEvent {
        run, number, kind, ..
    } = event;
    format!("id: {run}.{number}\nevent: {kind}\ndata: ")
}

/// Formats a time as RFC 3339 in UTC, with milliseconds.
#[must_use]
pub fn timestamp(at: Millis) -> String {
    // A time beyond the year 9999 cannot be formatted, so it is written as 1970.
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, (hour, minute, second, millisecond)) = (time.date(), time.to_hms_milli());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    // The formatter of the `time` crate would omit trailing zeros of the seconds' fraction.
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_names_the_run_and_has_no_data() {
        assert_eq!(greeting("s1.k3", 0), "id: s1.k3.0\nretry: 1000\n\n");
        assert_eq!(greeting("s1.k3", 7), "id: s1.k3.7\nretry: 1000\n\n");
    }

    #[test]
    fn a_frame_is_three_lines_and_a_blank_one() {
        let event = WireEvent {
            run: "s1.k3".into(),
            number: 7,
            kind: "status",
            json: "{}".into(),
            is_last: false,
        };
        assert_eq!(frame(&event), "id: s1.k3.7\nevent: status\ndata: {}\n\n");
    }

    #[test]
    fn timestamps_are_rfc_3339_in_utc_with_milliseconds() {
        assert_eq!(timestamp(Millis(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            timestamp(Millis(1_795_255_200_007)),
            "2026-11-21T10:00:00.007Z"
        );
        assert_eq!(timestamp(Millis(u64::MAX)), "1970-01-01T00:00:00.000Z");
    }
}
