//! The wire format of a run's events. It is public and pinned by `tests/formats`.

use time::OffsetDateTime;

use kernel::Millis;

/// The first line of a stream: clients reconnect after one second.
pub const RETRY: &str = "retry: 1000\n\n";

/// A comment that keeps a silent connection open.
pub const HEARTBEAT: &str = ": hb\n\n";

/// A comment before a stream ends without a last event. The client reconnects after [`RETRY`].
pub const BROKEN_OFF: &str = ": The server can't keep the run's events at the moment. Nothing is \
                              lost: come back, the run goes on where it was.\n\n";

/// A comment before the end of a stream whose run was deleted by its creator.
pub const DELETED: &str = ": The run was deleted by whoever started it.\n\n";

/// A comment before the end of a stream whose run has expired.
pub const EXPIRED: &str = ": The run is not kept any longer.\n\n";

/// The bytes after an event's JSON in its [`frame`].
pub const FRAME_END: &str = "\n\n";

/// The kinds of events of one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventKinds {
    /// The kinds after which the run continues.
    pub goes_on: &'static [&'static str],
    /// The kinds that end the run.
    pub ends: &'static [&'static str],
}

impl EventKinds {
    /// Returns the kind of this name and whether it ends the run.
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
    /// The number of the event: 1, 2, 3, ... without gaps.
    pub number: u32,
    /// The event's kind: `status`, `evidence`, `path_update`, `final`, `no_path` or `error`. The
    /// event of a workflow has one of the kinds of its trace.
    pub kind: &'static str,
    /// One line of JSON.
    pub json: String,
    /// Whether no event comes after this one.
    pub is_last: bool,
}

impl WireEvent {
    /// Restores a stored event; `None` if the engine has no such kind.
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

    /// Returns the reason of a `no_path` or of a workflow's `failed`, or the code of an `error`.
    #[must_use]
    pub fn because(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Because {
            reason: Option<String>,
            code: Option<String>,
            #[serde(default)]
            payload: Payload,
        }
        /// The payload of a workflow's last event.
        #[derive(Default, serde::Deserialize)]
        struct Payload {
            reason: Option<String>,
        }
        let because: Because = serde_json::from_str(&self.json).ok()?;
        let reason = because.reason.or(because.payload.reason);
        reason.or(because.code).filter(|_| self.is_last)
    }
}

/// Returns the first bytes for a viewer who has seen the events of `run` up to `after`: [`RETRY`] and the id of the
/// last event seen. A block without data emits nothing, but the client keeps its id. So a client that loses the
/// connection before the first event reconnects to this run instead of starting another.
#[must_use]
pub fn greeting(run: &str, after: u32) -> String {
    format!("id: {run}.{after}\n{RETRY}")
}

/// Writes one event: `id: {run}.{n}`, its type and one line of JSON.
///
/// The JSON serializer escapes CR, LF and NUL inside strings, so that the data stays one line. The run's token is
/// `[A-Za-z0-9_.-]` by construction.
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
    // A time beyond the year 9999 is written as the epoch rather than not at all.
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, (hour, minute, second, millisecond)) = (time.date(), time.to_hms_milli());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    // The crate's RFC 3339 omits trailing zeros of the seconds.
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
