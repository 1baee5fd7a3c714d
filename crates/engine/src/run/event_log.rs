//! The events of a run as its viewers see them, and the switch with which a user stops the run.
//!
//! Viewers have no queues, because each reads the shared log at its own pace. So slow viewers cost nothing, and no
//! viewer can miss an event or see it twice.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::Stream;
use futures::future::{Either, select};

use platform::events::{
    BROKEN_OFF, DELETED, EXPIRED, FRAME_END, HEARTBEAT, RETRY, WireEvent, frame_begin, greeting,
};
use platform::isolate::Notify;

/// The time without events after which a heartbeat comment is sent, in milliseconds.
const SILENCE_MS_MAX: u64 = 10_000;

/// The JSON of an event, and the bytes that precede it in the stream.
#[derive(Debug, Clone)]
struct LoggedEvent {
    begin: String,
    json: Rc<str>,
}

/// The events of one run, in order. Viewers wait here for further events.
#[derive(Debug, Default)]
pub struct EventLog {
    /// The run's token, which is sent at the beginning of a stream; `None` in a default log.
    run: Option<String>,
    events: RefCell<Vec<LoggedEvent>>,
    is_ended: Cell<bool>,
    /// The comment that closes the streams if they end before the run's last event; `None` otherwise.
    last_words: Cell<Option<&'static str>>,
    changed: Notify,
}

impl EventLog {
    /// Makes an empty log for the run with this token.
    #[must_use]
    pub fn of(run: &str) -> Self {
        Self {
            run: Some(run.to_owned()),
            ..Self::default()
        }
    }

    /// Adds an event that was already stored. Does nothing if the event is already in the log.
    pub fn show(&self, event: &WireEvent) {
        if event.number <= self.len() {
            return;
        }
        self.events.borrow_mut().push(LoggedEvent {
            begin: frame_begin(event),
            json: event.json.as_str().into(),
        });
        self.is_ended.set(event.is_last);
        self.changed.notify_all();
    }

    /// Ends all streams before the run's last event because the run's store fails. Clients reconnect on their own and
    /// receive the run's next events.
    pub fn break_off(&self) {
        self.end_with(BROKEN_OFF);
    }

    /// Ends all streams because the run was deleted by its creator.
    pub fn delete(&self) {
        self.end_with(DELETED);
    }

    /// Ends all streams because the run has expired.
    pub fn expire(&self) {
        self.end_with(EXPIRED);
    }

    fn end_with(&self, words: &'static str) {
        self.last_words.set(Some(words));
        self.changed.notify_all();
    }

