//! Which photo is taken in hand next: several at the same time, none twice, none past the budget.

use crate::domain::Pace;

use super::calls::{Purpose, UNDER_WAY_MAX};
use super::command::Action;
use super::knowledge::PhotoMemory;
use super::machine::{Investigation, State};
use super::spend::{Kind, Permission};
use super::survey::{Photo, Step, Survey, SurveyNumber};

/// Photos that are fetched, wait for the recogniser or are recognised, at most: their bytes are
/// held.
const PHOTOS_IN_HAND_MAX: usize = UNDER_WAY_MAX;
/// Places that the photos of one search take while another is under way: the greater half.
const PLACES_BESIDE_A_SEARCH: usize = UNDER_WAY_MAX.div_ceil(2);

impl Investigation {
    /// Goes on with a survey that can. False where each waits for an answer.
    pub(super) fn step_surveys(&mut self) -> bool {
        if let Some(over) = (self.surveys.iter()).position(|survey| self.is_over(survey)) {
            let survey = self.surveys.remove(over);
            self.end_survey(&survey);
            return true;
        }
        let is_frugal = self.request.limits.pace == Pace::Frugal;
        let may_begin = !is_frugal || self.calls.is_empty();
        may_begin && (self.step_any(false) || self.step_any(true))
    }

    /// Whether nothing more comes of a survey. Whatever became of the calls of a dropped one: those
    /// that are under way count.
    fn is_over(&self, survey: &Survey) -> bool {
        if survey.is_dropped() {
            let mut calls = self.calls.values();
            return !calls.any(|call| call.purpose.survey() == Some(survey.number));
        }
        survey.is_over()
    }

    /// Goes on with a survey that can: with what it holds back, or with all else. They take turns:
    /// the one of whose photos fewest are begun comes first, then the oldest, since a photo of each
    /// side joins them sooner than two of one.
    fn step_any(&mut self, held_back: bool) -> bool {
        let begun = |survey: &Survey| survey.photos_in_all.saturating_sub(survey.steps.len());
        let surveys = self.surveys.iter().enumerate();
        let mut turns: Vec<(usize, usize)> = surveys
            .filter(|(_, survey)| !survey.steps.is_empty())
            .map(|(position, survey)| (begun(survey), position))
            .collect();
        turns.sort_unstable();
        turns
            .into_iter()
            .any(|(_, position)| self.step_survey(position, held_back))
    }

    /// The first of a survey's photos that nobody has in hand already.
    fn step_survey(&mut self, position: usize, held_back: bool) -> bool {
        let Some(survey) = self.surveys.get(position) else {
            return false;
        };
        let number = survey.number;
        let mut steps = survey.steps.iter().enumerate();
        let is_meant = |step: &Step| {
            survey.is_held_back(step) == held_back && (!held_back || self.may_take_held_back(step))
        };
        let is_free = |step: &Step| is_meant(step) && !self.is_in_hand(step);
        let Some((place, step)) = steps.find(|(_, step)| is_free(step)) else {
            return false;
        };
        let known = match step {
            Step::Fetch(photo) => self.knowledge.photo_at(&photo.hit.image_url),
            Step::Recognise { fetched, .. } => self.knowledge.photo_of(&fetched.digest),
        };
        let permission = match (known, step) {
            (Some(_), _) => Permission::Granted,
            (None, Step::Fetch(_)) => self.may_fetch(survey),
            (None, Step::Recognise { .. }) => self.may_recognise(),
        };
        match permission {
            Permission::Granted => {}
            Permission::Later => return false,
            // What is under way may still lead to the end.
            Permission::Refused(_) if !self.calls.is_empty() => return false,
            Permission::Refused(reason) => {
                self.end_as(State::Failure(reason));
                return true;
            }
        }
        let Some(step) = self.take_step(position, place) else {
            return false;
        };
        match known {
            Some(memory) => self.on_known(number, &step, memory),
            None => self.begin(number, step),
        }
        true
    }

