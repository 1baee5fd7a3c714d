//! Writes a run's journal and events. A write that fails is tried again under its number; a failed
//! write that took effect all the same is only replaced by itself.

use std::cell::Cell;

use platform::events::WireEvent;
use platform::{Effects, WriteError};

use crate::Engine;
use crate::journal::Entry;

/// The most attempts of a write. They follow at once: the store is the object's own, and either
/// works or is gone.
const ATTEMPTS_MAX: u32 = 3;

/// The journal of one run, and the number of its last entry.
pub struct JournalWriter<'run, E> {
    effects: &'run E,
    entries: Cell<u32>,
}

impl<'run, E: Effects> JournalWriter<'run, E> {
    /// Makes a writer that goes on after so many entries.
    pub(super) fn new(effects: &'run E, entries: u32) -> Self {
        Self {
            effects,
            entries: Cell::new(entries),
        }
    }

    /// Writes an entry under the next number.
    pub fn append<G: Engine>(&self, entry: &Entry<G>) -> Result<(), WriteError> {
        let number = self.entries.get().saturating_add(1);
        let json = entry.to_json();
        try_again(|| self.effects.keep(number, &json))?;
        self.entries.set(number);
        Ok(())
    }

    /// Stores an event and shows it.
    pub(super) fn publish(&self, event: &WireEvent) -> Result<(), WriteError> {
        try_again(|| self.effects.publish(event.clone()))
    }
}

fn try_again(write: impl Fn() -> Result<(), WriteError>) -> Result<(), WriteError> {
    (0..ATTEMPTS_MAX)
        .map(|_| write())
        .find(Result::is_ok)
        .unwrap_or(Err(WriteError))
}
