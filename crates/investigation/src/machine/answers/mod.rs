//! The changes that an answer makes: what a photo, a search or the planner says.

mod advice;
mod begun_searches;
mod captures;
mod lost;
mod photos;
mod recalled;
mod searches;

use domain::{Failure, Provider};

use super::advice::Advice;
use super::budget::{Budget, RunError};
use super::facts::{Facts, Place};
use super::interface::Reason;
use super::plan::PlanMemory;
use super::scheduler::{Policy, Scheduler, Survey, SurveyNumber};
use super::state::{Move, State};
use super::telling::{Story, Teller};

/// The parts of the machine that an answer may change: everything but the state.
pub struct AnswerHandler<'run> {
    facts: &'run mut Facts,
    budget: &'run mut Budget,
    scheduler: &'run mut Scheduler,
    plan: &'run mut PlanMemory,
    advice: &'run mut Advice,
    story: &'run mut Story,
    state: &'run State,
}

impl<'run> AnswerHandler<'run> {
    pub fn new(
        facts: &'run mut Facts,
        budget: &'run mut Budget,
        scheduler: &'run mut Scheduler,
        plan: &'run mut PlanMemory,
        advice: &'run mut Advice,
        story: &'run mut Story,
        state: &'run State,
    ) -> Self {
        Self {
            facts,
            budget,
            scheduler,
            plan,
            advice,
            story,
            state,
        }
    }

    /// Notes an answer that cannot be read, which is no proof of anything. The third in a row ends
    /// the run.
    fn note_unreadable_answer(&mut self, provider: Provider, failure: &Failure) -> Option<Move> {
        if self.budget.note_unreadable_answer(provider) {
            return Some(self.end_with_failure(provider, failure));
        }
        if provider == Provider::Search {
            let place = self.place();
            self.teller(place).status(format!(
                "The image search gave no readable answer: {}.",
                failure.detail()
            ));
        }
        None
    }

    /// Ends the run because a provider stays down, unless the run's time is what ran out.
    fn end_with_failure(&self, provider: Provider, failure: &Failure) -> Move {
        if self.budget.time_left_ms() == 0 {
            Move::fail(Reason::RuntimeBudget)
        } else {
            Move::give_up(RunError::of_provider(provider, failure))
        }
    }

    /// Tells something of a survey, as of the place in the search where it was begun.
    fn status_of(&mut self, survey: SurveyNumber, line: String) {
        let place = self.scheduler.survey(survey).map(Survey::place);
        let place = place.unwrap_or_else(|| self.place());
        self.teller(place).status(line);
    }

    fn teller(&mut self, place: Place) -> Teller<'_> {
        Teller::new(self.story, self.facts, self.budget, place)
    }

    fn place(&self) -> Place {
        self.plan.place(self.state)
    }

    fn policy(&self) -> Policy {
        (self.plan).policy(self.state, self.facts, self.budget, self.advice)
    }
}
