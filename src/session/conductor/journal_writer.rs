//! Keeps a run's journal and events. A write that fails is tried again under its number; one that
//! took effect all the same is only replaced by itself.

use std::cell::Cell;

use crate::events::WireEvent;
use crate::journal::Entry;
use crate::session::effects::{Effects, WriteError};

/// Attempts of a write. They follow at once: the store is the object's own, and either works or
/// is gone.
const ATTEMPTS_MAX: u32 = 3;

/// The next numbers of a run's journal.
pub(super) struct Keeper<'run, E> {
    effects: &'run E,
    entries: Cell<u32>,
}

impl<'run, E: Effects> Keeper<'run, E> {
    /// After so many entries.
    pub(super) fn new(effects: &'run E, entries: u32) -> Self {
        Self {
            effects,
            entries: Cell::new(entries),
        }
    }

    /// Keeps an entry.
    pub(super) fn keep(&self, entry: &Entry) -> Result<(), WriteError> {
        let number = self.entries.get().saturating_add(1);
        let json = entry.to_json();
        again(|| self.effects.keep(number, &json))?;
        self.entries.set(number);
        Ok(())
    }

    /// Keeps and shows an event.
    pub(super) fn publish(&self, event: &WireEvent) -> Result<(), WriteError> {
        again(|| self.effects.publish(event.clone()))
    }
}

fn again(write: impl Fn() -> Result<(), WriteError>) -> Result<(), WriteError> {
    (0..ATTEMPTS_MAX)
        .map(|_| write())
        .find(Result::is_ok)
        .unwrap_or(Err(WriteError))
}
