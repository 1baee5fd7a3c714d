//! Server-sent events, WHATWG HTML 9.2.

use super::wire::WireEvent;

/// Sent once, first: come back one second after a lost connection.
pub const RETRY: &str = "retry: 1000\n\n";

/// A comment that keeps a silent connection open.
pub const HEARTBEAT: &str = ": hb\n\n";

/// A comment before a stream ends without a last event: the client comes back after [`RETRY`].
pub const BROKEN_OFF: &str = ": The server can't keep the run's events at the moment. Nothing is \
                              lost: come back, the run goes on where it was.\n\n";

/// One event: `id: {run}.{n}`, its type and one line of JSON.
///
/// The JSON writer escapes CR, LF and NUL inside strings, so the data stays one line; the run's
/// token is `[A-Za-z0-9_.-]` by construction.
#[must_use]
pub fn frame(event: &WireEvent) -> String {
    format!(
        "id: {}.{}\nevent: {}\ndata: {}\n\n",
        event.run, event.number, event.kind, event.json
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
