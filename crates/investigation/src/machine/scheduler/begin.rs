//! The beginning of surveys, and the answers to their searches.

use domain::Hit;
use kernel::CommandId;

use crate::machine::budget::{Budget, CallKind};
use crate::machine::facts::{Facts, ListKey, Place, Subject};
use crate::machine::interface::{Action, Fetched};

use super::Scheduler;
use super::call::Purpose;
use super::policy::Policy;
use super::survey::{Survey, SurveyNumber, SurveyPhoto};

/// A query to look into.
#[derive(Debug)]
pub struct NewSurvey {
    pub list: ListKey,
    pub named: Vec<Subject>,
    pub place: Place,
    /// Whether the two people who are named are to be seen together.
    pub is_for_pair: bool,
}

impl NewSurvey {
    fn wanted(&self) -> Option<(Subject, Subject)> {
        match self.named.as_slice() {
            [one, other] if self.is_for_pair => Some((*one, *other)),
            _ => None,
        }
    }
}

impl Scheduler {
    /// Sends a search for at most so many photos of a page.
    pub fn begin_search(&mut self, new: NewSurvey, action: Action, budget: &mut Budget) {
        self.release_deferred();
        let number = self.next_survey();
        let wanted = new.wanted();
        let survey = Survey::of_search(number, new.list, new.named, new.place);
        self.surveys.push(survey.wanting(wanted));
        self.send(action, Purpose::Search { survey: number }, budget);
    }

    /// Sends a search once more, for another provider to answer. Returns false where nobody waits
    /// for it any more, or nothing may be spent on it now.
    pub fn search_again(
        &mut self,
        number: SurveyNumber,
        action: Action,
        budget: &mut Budget,
    ) -> bool {
        let may_send =
            budget.refusal(CallKind::Search).is_none() && budget.left(CallKind::Search) > 0;
        let survey = self.survey_mut(number);
        match survey.filter(|survey| may_send && !survey.is_dropped()) {
            Some(survey) => {
                survey.begin_call();
                self.send(action, Purpose::Search { survey: number }, budget);
                true
            }
            None => false,
        }
    }

    /// Looks at photos again that a query has shown before.
    pub fn begin_known(&mut self, new: NewSurvey, hits: Vec<Hit>) {
        self.release_deferred();
        let number = self.next_survey();
        let wanted = new.wanted();
        let survey = Survey::of_known(number, new.list, new.named, new.place, hits);
        self.surveys.push(survey.wanting(wanted));
    }

    /// Looks at photos that an earlier query left over.
    pub fn begin_leftovers(
        &mut self,
        new: NewSurvey,
        hits: Vec<Hit>,
        policy: &Policy,
        facts: &Facts,
    ) {
        let number = self.next_survey();
        // What is remembered costs nothing, so that nothing is gained by another search in its place.
        let may_defer = !new.list.is_recalled();
        let survey = Survey::of_known(number, new.list, new.named, new.place, hits);
        self.surveys.push(survey);
        if may_defer {
            self.defer_last_of(number, policy, facts);
        }
    }

    fn next_survey(&mut self) -> SurveyNumber {
        self.last_survey = self.last_survey.saturating_add(1);
        SurveyNumber(self.last_survey)
    }

    /// Notes which image search has answered. Returns its list, and who is named.
    pub fn note_source(
        &mut self,
        number: SurveyNumber,
        source: usize,
    ) -> Option<(ListKey, Vec<Subject>)> {
        let survey = self.survey_mut(number)?;
        survey.note_source(source);
        Some((survey.list().clone(), survey.named().to_vec()))
    }

    /// Takes the part of a search's answer that is to be looked at. Returns whether somebody still
    /// waits for it.
    pub fn take_hits(&mut self, number: SurveyNumber, hits: Vec<Hit>) -> bool {
        self.search_yield.note_search();
        match self.survey_mut(number).filter(|one| !one.is_dropped()) {
            Some(survey) => {
                survey.take_hits(hits);
                true
            }
            None => false,
        }
    }

    /// Queues a fetched photo for the recogniser, before all that is still to be fetched.
    pub fn queue_for_recogniser(
        &mut self,
        number: SurveyNumber,
        photo: SurveyPhoto,
        fetched: Fetched,
        fetched_by: CommandId,
    ) {
        if let Some(survey) = self.survey_mut(number) {
            survey.queue_for_recogniser(photo, fetched, fetched_by);
        }
    }
}
