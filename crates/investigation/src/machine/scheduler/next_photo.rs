//! The choice of the next photo to process: several at a time, none twice, and none over the budget.
//!
//! Some photos are deferred: they come after the others of their search, concurrently with the next search, which is
//! chosen without waiting for them:
//!
//! - The last photo of the first searches that name two people: one of the others often proves the
//!   pair, and a recognition sent meanwhile would be wasted.
//! - A photo for which the photos in flight leave no slot: all others would wait for it.
//!
//! At most one photo of each search is deferred, since an unseen photo cannot inform the choice.

use crate::machine::budget::{Budget, CallKind, Permission};
use crate::machine::facts::{Facts, PhotoMemory};
use crate::machine::interface::{Action, Reason};

use super::calls::Purpose;
use super::survey::{PhotoStep, Survey, SurveyNumber, SurveyPhoto};
use super::{Policy, Scheduler, UNDER_WAY_MAX};

/// The most photos that are being fetched, waiting for the recogniser or being recognised: their bytes are in memory.
const PHOTOS_IN_HAND_MAX: usize = UNDER_WAY_MAX;

/// The most slots for the photos of one search while another is in flight: the greater half.
const SLOTS_BESIDE_A_SEARCH: usize = UNDER_WAY_MAX.div_ceil(2);

/// The number of named pairs after which, if none was proven, the next one is unlikely to be.
const PAIRS_UNTIL_UNLIKELY: usize = 4;

/// The outcome of a step with the surveys.
#[derive(Debug)]
pub enum SurveyStep {
    /// No step was taken: each survey waits for an answer.
    Wait,
    /// A call was sent.
    Sent,
    /// A survey has ended, and was removed.
    Over(Box<Survey>),
    /// A photo is already known, so nothing is paid for it.
    Known {
        survey: SurveyNumber,
        photo: SurveyPhoto,
        memory: PhotoMemory,
    },
    /// The next photo may never be paid for, and nothing in flight could end the run better.
    Refused(Reason),
}

impl Scheduler {
    /// Goes on with a survey that can.
    pub fn go_on(&mut self, policy: &Policy, facts: &Facts, budget: &mut Budget) -> SurveyStep {
        if let Some(over) = (self.surveys.iter()).position(|survey| self.is_over(survey)) {
            return SurveyStep::Over(Box::new(self.surveys.remove(over)));
        }
        if policy.is_frugal && !self.calls.is_empty() {
            return SurveyStep::Wait;
        }
        // Deferred photos come last.
        let turns = self.turns();
        for deferred in [false, true] {
            for &position in &turns {
                let next = self.go_on_with(position, deferred, policy, facts, budget);
                if !matches!(next, SurveyStep::Wait) {
                    return next;
                }
            }
        }
        SurveyStep::Wait
    }

    /// Returns whether a survey has ended. A dropped survey has ended when none of its calls is in flight.
    fn is_over(&self, survey: &Survey) -> bool {
        if survey.is_dropped() {
            let mut calls = self.calls.values();
            return !calls.any(|call| call.purpose.survey() == Some(survey.number()));
        }
        survey.is_over()
    }

    /// Returns the positions of the surveys with something to do. They take turns: the one with the fewest photos begun
    /// comes first, then the oldest, since one photo of each side joins the sides sooner than two of one.
    fn turns(&self) -> Vec<usize> {
        let surveys = self.surveys.iter().enumerate();
        let mut turns: Vec<(usize, usize)> = surveys
            .filter(|(_, survey)| survey.has_steps())
            .map(|(position, survey)| (survey.photos_begun(), position))
            .collect();
        turns.sort_unstable();
        turns.into_iter().map(|(_, position)| position).collect()
    }

