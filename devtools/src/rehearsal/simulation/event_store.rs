//! The events that a run's object stores, and the log that its viewers read.

use std::cell::RefCell;
use std::rc::Rc;

use futures::{Stream, StreamExt as _};

use engine::run::{EventLog, StopSwitch};
use platform::events::WireEvent;

/// The events of one run, both those that are stored and those that were sent.
#[derive(Debug, Default)]
pub(super) struct EventStore {
    kept: RefCell<Vec<WireEvent>>,
    seen: RefCell<Vec<WireEvent>>,
    connection: RefCell<Connection>,
}

/// The log that viewers read until the process dies.
#[derive(Debug, Default, Clone)]
struct Connection {
    log: Rc<EventLog>,
    /// The switch that breaks the connections when the process dies.
    cut: Rc<StopSwitch>,
}

impl EventStore {
    /// Stores an event, replacing an earlier copy.
    pub(super) fn keep(&self, event: &WireEvent) {
        let mut kept = self.kept.borrow_mut();
        match kept.iter_mut().find(|known| known.number == event.number) {
            Some(known) => *known = event.clone(),
            None => kept.push(event.clone()),
        }
    }

    /// Loads the events that an earlier process has sent; no viewer is connected yet.
    pub(super) fn load(&self, events: &[WireEvent]) {
        for event in events {
            self.keep(event);
        }
        self.renew();
    }

    /// Sends a stored event to all connected viewers.
    pub(super) fn show(&self, event: &WireEvent) {
        let log = self.connection.borrow().log.clone();
        let before = log.len();
        log.show(event);
        if log.len() > before {
            self.note_seen(event);
        }
    }

    /// Records an event for a viewer who is connected throughout all processes.
    fn note_seen(&self, event: &WireEvent) {
        let mut seen = self.seen.borrow_mut();
        if seen.last().is_none_or(|last| last.number < event.number) {
            seen.push(event.clone());
        }
    }

    /// Returns a copy of what remains after the process has died.
    pub(super) fn left_behind(&self) -> Self {
        let left = Self {
            kept: self.kept.clone(),
            seen: self.seen.clone(),
            connection: RefCell::default(),
        };
        left.renew();
        left
    }

    /// Breaks all connections, because the process has died. The next process's log has the stored events.
    pub(super) fn cut(&self) {
        let cut = self.connection.borrow().cut.clone();
        self.renew();
        cut.turn_on();
    }

    /// Breaks all connections, because events can no longer be stored. A viewer who reconnects gets the stored events.
    pub(super) fn break_off(&self) {
        self.connection.borrow().log.break_off();
        self.renew();
    }

    fn renew(&self) {
        let connection = Connection::default();
        for event in self.kept.borrow().iter() {
            connection.log.show(event);
            self.note_seen(event);
        }
        self.connection.replace(connection);
    }

    /// Returns the bytes for a viewer who has seen the events up to `after`, or `None` if the run has ended and no
    /// event follows.
    pub(super) fn view<S: Future<Output = ()>>(
        &self,
        after: u32,
        sleep: impl Fn(u64) -> S,
    ) -> Option<impl Stream<Item = Vec<u8>>> {
        let Connection { log, cut } = self.connection.borrow().clone();
        // In this case the run's object responds with 204, so there are no bytes.
        if log.is_ended() && after >= log.len() {
            return None;
        }
        let is_cut = async move { cut.wait().await };
        Some(log.view(after, sleep, || false).take_until(is_cut))
    }

    /// Returns the stored events in order, as a new process would load them.
    pub(super) fn kept(&self) -> Vec<WireEvent> {
        self.kept.borrow().clone()
    }

    /// Returns the events sent by any process.
    pub(super) fn seen(&self) -> Vec<WireEvent> {
        self.seen.borrow().clone()
    }
}
