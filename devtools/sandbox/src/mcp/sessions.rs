//! The sessions of a server, and the events that a client can request again.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::hash::hash;

/// The most sessions of a server; beyond that the oldest is dropped.
const SESSIONS_MAX: usize = 8;
/// The most request ids that a session remembers.
const IDS_MAX: usize = 1_000;
/// The number of latest streams that a session remembers.
const STREAMS_MAX: usize = 16;

/// An event that was sent, or that a broken stream failed to send. A client can request it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredEvent {
    pub(super) id: String,
    /// The data; empty for an event that only tells the client the stream's id.
    pub(super) data: String,
}

#[derive(Clone, Debug)]
struct StoredStream {
    events: Vec<StoredEvent>,
    is_endless: bool,
}

/// A session that `initialize` began.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) version: &'static str,
    /// Whether the client has sent `notifications/initialized`.
    pub(super) is_ready: bool,
    ids: VecDeque<Value>,
    streams: VecDeque<StoredStream>,
    streams_begun: u64,
}

impl Session {
    fn new(version: &'static str) -> Self {
        Self {
            version,
            is_ready: false,
            ids: VecDeque::new(),
            streams: VecDeque::new(),
            streams_begun: 0,
        }
    }

    /// Records a request id. Returns whether it is new.
    pub(super) fn note_id(&mut self, id: &Value) -> bool {
        if self.ids.contains(id) {
            return false;
        }
        if self.ids.len() == IDS_MAX {
            self.ids.pop_front();
        }
        self.ids.push_back(id.clone());
        true
    }

    /// Stores a stream of these messages and returns its events. In revision 2025-11-25, an event without data precedes
    /// them. If `is_endless`, the stream stays open after its last event.
    pub(super) fn store(&mut self, messages: Vec<String>, is_endless: bool) -> Vec<StoredEvent> {
        self.streams_begun += 1;
        let has_priming = self.version == "2025-11-25";
        let priming = has_priming.then(String::new);
        let events = priming.into_iter().chain(messages).enumerate();
        let events: Vec<_> = events
            .map(|(number, data)| StoredEvent {
                id: format!("{}-{number}", self.streams_begun),
                data,
            })
            .collect();
        if self.streams.len() == STREAMS_MAX {
            self.streams.pop_front();
        }
        self.streams.push_back(StoredStream {
            events: events.clone(),
            is_endless,
        });
        events
    }

    /// Returns the events that follow this one in its stream, and whether the stream is endless. Returns `None` if no
    /// remembered stream has the event.
    pub(super) fn after(&self, event_id: &str) -> Option<(Vec<StoredEvent>, bool)> {
        self.streams.iter().find_map(|stream| {
            let at = stream
                .events
                .iter()
                .position(|event| event.id == event_id)?;
            let rest = stream.events.get(at + 1..).unwrap_or_default();
            Some((rest.to_vec(), stream.is_endless))
        })
    }
}

/// The sessions of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions {
    /// The sessions by the numbers that their ids contain.
    sessions: BTreeMap<u64, Session>,
    begun: u64,
}

impl Sessions {
    /// Begins a session. Returns its id and the session.
    pub(super) fn begin(&mut self, server: &str, version: &'static str) -> (String, &mut Session) {
        self.begun += 1;
        if self.sessions.len() == SESSIONS_MAX {
            self.sessions.pop_first();
        }
        let id = session_id(server, self.begun);
        let session = self.sessions.entry(self.begun);
        (id, session.or_insert_with(|| Session::new(version)))
    }

    /// Returns the session with this id, if it exists.
    pub(super) fn get_mut(&mut self, server: &str, id: &str) -> Option<&mut Session> {
        let number = self.number(server, id)?;
        self.sessions.get_mut(&number)
    }

    /// Ends a session. Returns false if it does not exist.
    pub(super) fn end(&mut self, server: &str, id: &str) -> bool {
        let number = self.number(server, id);
        number.is_some_and(|number| self.sessions.remove(&number).is_some())
    }

    fn number(&self, server: &str, id: &str) -> Option<u64> {
        let mut numbers = self.sessions.keys().copied();
        numbers.find(|number| session_id(server, *number) == id)
    }
}

fn session_id(server: &str, number: u64) -> String {
    let half = |which: &str| hash(&[which.into(), server.into(), number.into()]);
    format!("{:016x}{:016x}", half("session"), half("of a server"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sessions_are_bounded_and_differ() {
        let mut sessions = Sessions::default();
        let ids: Vec<_> = (0..=SESSIONS_MAX)
            .map(|_| sessions.begin("desk", "2025-11-25").0)
            .collect();
        assert!(sessions.get_mut("desk", &ids[0]).is_none());
        assert!(sessions.get_mut("desk", &ids[1]).is_some());
        assert!(sessions.get_mut("other", &ids[1]).is_none());
        assert!(sessions.end("desk", &ids[1]) && !sessions.end("desk", &ids[1]));
    }

    #[test]
    fn an_id_is_used_once_and_a_stream_is_told_from_where_it_broke() {
        let mut session = Session::new("2025-11-25");
        assert!(session.note_id(&json!(1)) && session.note_id(&json!("1")));
        assert!(!session.note_id(&json!(1)));
        let events = session.store(vec!["a".into(), "b".into()], false);
        let ids: Vec<_> = events.iter().map(|event| event.id.as_str()).collect();
        assert_eq!(ids, ["1-0", "1-1", "1-2"]);
        let (rest, is_endless) = session.after("1-1").unwrap();
        assert_eq!(
            (rest[0].data.as_str(), rest.len(), is_endless),
            ("b", 1, false)
        );
        assert_eq!(session.after("1-2").unwrap().0, []);
        assert_eq!(session.after("2-0"), None);
        for _ in 0..STREAMS_MAX {
            session.store(Vec::new(), false);
        }
        assert_eq!(session.after("1-0"), None);
    }

    #[test]
    fn older_revisions_have_no_event_without_data() {
        let events = Session::new("2025-06-18").store(vec!["a".into()], false);
        assert_eq!((events.len(), events[0].data.as_str()), (1, "a"));
    }
}
