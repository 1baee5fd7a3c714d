//! The task of finding a chain between two people, by a run of another engine.

use serde_json::json;

use crate::machine::graph::ChildKind;
use crate::machine::interface::{Action, InvestigateCall, Outcome};
use crate::machine::notice::NoticeKind;

use super::context::{Step, TaskContext};

/// A task that waits for a run of another engine.
#[derive(Debug, Clone)]
pub struct ChildTask {
    call: InvestigateCall,
}

impl ChildTask {
    pub(super) fn new(call: InvestigateCall) -> Self {
        Self { call }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        let InvestigateCall {
            person_a, person_b, ..
        } = &self.call;
        context.told.push(NoticeKind::Child {
            kind: ChildKind::Chain,
            run: None,
            message: format!("Looks for a chain from {person_a} to {person_b}."),
        });
        Step::Do(Action::Investigate(self.call.clone()))
    }

    pub(super) fn resume(outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        let Outcome::Investigated(end) = outcome else {
            return Step::misfit();
        };
        match end {
            Ok(end) => {
                let hops = end.path.len().saturating_sub(1);
                let value = json!({
                    "found": !end.path.is_empty(),
                    "hops": hops,
                    "path": end.path,
                    "run": end.run,
                    "message": end.message,
                });
                context.told.push(NoticeKind::Child {
                    kind: ChildKind::Chain,
                    run: Some(end.run),
                    message: end.message,
                });
                Step::Done(value)
            }
            Err(failure) => {
                context.told.push(NoticeKind::Child {
                    kind: ChildKind::Chain,
                    run: failure.run,
                    message: failure.message.clone(),
                });
                Step::failed(failure.message)
            }
        }
    }
}
