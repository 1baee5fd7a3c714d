//! The parts of a run that a plan may look at but not change.

use super::budget::Budget;
use super::facts::Facts;
use super::scheduler::Scheduler;

/// The facts, the budget and what is under way, as of now.
#[derive(Debug, Clone, Copy)]
pub struct View<'run> {
    facts: &'run Facts,
    budget: &'run Budget,
    scheduler: &'run Scheduler,
}

impl<'run> View<'run> {
    pub fn new(facts: &'run Facts, budget: &'run Budget, scheduler: &'run Scheduler) -> Self {
        Self {
            facts,
            budget,
            scheduler,
        }
    }

    pub fn facts(self) -> &'run Facts {
        self.facts
    }

    pub fn budget(self) -> &'run Budget {
        self.budget
    }

    pub fn scheduler(self) -> &'run Scheduler {
        self.scheduler
    }
}
