//! A survey: one query, and the processing of its photos.
//!
//! Several photos are processed at a time, none twice, and none over the budget. Some photos are deferred: they come
//! after the other photos of their search, concurrently with the next search, which is chosen without waiting for them:
//!
//! - The last photo of each of the first searches that name two people, because another photo often proves the pair,
//!   and a recognition sent meanwhile would be wasted.
//! - A photo for which the photos in flight leave no slot, because the next search would wait for it.
//!
//! At most one photo of each search is deferred, because a photo that was not looked at cannot inform the choice of the
//! next search.

use std::collections::VecDeque;
use std::rc::Rc;

use domain::Hit;
use kernel::CommandId;

use crate::machine::budget::{Budget, CallKind, Permission};
use crate::machine::facts::{Facts, ListKey, PhotoMemory, Place, SearchSight, Subject};
use crate::machine::interface::{Action, Fetched, Reason};

use super::{Policy, Purpose, Scheduler, UNDER_WAY_MAX};

/// The number of a survey, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurveyNumber(pub u32);

/// A photo of a survey.
#[derive(Debug, Clone)]
pub struct SurveyPhoto {
    /// The search result. It is shared, because its texts are long and several owners need it.
    pub hit: Rc<Hit>,
    /// The photo's number from 1, in the order of the search's answer.
    pub number: usize,
    /// Whether the photo comes after the other photos of its search, concurrently with the next search.
    pub is_deferred: bool,
}

impl SurveyPhoto {
    pub fn url(&self) -> &str {
        &self.hit.image_url
    }
}

/// The next step with a photo.
#[derive(Debug, Clone)]
pub enum PhotoStep {
    Fetch(SurveyPhoto),
    Recognise {
        photo: SurveyPhoto,
        fetched: Fetched,
        fetched_by: CommandId,
    },
}

impl PhotoStep {
    pub fn photo(&self) -> &SurveyPhoto {
        let (Self::Fetch(photo) | Self::Recognise { photo, .. }) = self;
        photo
    }
}

/// The stage of a survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The survey's search is not answered yet.
    Searching,
    /// The survey's photos are looked at. Deferred ones are included once they are released.
    Looking { is_released: bool },
    /// The survey's photos are no longer needed.
    Dropped,
}

/// A query and its photos.
#[derive(Debug, Clone)]
pub struct Survey {
    number: SurveyNumber,
    list: ListKey,
    named: Vec<Subject>,
    /// The place in the search where the survey was begun.
    place: Place,
    /// The two people whom the survey should show together.
    wanted: Option<(Subject, Subject)>,
    steps: VecDeque<PhotoStep>,
    photos_in_all: usize,
    calls_under_way: usize,
    /// What the survey has shown so far. Photos that were not or could not be looked at are no evidence that two people
    /// are not together.
    seen: SearchSight,
    /// Whether a search was sent for the survey, and its answer was neither lost nor unreadable.
    counts_as_search: bool,
    stage: Stage,
    /// Whether a slot was still free after the last of the survey's photos was begun. If none was, the next search
    /// waits for all of these photos, because the slot of a single finished photo is no reason to begin a search.
    left_a_slot: bool,
}

impl Survey {
    fn new(number: SurveyNumber, list: ListKey, named: Vec<Subject>, place: Place) -> Self {
        Self {
            number,
            list,
            named,
            place,
            wanted: None,
            steps: VecDeque::new(),
            photos_in_all: 0,
            calls_under_way: 0,
            seen: SearchSight::Nothing,
            counts_as_search: false,
            stage: Stage::Searching,
            left_a_slot: false,
        }
    }

    /// Creates a survey of photos that a query found before.
    pub fn of_known(
        number: SurveyNumber,
        list: ListKey,
        named: Vec<Subject>,
        place: Place,
        hits: Vec<Hit>,
    ) -> Self {
        let mut survey = Self::new(number, list, named, place);
        survey.take_hits(hits);
        survey
    }

    /// Creates a survey whose search is sent now.
    pub fn of_search(
        number: SurveyNumber,
        list: ListKey,
        named: Vec<Subject>,
        place: Place,
    ) -> Self {
        Self {
            counts_as_search: true,
            calls_under_way: 1,
            ..Self::new(number, list, named, place)
        }
    }

    /// Sets the two people whom the survey's photos should show together.
    pub fn wanting(self, wanted: Option<(Subject, Subject)>) -> Self {
        Self { wanted, ..self }
    }