    /// Returns whether the log contains the run's last event.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.is_ended.get()
    }

    fn is_over(&self) -> bool {
        self.is_ended() || self.last_words.get().is_some()
    }

    /// Returns the number of events in the log.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.events.borrow().len()).unwrap_or(u32::MAX)
    }

    /// Returns whether there are no events in the log.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.borrow().is_empty()
    }

    /// Returns the JSON of the event with this number, if it is in the log.
    #[must_use]
    pub fn json(&self, number: u32) -> Option<Rc<str>> {
        let at = usize::try_from(number.checked_sub(1)?).ok()?;
        self.events.borrow().get(at).map(|event| event.json.clone())
    }

    /// Returns the comment that closes the streams if they end before the run's last event; `None` otherwise.
    #[must_use]
    pub fn last_words(&self) -> Option<&'static str> {
        self.last_words.get()
    }

    /// Waits until there is an event after the one with this number, or until it is certain that there will be none.
    pub async fn news_after(&self, number: u32) {
        let has_news = || self.len() > number || self.is_over();
        self.changed.wait_until(has_news).await;
    }

    /// Returns the JSON of each event, in order.
    #[must_use]
    pub fn jsons(&self) -> Vec<Rc<str>> {
        self.events
            .borrow()
            .iter()
            .map(|event| event.json.clone())
            .collect()
    }

    /// Waits for the run's last event and returns its JSON. Returns `None` if the streams end before it.
    pub async fn last(&self) -> Option<Rc<str>> {
        self.changed.wait_until(|| self.is_over()).await;
        if !self.is_ended() {
            return None;
        }
        self.events.borrow().last().map(|event| event.json.clone())
    }

    /// Returns the frames of all events from the one with this number on.
    fn frames_from(&self, number: u32) -> Vec<u8> {
        let events = self.events.borrow();
        let seen = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let new = events.get(seen..).unwrap_or_default();
        let parts = new
            .iter()
            .flat_map(|event| [&*event.begin, &*event.json, FRAME_END]);
        parts.collect::<String>().into_bytes()
    }

    /// Returns the bytes for a viewer who has seen the events up to `after` and does not wait for more.
    #[must_use]
    pub fn so_far(&self, after: u32) -> Vec<u8> {
        let mut bytes = self.greeting(after);
        bytes.extend(self.frames_from(after.saturating_add(1)));
        if let (false, Some(words)) = (self.is_ended(), self.last_words.get()) {
            bytes.extend_from_slice(words.as_bytes());
        }
        bytes
    }

    /// Returns the bytes with which every stream begins.
    fn greeting(&self, after: u32) -> Vec<u8> {
        let run = self.run.as_deref();
        run.map_or_else(|| RETRY.to_owned(), |run| greeting(run, after))
            .into_bytes()
    }

    /// Streams to one viewer who has seen the events up to `after`. New events are sent as they arrive, and a heartbeat
    /// after each silence. The stream ends with the last event or when `has_expired` returns true. `sleep` waits for
    /// the given number of milliseconds.
    pub fn view<S: Future<Output = ()>>(
        self: Rc<Self>,
        after: u32,
        sleep: impl Fn(u64) -> S,
        has_expired: impl Fn() -> bool,
    ) -> impl Stream<Item = Vec<u8>> {
        let start = Viewer {
            log: self,
            next: after.saturating_add(1),
            greeted: false,
            is_told: false,
        };
        let state = (start, sleep, has_expired);
        futures::stream::unfold(state, |(mut view, sleep, has_expired)| async move {
            let bytes = view.next_bytes(&sleep, &has_expired).await?;
            Some((bytes, (view, sleep, has_expired)))
        })
    }
}

struct Viewer {
    log: Rc<EventLog>,
    next: u32,
    greeted: bool,
    /// Whether the viewer was sent the closing comment.
    is_told: bool,
}

impl Viewer {
    async fn next_bytes<S: Future<Output = ()>>(
        &mut self,
        sleep: &impl Fn(u64) -> S,
        has_expired: &impl Fn() -> bool,
    ) -> Option<Vec<u8>> {
        if !self.greeted {
            self.greeted = true;
            return Some(self.log.greeting(self.next.saturating_sub(1)));
        }
        loop {
            if let Some(frames) = self.take_ready() {
                return Some(frames);
            }
            if self.is_told || self.log.is_ended() {
                return None;
            }
            if let Some(words) = self.log.last_words.get() {
                self.is_told = true;
                return Some(words.as_bytes().to_vec());
            }
            let (log, next) = (&self.log, self.next);
            let news = log.news_after(next.saturating_sub(1));
            let silence = sleep(SILENCE_MS_MAX);
            if let Either::Right(_) = select(std::pin::pin!(news), std::pin::pin!(silence)).await {
                if !has_expired() {
                    return Some(HEARTBEAT.as_bytes().to_vec());
                }
                // The run should have been deleted by now but was not, so its streams end here.
                self.log.expire();
            }
        }
    }

    /// Takes the frames of all new events as one chunk.
    fn take_ready(&mut self) -> Option<Vec<u8>> {
        let frames = self.log.frames_from(self.next);
        self.next = self.next.max(self.log.len().saturating_add(1));
        (!frames.is_empty()).then_some(frames)
    }
}

/// A switch with which the user stops the run.
#[derive(Debug, Default)]
pub struct StopSwitch {
    is_on: Cell<bool>,
    changed: Notify,
}

impl StopSwitch {
    /// Requests the end of the run. This cannot be undone.
    pub fn turn_on(&self) {
        self.is_on.set(true);
        self.changed.notify_all();
    }

    /// Returns whether a stop was requested.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// Waits until a stop is requested.
    pub async fn wait(&self) {
        self.changed.wait_until(|| self.is_on.get()).await;
    }
}
