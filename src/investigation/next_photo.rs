//! Which photo is taken in hand next: several at the same time, none twice, none past the budget.

use crate::domain::Pace;

use super::calls::{Call, Purpose, UNDER_WAY_MAX};
use super::command::Action;
use super::knowledge::PhotoMemory;
use super::machine::{Investigation, State};
use super::spend::{Kind, Permission};
use super::survey::{Photo, Step, Survey, SurveyNumber};

/// Photos that are fetched, wait for the recogniser or are recognised, at most: their bytes are
/// held.
const PHOTOS_IN_HAND_MAX: usize = UNDER_WAY_MAX;

impl Investigation {
    /// Goes on with the oldest survey that can. False where each waits for an answer.
    pub(super) fn step_surveys(&mut self) -> bool {
        if let Some(over) = self.surveys.iter().position(Survey::is_over) {
            let survey = self.surveys.remove(over);
            self.end_survey(&survey);
            return true;
        }
        let is_frugal = self.request.limits.pace == Pace::Frugal;
        let may_begin = !is_frugal || self.calls.is_empty();
        may_begin && (0..self.surveys.len()).any(|position| self.step_survey(position))
    }

    /// The first of a survey's photos that nobody has in hand already.
    fn step_survey(&mut self, position: usize) -> bool {
        let Some(survey) = self.surveys.get(position) else {
            return false;
        };
        let number = survey.number;
        let mut steps = survey.steps.iter().enumerate();
        let is_free = |step: &Step| !self.is_in_hand(step) && !self.is_held_back(survey);
        let Some((place, step)) = steps.find(|(_, step)| is_free(step)) else {
            return false;
        };
        let known = match step {
            Step::Fetch(photo) => self.knowledge.photo_at(&photo.hit.image_url),
            Step::Recognise { fetched, .. } => self.knowledge.photo_of(&fetched.digest),
        };
        let permission = match (known, step) {
            (Some(_), _) => Permission::Granted,
            (None, Step::Fetch(_)) => self.may_fetch(),
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
        let survey = self.surveys.get_mut(position)?;
        survey.leaves_a_place |= survey.has_held_back();
        let step = survey.steps.remove(place)?;
        if let (Step::Fetch(_), true) = (&step, survey.steps.is_empty()) {
            survey.leaves_a_place = survey.under_way + 1 < UNDER_WAY_MAX;
        }
        Some(step)
    }

    /// Whether a survey's last photo waits for what its others show.
    fn is_held_back(&self, survey: &Survey) -> bool {
        let is_fetch = |call: &Call| matches!(call.purpose, Purpose::Fetch { survey: number, .. } if number == survey.number);
        survey.holds_back()
            && survey.under_way > 0
            && survey.is_at_its_last()
            && self.may_hold_back()
            && !self.calls.values().any(is_fetch)
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
        let mut surveys = self.surveys.iter_mut();
        if let Some(survey) = surveys.find(|other| other.number == survey) {
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
    fn may_fetch(&self) -> Permission {
        let in_hand = self.photos_in_hand();
        if let Some(reason) = self.spend.refusal(Kind::Recognition, self.now) {
            return Permission::Refused(reason);
        }
        let unspent = self.spend.allowance(Kind::Recognition).unspent();
        let unspent = usize::try_from(unspent).unwrap_or(usize::MAX);
        if self.has_place() && in_hand < PHOTOS_IN_HAND_MAX && self.photos_unpaid() < unspent {
            Permission::Granted
        } else {
            Permission::Later
        }
    }

    fn may_recognise(&self) -> Permission {
        match self.spend.permission(Kind::Recognition, self.now) {
            Permission::Granted if !self.has_place() => Permission::Later,
            permission => permission,
        }
    }

    fn has_place(&self) -> bool {
        self.calls.len() < UNDER_WAY_MAX
    }
}