    fn take_step(&mut self, position: usize, place: usize) -> Option<Step> {
        let is_at_its_last =
            (self.surveys.get(position)).is_some_and(|one| self.is_at_its_last(one));
        let leaves_a_place = self.calls.len() + 1 < UNDER_WAY_MAX;
        let survey = self.surveys.get_mut(position)?;
        let step = survey.steps.remove(place)?;
        if is_at_its_last && matches!(step, Step::Recognise { .. }) {
            survey.release();
        }
        if let (Step::Fetch(_), true) = (&step, survey.steps.is_empty()) {
            survey.leaves_a_place = leaves_a_place;
        }
        Some(step)
    }

    /// Whether another has the same photo in hand: what it shows is waited for, not paid twice.
    fn is_in_hand(&self, step: &Step) -> bool {
        let mut purposes = self.calls.values().map(|call| &call.purpose);
        match step {
            Step::Fetch(photo) => {
                let is_same = |other: &Photo| other.hit.image_url == photo.hit.image_url;
                let is_waiting = |survey: &Survey| survey.has_waiting(|one, _| is_same(one));
                self.surveys.iter().any(is_waiting)
                    || purposes.any(|purpose| purpose.photo().is_some_and(is_same))
            }
            Step::Recognise { fetched, .. } => purposes.any(|purpose| match purpose {
                Purpose::Recognise { fetched: other, .. } => other.digest == fetched.digest,
                _ => false,
            }),
        }
    }

    fn on_known(&mut self, number: SurveyNumber, step: &Step, memory: PhotoMemory) {
        let photo = step.photo();
        self.knowledge
            .note_photo(&photo.hit.image_url, None, memory);
        if let PhotoMemory::Seen(reference) = memory {
            self.spend.photos.repeated += 1;
            self.on_photo_shown(number, photo.number, reference);
        }
    }

    fn begin(&mut self, survey: SurveyNumber, step: Step) {
        if let Some(survey) = self.survey_mut(survey) {
            survey.under_way += 1;
        }
        match step {
            Step::Fetch(photo) => {
                self.found.new_photos += 1;
                let action = Action::Fetch {
                    image_url: photo.hit.image_url.clone(),
                    thumbnail_url: photo.hit.thumbnail_url.clone(),
                };
                self.send(action, Purpose::Fetch { survey, photo });
            }
            Step::Recognise {
                photo,
                fetched,
                fetched_by,
            } => {
                let purpose = Purpose::Recognise {
                    survey,
                    photo,
                    fetched,
                };
                self.send(Action::Recognise { fetched_by }, purpose);
            }
        }
    }

    /// A photo is fetched only where it may be recognised too.
    fn may_fetch(&self, survey: &Survey) -> Permission {
        let in_hand = self.photos_in_hand();
        if let Some(reason) = self.spend.refusal(Kind::Recognition, self.now) {
            return Permission::Refused(reason);
        }
        let unspent = self.spend.allowance(Kind::Recognition).unspent();
        let unspent = usize::try_from(unspent).unwrap_or(usize::MAX);
        let has_place = self.has_place() && !self.leaves_places_to_others(survey);
        if has_place && in_hand < PHOTOS_IN_HAND_MAX && self.photos_unpaid() < unspent {
            Permission::Granted
        } else {
            Permission::Later
        }
    }

    fn may_recognise(&self) -> Permission {
        let sharers = self.photos_unpaid();
        match self.spend.permission_to_recognise(sharers, self.now) {
            Permission::Granted if !self.has_place() => Permission::Later,
            permission => permission,
        }
    }

    /// While another search is under way, places are kept for its photos.
    fn leaves_places_to_others(&self, survey: &Survey) -> bool {
        survey.under_way >= PLACES_BESIDE_A_SEARCH && self.surveys.iter().any(Survey::is_searching)
    }

    fn has_place(&self) -> bool {
        self.calls.len() < UNDER_WAY_MAX
    }
}
