//! The events of an investigation, as every engine gives its own.

use engine::Told;
use kernel::Millis;
use platform::events::{EventKinds, WireEvent};

use crate::machine::Investigation;
use crate::stored::InvestigationEngine;

use super::event::wire_event;
use super::interrupted::interrupted_event;
use super::kinds::KINDS;

impl Told for InvestigationEngine {
    const KINDS: EventKinds = KINDS;

    fn next_event(
        state: &mut Investigation,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = state.next_notice()?;
        Some(wire_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_event(run, number, now, stored)
    }
}