    pub fn take_hits(&mut self, hits: Vec<Hit>) {
        self.photos_in_all = hits.len();
        let photos = (1..).zip(hits).map(|(number, hit)| SurveyPhoto {
            hit: Rc::new(hit),
            number,
            is_deferred: false,
        });
        self.stage = Stage::Looking { is_released: false };
        self.steps = photos.map(PhotoStep::Fetch).collect();
        self.left_a_slot = self.steps.is_empty();
    }

    /// Notes that the survey's search found photos, whether or not they are looked at.
    pub fn note_found(&mut self, sight: SearchSight) {
        if self.seen == SearchSight::Nothing {
            self.seen = sight;
        }
    }

    pub fn number(&self) -> SurveyNumber {
        self.number
    }

    pub fn query(&self) -> &str {
        &self.list.query
    }

    /// Notes which image search has answered.
    pub fn note_source(&mut self, source: usize) {
        self.list.source = source;
    }

    /// Returns the query and the image search that is asked.
    pub fn list(&self) -> &ListKey {
        &self.list
    }

    pub fn named(&self) -> &[Subject] {
        &self.named
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn wanted(&self) -> Option<(Subject, Subject)> {
        self.wanted
    }

    pub fn photos_in_all(&self) -> usize {
        self.photos_in_all
    }

    /// Returns whether a search was sent for the survey, and its answer was neither lost nor unreadable.
    pub fn counts_as_search(&self) -> bool {
        self.counts_as_search
    }

    /// Returns what the survey has shown of the people whom it names; `None` if no search was sent for it, if its
    /// answer was lost or unreadable, or if its photos are no longer needed.
    pub fn sight(&self) -> Option<SearchSight> {
        if !self.counts_as_search || self.is_dropped() {
            return None;
        }
        Some(self.seen)
    }

    /// Returns the survey's steps that are left to take, in order.
    pub fn steps(&self) -> impl Iterator<Item = &PhotoStep> {
        self.steps.iter()
    }

    pub fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns the number of the survey's photos that were begun.
    pub fn photos_begun(&self) -> usize {
        self.photos_in_all.saturating_sub(self.steps.len())
    }

    pub fn calls_under_way(&self) -> usize {
        self.calls_under_way
    }

    pub fn is_over(&self) -> bool {
        self.calls_under_way == 0 && self.steps.is_empty()
    }

    pub fn is_dropped(&self) -> bool {
        self.stage == Stage::Dropped
    }

    /// Returns whether the survey's search is not answered yet.
    pub fn is_searching(&self) -> bool {
        self.stage == Stage::Searching
    }

    /// Notes that one of the survey's calls is sent.
    pub fn begin_call(&mut self) {
        self.calls_under_way += 1;
    }

    /// Notes that one of the survey's calls was answered or lost.
    pub fn end_call(&mut self) {
        self.calls_under_way = self.calls_under_way.saturating_sub(1);
    }

    /// Notes that one of the survey's photos was looked at.
    pub fn note_looked(&mut self) {
        self.seen = SearchSight::Photos;
    }

    /// Notes that the survey's answer was lost or unreadable, and so proves nothing about the people whom the query
    /// names.
    pub fn note_unanswered(&mut self) {
        self.counts_as_search = false;
    }

    /// Defers this photo, if it is not fetched yet.
    pub fn defer(&mut self, url: &str) {
        for step in &mut self.steps {
            if let PhotoStep::Fetch(photo) = step {
                photo.is_deferred |= photo.hit.image_url == url;
            }
        }
    }

    /// Releases the deferred photos.
    pub fn release(&mut self) {
        if let Stage::Looking { is_released } = &mut self.stage {
            *is_released = true;
        }
    }

    fn is_released(&self) -> bool {
        self.stage == Stage::Looking { is_released: true }
    }

    /// Returns whether a step waits for what the survey's other photos show.
    pub fn is_deferred(&self, step: &PhotoStep) -> bool {
        step.photo().is_deferred && !self.is_released()
    }

    pub fn has_deferred(&self) -> bool {
        self.steps.iter().any(|step| self.is_deferred(step))
    }

    /// Returns whether another search may begin before the survey ends: either all of the survey's photos are begun and
    /// leave a slot, or those that were deferred for that search are released.
    pub fn leaves_a_slot(&self) -> bool {
        self.is_released() || (self.left_a_slot && self.steps.is_empty())
    }

    /// Removes a step. For the last photo, notes whether a slot stays free.
    pub fn take_step(&mut self, index: usize, leaves_a_slot: bool) -> Option<PhotoStep> {
        let step = self.steps.remove(index)?;
        if let (PhotoStep::Fetch(_), true) = (&step, self.steps.is_empty()) {
            self.left_a_slot = leaves_a_slot;
        }
        Some(step)
    }

    /// Queues a fetched photo for the recogniser, before all photos not fetched yet.
    pub fn queue_for_recogniser(
        &mut self,
        photo: SurveyPhoto,
        fetched: Fetched,
        fetched_by: CommandId,
    ) {
        if self.is_dropped() {
            return;
        }
        let index = self.photos_waiting();
        let step = PhotoStep::Recognise {
            photo,
            fetched,
            fetched_by,
        };
        self.steps.insert(index, step);
    }

    /// Returns the number of the survey's fetched photos that wait for the recogniser. They come before photos to
    /// fetch.
    pub fn photos_waiting(&self) -> usize {
        let is_waiting = |step: &&PhotoStep| matches!(step, PhotoStep::Recognise { .. });
        self.steps.iter().take_while(is_waiting).count()
    }

    /// Drops the survey's steps that are not begun. Answers to calls in flight are still noted.
    pub fn drop_steps(&mut self) {
        self.stage = Stage::Dropped;
        self.steps.clear();
    }

    /// Returns whether the photo fetched by this command waits for the recogniser.
    pub fn has_photo(&self, by: CommandId) -> bool {
        self.has_waiting(|_, fetched_by| fetched_by == by)
    }

    /// Returns whether a photo for which `is_meant` returns true waits for the recogniser.
    pub fn has_waiting(&self, is_meant: impl Fn(&SurveyPhoto, CommandId) -> bool) -> bool {
        self.steps.iter().any(|step| match step {
            PhotoStep::Recognise {
                photo, fetched_by, ..
            } => is_meant(photo, *fetched_by),
            PhotoStep::Fetch(_) => false,
        })
    }
}

/// The most photos that are being fetched, wait for the recogniser, or are being recognised. It is limited because
/// their bytes are in memory.
const PHOTOS_IN_HAND_MAX: usize = UNDER_WAY_MAX;

/// The most slots for the photos of one search while another search is in flight: the greater half of all slots.
const SLOTS_BESIDE_A_SEARCH: usize = UNDER_WAY_MAX.div_ceil(2);

/// If searches have named more pairs than this and none was proven, the next pair is unlikely to be proven.
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
    /// The budget allows no further photo, and no call is in flight that could still complete a chain.
    Refused(Reason),
}

