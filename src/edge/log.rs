//! A run's events: kept in the object's `SQLite` first, shown to every viewer after that.
//!
//! Viewers have no queue of their own: each reads the one log at its own pace, so that a slow
//! viewer costs nothing and none can miss or repeat an event.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::Stream;
use futures::future::{Either, select};
use worker::{Delay, Result, SqlStorage, SqlStorageValue};

use crate::events::{HEARTBEAT, RETRY, WireEvent, frame};

use super::bell::Bell;

/// A comment is sent after this silence, in milliseconds.
const SILENCE_MS_MAX: u64 = 15_000;

/// An event as it is kept.
#[derive(Debug, Clone)]
struct Kept {
    frame: Rc<str>,
    json: Rc<str>,
}

/// The events of one run, in order.
#[derive(Debug, Default)]
pub(super) struct Log {
    events: RefCell<Vec<Kept>>,
    is_ended: Cell<bool>,
    bell: Bell,
}

impl Log {
    /// The stored events of a run, if any.
    pub(super) fn load(sql: &SqlStorage, run: &str) -> Result<Self> {
        sql.exec(
            "CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, \
             json TEXT NOT NULL)",
            None,
        )?;
        let log = Self::default();
        let rows = sql.exec(
            "SELECT number, kind, json FROM events ORDER BY number",
            None,
        )?;
        for row in rows.raw() {
            if let Some(event) = stored_event(run, row?) {
                log.take_in(&event);
            }
        }
        Ok(log)
    }

    /// Keeps an event, then shows it.
    pub(super) fn publish(&self, sql: &SqlStorage, event: &WireEvent) -> Result<()> {
        sql.exec(
            "INSERT INTO events (number, kind, json) VALUES (?, ?, ?)",
            vec![
                i64::from(event.number).into(),
                event.kind.into(),
                event.json.as_str().into(),
            ],
        )?;
        self.take_in(event);
        self.bell.ring();
        Ok(())
    }

    /// Ends with this event even where it cannot be kept: nobody shall wait for ever.
    pub(super) fn end(&self, sql: &SqlStorage, event: &WireEvent) {
        if self.publish(sql, event).is_err() {
            self.take_in(event);
            self.bell.ring();
        }
    }

    fn take_in(&self, event: &WireEvent) {
        let kept = Kept {
            frame: frame(event).into(),
            json: event.json.as_str().into(),
        };
        self.events.borrow_mut().push(kept);
        self.is_ended.set(event.is_last);
    }

    /// Whether the last event is here.
    pub(super) fn is_ended(&self) -> bool {
        self.is_ended.get()
    }

    /// How many events there are.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.events.borrow().len()).unwrap_or(u32::MAX)
    }

    /// The JSON of all events, in order.
    pub(super) fn jsons(&self) -> Vec<Rc<str>> {
        self.events
            .borrow()
            .iter()
            .map(|event| event.json.clone())
            .collect()
    }

    /// The last event's JSON, once there is one.
    pub(super) async fn last(&self) -> Option<Rc<str>> {
        self.bell.wait_until(|| self.is_ended()).await;
        self.events.borrow().last().map(|event| event.json.clone())
    }

    fn frame(&self, number: u32) -> Option<Rc<str>> {
        let position = usize::try_from(number.checked_sub(1)?).ok()?;
        self.events
            .borrow()
            .get(position)
            .map(|event| event.frame.clone())
    }

    /// The stream of one viewer who has seen the events up to `after`.
    pub(super) fn view(self: Rc<Self>, after: u32) -> impl Stream<Item = Result<Vec<u8>>> {
        let start = View {
            log: self,
            next: after.saturating_add(1),
            greeted: false,
        };
        futures::stream::unfold(start, |mut view| async move {
            if !view.greeted {
                view.greeted = true;
                return Some((Ok(RETRY.as_bytes().to_vec()), view));
            }
            loop {
                if let Some(frames) = view.take_ready() {
                    return Some((Ok(frames), view));
                }
                if view.log.is_ended() {
                    return None;
                }
                let next = view.next;
                let log = view.log.clone();
                let news = log.bell.wait_until(|| log.len() >= next || log.is_ended());
                let silence = Delay::from(std::time::Duration::from_millis(SILENCE_MS_MAX));
                if let Either::Right(_) = select(std::pin::pin!(news), silence).await {
                    return Some((Ok(HEARTBEAT.as_bytes().to_vec()), view));
                }
            }
        })
    }
}

/// An event out of its row; none where the row is not one that was written here.
fn stored_event(run: &str, row: Vec<SqlStorageValue>) -> Option<WireEvent> {
    let mut columns = row.into_iter();
    let number = match columns.next()? {
        SqlStorageValue::Integer(number) => u32::try_from(number).ok()?,
        _ => return None,
    };
    let SqlStorageValue::String(kind) = columns.next()? else {
        return None;
    };
    let SqlStorageValue::String(json) = columns.next()? else {
        return None;
    };
    WireEvent::kept(run, number, &kind, json)
}

struct View {
    log: Rc<Log>,
    next: u32,
    greeted: bool,
}

impl View {
    /// All frames that are there by now, in one chunk.
    fn take_ready(&mut self) -> Option<Vec<u8>> {
        let mut frames = Vec::new();
        while let Some(frame) = self.log.frame(self.next) {
            frames.extend_from_slice(frame.as_bytes());
            self.next = self.next.saturating_add(1);
        }
        (!frames.is_empty()).then_some(frames)
    }
}