    /// Takes the next step of a survey: the first of its photos that no other call is processing. With `deferred`, only
    /// its deferred photos are considered, otherwise only the others.
    fn go_on_with(
        &mut self,
        position: usize,
        deferred: bool,
        policy: &Policy,
        facts: &Facts,
        budget: &mut Budget,
    ) -> SurveyStep {
        let Some(survey) = self.surveys.get(position) else {
            return SurveyStep::Wait;
        };
        let is_meant = |step: &PhotoStep| {
            survey.is_deferred(step) == deferred
                && (!deferred || self.may_take_deferred(step, policy))
                && !self.is_in_hand(step, facts)
        };
        let found = survey.steps().enumerate().find(|(_, step)| is_meant(step));
        let Some((index, step)) = found else {
            return SurveyStep::Wait;
        };
        let known = match step {
            PhotoStep::Fetch(photo) => facts.knowledge().photo_at(photo.url()),
            PhotoStep::Recognise { fetched, .. } => facts.knowledge().photo_of(fetched),
        };
        let permission = match (known, step) {
            (Some(_), _) => Permission::Granted,
            (None, PhotoStep::Fetch(_)) => self.may_fetch(survey, budget),
            (None, PhotoStep::Recognise { .. }) => self.may_recognise(budget),
        };
        match permission {
            Permission::Granted => self.take((position, index), known, facts, budget),
            Permission::Later => SurveyStep::Wait,
            // The calls in flight may still complete a chain.
            Permission::Refused(_) if !self.calls.is_empty() => SurveyStep::Wait,
            Permission::Refused(reason) => SurveyStep::Refused(reason),
        }
    }

    fn take(
        &mut self,
        (position, index): (usize, usize),
        known: Option<PhotoMemory>,
        facts: &Facts,
        budget: &mut Budget,
    ) -> SurveyStep {
        let surveys = &self.surveys;
        let is_at_its_last = (surveys.get(position)).is_some_and(|one| self.is_at_its_last(one));
        let leaves_a_slot = self.calls.len() + 1 < UNDER_WAY_MAX;
        let Some(survey) = self.surveys.get_mut(position) else {
            return SurveyStep::Wait;
        };
        let Some(step) = survey.take_step(index, leaves_a_slot) else {
            return SurveyStep::Wait;
        };
        if is_at_its_last && matches!(step, PhotoStep::Recognise { .. }) {
            survey.release();
        }
        let number = survey.number();
        if let Some(memory) = known {
            let (PhotoStep::Fetch(photo) | PhotoStep::Recognise { photo, .. }) = step;
            return SurveyStep::Known {
                survey: number,
                photo,
                memory,
            };
        }
        survey.begin_call();
        self.begin(number, step, facts, budget);
        SurveyStep::Sent
    }

    /// Returns whether another call is processing the same photo, or the one that it copies. Waiting for that result
    /// avoids paying twice.
    fn is_in_hand(&self, step: &PhotoStep, facts: &Facts) -> bool {
        let mut purposes = self.calls.values().map(|call| &call.purpose);
        match step {
            PhotoStep::Fetch(photo) => {
                let is_same = |other: &SurveyPhoto| other.url() == photo.url();
                let mut surveys = self.surveys.iter();
                surveys.any(|survey| survey.has_waiting(|one, _| is_same(one)))
                    || purposes.any(|purpose| purpose.photo().is_some_and(is_same))
            }
            PhotoStep::Recognise { fetched, .. } => purposes.any(|purpose| match purpose {
                Purpose::Recognise { fetched: other, .. } => {
                    facts.knowledge().is_shown_by(fetched, &other.digest)
                }
                _ => false,
            }),
        }
    }

    fn begin(&mut self, survey: SurveyNumber, step: PhotoStep, facts: &Facts, budget: &mut Budget) {
        match step {
            PhotoStep::Fetch(photo) => {
                self.search_yield.note_new_photo();
                let may_convert = budget.may_convert();
                let action = match facts.knowledge().unseen_photo(photo.url()) {
                    Some((sides, place)) => Action::FetchKnown {
                        sides: Box::new(sides.clone()),
                        place,
                        may_convert,
                    },
                    None => Action::Fetch {
                        image_url: photo.hit.image_url.clone(),
                        original_url: photo.hit.original_url.clone(),
                        thumbnail_url: photo.hit.thumbnail_url.clone(),
                        may_convert,
                    },
                };
                self.send(action, Purpose::Fetch { survey, photo }, budget);
            }
            PhotoStep::Recognise {
                photo,
                fetched,
                fetched_by,
            } => {
                let purpose = Purpose::Recognise {
                    survey,
                    photo,
                    fetched,
                };
                self.send(Action::Recognise { fetched_by }, purpose, budget);
            }
        }
    }

