//! The bytes of server-sent events, by WHATWG HTML 9.2.

use super::wire_event::WireEvent;

/// The first line of a stream: a client that loses the connection comes back after one second.
pub const RETRY: &str = "retry: 1000\n\n";

/// Returns the first bytes for a viewer who has seen the events of `run` up to `after`: [`RETRY`],
/// and the id of the last event they have seen. A block without data tells nothing, but the client
/// keeps its id. So a client that loses the connection before the first event comes back to this
/// run, and starts no second one.
#[must_use]
pub fn greeting(run: &str, after: u32) -> String {
    format!("id: {run}.{after}\n{RETRY}")
}

/// A comment that keeps a silent connection open.
pub const HEARTBEAT: &str = ": hb\n\n";

/// A comment before a stream ends without a last event: the client comes back after [`RETRY`].
pub const BROKEN_OFF: &str = ": The server can't keep the run's events at the moment. Nothing is \
                              lost: come back, the run goes on where it was.\n\n";

/// A comment before the end of the stream of a run that its creator has deleted.
pub const DELETED: &str = ": The run was deleted by whoever started it.\n\n";

/// A comment before the end of the stream of a run whose time to live is over.
pub const EXPIRED: &str = ": The run is not kept any longer.\n\n";

/// Writes one event: `id: {run}.{n}`, its type and one line of JSON.
///
/// The JSON writer escapes CR, LF and NUL inside strings, so the data stays one line; the run's
/// token is `[A-Za-z0-9_.-]` by construction.
#[must_use]
pub fn frame(event: &WireEvent) -> String {
    format!("{}{}{FRAME_END}", frame_begin(event), event.json)
}

/// Returns what stands before an event's JSON in its [`frame`].
#[must_use]
pub fn frame_begin(event: &WireEvent) -> String {
    let WireEvent {
        run, number, kind, ..
    } = event;
    format!("id: {run}.{number}\nevent: {kind}\ndata: ")
}

/// The bytes after an event's JSON in its [`frame`].
pub const FRAME_END: &str = "\n\n";

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
}
