//! The view of a run: what can be seen of it without changing it.

use crate::machine::graph::Workflow;
use crate::machine::interface::Spent;
use crate::machine::notice::Ending;
use crate::machine::validation::Finding;
use crate::machine::values::Variables;

use super::{State, WorkflowRun};

impl WorkflowRun {
    /// Returns why a new run of the workflow is refused, though a stored one is executed. Returns `None`
    /// where it is not.
    #[must_use]
    pub fn refused(&self) -> Option<&Finding> {
        self.refused.as_ref()
    }

    /// Returns how the run ended. Returns `None` where it has not ended.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.state {
            State::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns what was spent until the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// Returns how long the run may take, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.budget.runtime_ms_max()
    }

    /// Returns the variables as they are.
    #[must_use]
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// Returns the workflow that is executed.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        self.routes.workflow()
    }

    /// Returns the number of events that were counted and not told.
    #[must_use]
    pub fn events_left_out(&self) -> u64 {
        self.trace.left_out()
    }
}
