//! What can be seen of a run without changing it.

use crate::engines::workflow::machine::graph::Workflow;
use crate::engines::workflow::machine::interface::{Ending, Spent};
use crate::engines::workflow::machine::values::Variables;

use super::{State, WorkflowRun};

impl WorkflowRun {
    /// How it ended, if it did.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.state {
            State::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    /// What was spent until the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// How long it may take, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.budget.runtime_ms_max()
    }

    /// The variables as they are.
    #[must_use]
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The workflow that is executed.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        self.routes.workflow()
    }

    /// Events that were counted and not told.
    #[must_use]
    pub fn events_left_out(&self) -> u64 {
        self.trace.left_out()
    }
}
