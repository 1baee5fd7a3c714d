//! Photos that come after the others of their search, beside the next search.
//!
//! The next search is chosen without them, so that it is not kept waiting:
//!
//! - The last photo of the first searches that name two people: one of the others often proves the
//!   pair, and what is with the recogniser then is in vain.
//! - A photo that finds no slot beside those under way: the others would all wait for it.
//!
//! At most one of each search is deferred: what is not seen yet can't help to choose.

use crate::machine::facts::Facts;

use super::call::Purpose;
use super::policy::Policy;
use super::survey::{PhotoStep, Survey, SurveyNumber};
use super::{Scheduler, UNDER_WAY_MAX};

/// The number of named pairs after which, if none was proven, the next one is not likely to be.
const PAIRS_UNTIL_UNLIKELY: usize = 4;

impl Scheduler {
    /// Defers the last new photo of a survey, before any of them is fetched, where that is better.
    pub fn defer_last_of(&mut self, number: SurveyNumber, policy: &Policy, facts: &Facts) {
        if !policy.may_defer {
            return;
        }
        let finds_no_slot = self.photos_to_come(facts) > UNDER_WAY_MAX;
        let Some(survey) = self.survey(number) else {
            return;
        };
        let may_prove = survey.named().len() == 2 && policy.pairs_named <= PAIRS_UNTIL_UNLIKELY;
        let names_two = may_prove && new_steps(facts, survey).count() >= UNDER_WAY_MAX;
        let last = new_steps(facts, survey).last();
        let last = last.map(|step| step.photo().url().to_owned());
        if let Some(last) = last.filter(|_| names_two || finds_no_slot)
            && let Some(survey) = self.survey_mut(number)
        {
            survey.defer(&last);
        }
    }

    /// Returns the number of photos that are under way or want a slot.
    fn photos_to_come(&self, facts: &Facts) -> usize {
        let calls = self.calls.values();
        let under_way = calls.filter(|call| call.purpose.photo().is_some());
        let to_begin = self.surveys.iter().map(|survey| {
            new_steps(facts, survey)
                .filter(|step| !survey.is_deferred(step))
                .count()
        });
        under_way.count() + to_begin.sum::<usize>()
    }

    /// Releases what waits for nothing else when the next search is sent: it is looked at beside
    /// that search.
    pub(super) fn release_deferred(&mut self) {
        let at_last = self.surveys.iter().filter(|one| self.is_at_its_last(one));
        let at_last: Vec<SurveyNumber> = at_last.map(Survey::number).collect();
        for survey in &mut self.surveys {
            if at_last.contains(&survey.number()) {
                survey.release();
            }
        }
    }

    /// Returns whether some survey is *at its last*: of its photos only the deferred one is left.
    /// The next search is then sent before that photo is taken, since a search takes longer to bear
    /// fruit.
    pub fn any_at_its_last(&self) -> bool {
        (self.surveys.iter()).any(|survey| self.is_at_its_last(survey))
    }

    /// Returns whether all that is left of a survey is what it deferred.
    pub(super) fn is_at_its_last(&self, survey: &Survey) -> bool {
        survey.has_deferred() && !self.waits_for_others(survey)
    }

    /// Returns whether a step that its survey defers may be taken all the same: nothing else wants
    /// the slot, and what it waits for is here, or it only fetches, which costs nothing. With
    /// nothing under way, another survey may be waiting for this very photo.
    pub(super) fn may_take_deferred(&self, step: &PhotoStep, policy: &Policy) -> bool {
        matches!(step, PhotoStep::Fetch(_))
            || self.calls.is_empty()
            || !policy.may_defer
            || !(self.surveys.iter()).any(|survey| self.waits_for_others(survey))
    }

    /// Returns whether any photo of a survey that it does not defer is still to be seen.
    fn waits_for_others(&self, survey: &Survey) -> bool {
        let is_of_it = |purpose: &Purpose| match purpose {
            Purpose::Search { survey: number } => *number == survey.number(),
            Purpose::Fetch {
                survey: number,
                photo,
            }
            | Purpose::Recognise {
                survey: number,
                photo,
                ..
            } => *number == survey.number() && !photo.is_deferred,
            Purpose::Plan { .. } | Purpose::Capture { .. } | Purpose::Recall => false,
        };
        survey.steps().any(|step| !step.photo().is_deferred)
            || self.calls.values().any(|call| is_of_it(&call.purpose))
    }
}

/// Returns the steps that a survey still has to begin and that cost a call.
fn new_steps<'run>(
    facts: &'run Facts,
    survey: &'run Survey,
) -> impl Iterator<Item = &'run PhotoStep> {
    let is_new = |step: &&PhotoStep| facts.knowledge().photo_at(step.photo().url()).is_none();
    survey.steps().filter(is_new)
}
