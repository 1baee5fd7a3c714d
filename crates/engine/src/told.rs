//! The events that the runs of an engine tell their viewers.

use kernel::Millis;
use platform::events::{EventKinds, WireEvent};

use crate::machine::Machine;

/// A machine whose notices are told as events. The forms of the events are public, and pinned by
/// tests.
pub trait Told: Machine {
    /// The kinds of its events.
    const KINDS: EventKinds;

    /// Takes the oldest notice that was not told, as the run's event of this number.
    fn next_event(
        state: &mut Self::State,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>>;

    /// Returns the last event of a run that cannot go on. It has this number and comes after the
    /// `stored` ones.
    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent;
}