impl Scheduler {
    /// Takes the next step of a survey that can go on.
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

    /// Returns the positions of the surveys with something to do. They take turns, because one photo of each side joins
    /// the sides sooner than two photos of one side. The survey with the fewest photos begun comes first; among equals,
    /// the oldest.
    fn turns(&self) -> Vec<usize> {
        let surveys = self.surveys.iter().enumerate();
        let mut turns: Vec<(usize, usize)> = surveys
            .filter(|(_, survey)| survey.has_steps())
            .map(|(position, survey)| (survey.photos_begun(), position))
            .collect();
        turns.sort_unstable();
        turns.into_iter().map(|(_, position)| position).collect()
    }

    /// Takes the next step of a survey: the first of the survey's photos that no other call is processing. With
    /// `deferred`, only deferred photos are considered, otherwise only photos that are not deferred.
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

    /// Returns whether the step's photo, or the photo that it copies, is already being processed. Waiting for that
    /// result avoids paying twice.
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

    /// Returns whether a photo may be fetched: only if the budget also allows its recognition, or if its recognition is
    /// remembered.
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

    /// Defers the last new photo of a survey, before any of the survey's photos is fetched, if that saves time or
    /// money.
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
    /// before that photo is processed, because a search takes longer than a photo.
    pub fn any_at_its_last(&self) -> bool {
        (self.surveys.iter()).any(|survey| self.is_at_its_last(survey))
    }

    /// Returns whether only deferred photos of a survey are left.
    pub(super) fn is_at_its_last(&self, survey: &Survey) -> bool {
        survey.has_deferred() && !self.waits_for_others(survey)
    }

    /// Returns whether a deferred step may be taken now: it only fetches, which costs nothing, or no survey waits any
    /// more for photos that are not deferred. It may also be taken if nothing is in flight, because another survey may
    /// be waiting for the same photo.
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
            Purpose::Plan { .. } | Purpose::Capture { .. } | Purpose::Lives | Purpose::Recall => {
                false
            }
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
