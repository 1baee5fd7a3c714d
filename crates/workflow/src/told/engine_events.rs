//! The events of a workflow's run: the workflow engine's own part of what every engine gives.

use engine::Told;
use kernel::Millis;
use platform::events::{EventKinds, WireEvent};

use crate::machine::WorkflowRun;
use crate::stored::WorkflowEngine;

use super::event::workflow_event;
use super::interrupted::interrupted_workflow;
use super::kinds::WORKFLOW_KINDS;

impl Told for WorkflowEngine {
    const KINDS: EventKinds = WORKFLOW_KINDS;

    fn next_event(
        state: &mut WorkflowRun,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = state.next_notice()?;
        Some(workflow_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        _stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_workflow(run, number, now)
    }
}
