//! The events of an automaton's run: the automaton's own part of what every engine gives.

use engine::Told;
use kernel::Millis;
use platform::events::{EventKinds, WireEvent};

use crate::machine::AutomatonRun;
use crate::stored::AutomatonEngine;

use super::event::automaton_event;
use super::interrupted::interrupted_automaton;
use super::kinds::AUTOMATON_KINDS;

impl Told for AutomatonEngine {
    const KINDS: EventKinds = AUTOMATON_KINDS;

    fn next_event(
        state: &mut AutomatonRun,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = state.next_notice()?;
        Some(automaton_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        _stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_automaton(run, number, now)
    }
}
