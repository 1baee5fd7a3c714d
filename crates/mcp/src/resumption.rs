//! The resumption of a stream that broke.

/// The most times that a broken stream is asked for again.
const RESUMPTIONS_MAX: u32 = 5;
/// The pause before a broken stream is asked for again, in milliseconds, where the server says
/// nothing.
const PAUSE_MS: u64 = 1_000;
/// The longest pause before a broken stream is asked for again, in milliseconds.
const PAUSE_MS_MAX: u64 = 30_000;

/// The last event of a stream, and how often the stream was asked for again.
#[derive(Debug, Default)]
pub(crate) struct Resumption {
    last_event_id: Option<String>,
    count: u32,
}

impl Resumption {
    /// Returns the resumption of a stream after this event.
    pub(crate) fn after(last_event_id: String) -> Self {
        Self {
            last_event_id: Some(last_event_id),
            count: 0,
        }
    }

    /// Returns the id of the last event that came, if one had an id.
    pub(crate) fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// Notes an event that came. An event without an id changes nothing.
    pub(crate) fn note(&mut self, last_event_id: Option<String>) {
        self.last_event_id = last_event_id.or(self.last_event_id.take());
    }

    /// Returns how long to wait before the stream is asked for again, in milliseconds. Returns
    /// `None` where it is not asked for again.
    pub(crate) fn pause_ms(&mut self, retry_ms: Option<u64>) -> Option<u64> {
        let may = self.last_event_id.is_some() && self.count < RESUMPTIONS_MAX;
        self.count = self.count.saturating_add(1);
        may.then(|| retry_ms.unwrap_or(PAUSE_MS).min(PAUSE_MS_MAX))
    }
}