    /// Returns whether a photo may be fetched: only if it may be recognised, too, or its answer is remembered.
    fn may_fetch(&self, survey: &Survey, budget: &Budget) -> Permission {
        let is_free = survey.list().is_recalled();
        if is_free && budget.time_left_ms() == 0 {
            return Permission::Refused(Reason::RuntimeBudget);
        }
        if !is_free && let Some(reason) = budget.refusal(CallKind::Recognition) {
            return Permission::Refused(reason);
        }
        let unspent = usize::try_from(budget.unspent(CallKind::Recognition)).unwrap_or(usize::MAX);
        let has_free_slot = self.has_free_slot() && !self.leaves_slots_to_others(survey);
        let has_room = self.photos_in_hand() < PHOTOS_IN_HAND_MAX;
        if has_free_slot && has_room && (is_free || self.photos_unpaid() < unspent) {
            Permission::Granted
        } else {
            Permission::Later
        }
    }

    fn may_recognise(&self, budget: &Budget) -> Permission {
        match budget.permission_to_recognise(self.photos_unpaid()) {
            Permission::Granted if !self.has_free_slot() => Permission::Later,
            permission => permission,
        }
    }

    /// Returns whether a survey leaves the remaining slots to the photos of another search in flight.
    fn leaves_slots_to_others(&self, survey: &Survey) -> bool {
        survey.calls_under_way() >= SLOTS_BESIDE_A_SEARCH
            && self.surveys.iter().any(Survey::is_searching)
    }

    /// Defers the last new photo of a survey, before any of them is fetched, if that is better.
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
        let last = new_steps(facts, survey)
            .last()
            .map(|step| step.photo().url().to_owned());
        if let Some(last) = last.filter(|_| names_two || finds_no_slot)
            && let Some(survey) = self.survey_mut(number)
        {
            survey.defer(&last);
        }
    }

    /// Returns the number of photos that are in flight or need a slot.
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

    /// Releases the deferred photos that wait only for the next search, once it is sent.
    pub(super) fn release_deferred(&mut self) {
        let at_last: Vec<SurveyNumber> = self
            .surveys
            .iter()
            .filter(|one| self.is_at_its_last(one))
            .map(Survey::number)
            .collect();
        for survey in &mut self.surveys {
            if at_last.contains(&survey.number()) {
                survey.release();
            }
        }
    }

    /// Returns whether some survey is *at its last*: only its deferred photo is left. The next search is then sent
    /// before that photo is taken, since a search takes longer.
    pub fn any_at_its_last(&self) -> bool {
        (self.surveys.iter()).any(|survey| self.is_at_its_last(survey))
    }

    /// Returns whether only deferred photos of a survey are left.
    pub(super) fn is_at_its_last(&self, survey: &Survey) -> bool {
        survey.has_deferred() && !self.waits_for_others(survey)
    }

    /// Returns whether a deferred step may be taken nevertheless: nothing else needs the slot, and what it waits for
    /// has arrived, or it only fetches, which costs nothing. With nothing in flight, another survey may be waiting for
    /// this very photo.
    pub(super) fn may_take_deferred(&self, step: &PhotoStep, policy: &Policy) -> bool {
        matches!(step, PhotoStep::Fetch(_))
            || self.calls.is_empty()
            || !policy.may_defer
            || !(self.surveys.iter()).any(|survey| self.waits_for_others(survey))
    }

    /// Returns whether the survey still waits for a photo that is not deferred.
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

/// Returns the steps of a survey that are not begun and cost a call.
fn new_steps<'run>(
    facts: &'run Facts,
    survey: &'run Survey,
) -> impl Iterator<Item = &'run PhotoStep> {
    let is_new = |step: &&PhotoStep| facts.knowledge().photo_at(step.photo().url()).is_none();
    survey.steps().filter(is_new)
}
