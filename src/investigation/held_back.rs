//! Photos that come after the others of their search, beside the next search.
//!
//! The next search is chosen without them, so that it is not kept waiting:
//!
//! - The last photo of the first searches that name two people: one of the others often proves the
//!   pair, and what is with the recogniser then is in vain.
//! - A photo that finds no place beside those under way: the others would all wait for it.
//!
//! At most one of each search is held back: what is not seen yet can't help to choose.

use crate::domain::Pace;

use super::calls::{Purpose, UNDER_WAY_MAX};
use super::machine::{Investigation, Route, State};
use super::spend::{Kind, Permission};
use super::survey::{Step, Survey, SurveyNumber};

/// Once so many pairs were named and none was proven, the next one is not likely to be.
const PAIRS_UNTIL_UNLIKELY: usize = 4;

impl Investigation {
    /// Whether a photo may be held back: the next search is made beside it, so that no place is
    /// lost.
    pub(super) fn may_hold_back(&self) -> bool {
        matches!(self.route, Route::BothEnds(_))
            && self.request.limits.pace == Pace::Quick
            && !matches!(self.state, State::Direct { .. } | State::Polish { .. })
            && self.spend.permission(Kind::Search, self.now) == Permission::Granted
            && self.typed_pair().is_some()
            && !self.would_ask_planner()
    }

    /// Holds the last new photo of a survey back, before any of them is fetched, where that is
    /// better.
    pub(super) fn hold_back_of(&mut self, number: SurveyNumber) {
        if !self.may_hold_back() {
            return;
        }
        let under_way = self.calls.values();
        let under_way = under_way.filter(|call| call.purpose.photo().is_some());
        let to_begin = self.surveys.iter().map(|survey| {
            self.new_steps(survey)
                .filter(|step| !survey.is_held_back(step))
                .count()
        });
        let finds_no_place = under_way.count() + to_begin.sum::<usize>() > UNDER_WAY_MAX;
        let Some(survey) = self.survey(number) else {
            return;
        };
        let may_prove = survey.named.len() == 2 && self.pairs_named() <= PAIRS_UNTIL_UNLIKELY;
        let names_two = may_prove && self.new_steps(survey).count() >= UNDER_WAY_MAX;
        let last = self.new_steps(survey).last();
        let last = last.map(|step| step.photo().hit.image_url.clone());
        if let Some(last) = last.filter(|_| names_two || finds_no_place)
            && let Some(survey) = self.survey_mut(number)
        {
            survey.hold_back(&last);
        }
    }

    fn pairs_named(&self) -> usize {
        match &self.route {
            Route::BothEnds(route) => route.paired.len(),
            Route::OneSided(_) => 0,
        }
    }

    /// What a survey still has to begin that costs a call.
    fn new_steps<'plan>(&self, survey: &'plan Survey) -> impl Iterator<Item = &'plan Step> {
        let is_new = |step: &&Step| {
            let url = &step.photo().hit.image_url;
            self.knowledge.photo_at(url).is_none()
        };
        survey.steps.iter().filter(is_new)
    }

    /// The next search is sent: what waited for nothing else is looked at beside it.
    pub(super) fn release_held_back(&mut self) {
        let at_last = self.surveys.iter().filter(|one| self.is_at_its_last(one));
        let at_last: Vec<SurveyNumber> = at_last.map(|survey| survey.number).collect();
        for survey in &mut self.surveys {
            if at_last.contains(&survey.number) {
                survey.release();
            }
        }
    }

    /// Whether all that is left of a survey is what it held back.
    pub(super) fn is_at_its_last(&self, survey: &Survey) -> bool {
        survey.holds_back() && !self.waits_for_others(survey)
    }

    /// Whether a step that its survey holds back may be taken all the same: nothing else wants the
    /// place, and what it waits for is here, or it only fetches, which costs nothing. With nothing
    /// under way, another survey may be waiting for this very photo.
    pub(super) fn may_take_held_back(&self, step: &Step) -> bool {
        matches!(step, Step::Fetch(_))
            || self.calls.is_empty()
            || !self.may_hold_back()
            || !(self.surveys.iter()).any(|survey| self.waits_for_others(survey))
    }

    /// Whether any photo of a survey that it does not hold back is still to be seen.
    fn waits_for_others(&self, survey: &Survey) -> bool {
        let is_of_it = |purpose: &Purpose| match purpose {
            Purpose::Search { survey: number } => *number == survey.number,
            Purpose::Fetch {
                survey: number,
                photo,
            }
            | Purpose::Recognise {
                survey: number,
                photo,
                ..
            } => *number == survey.number && !photo.is_held_back,
            Purpose::Plan { .. } => false,
        };
        survey.steps.iter().any(|step| !step.photo().is_held_back)
            || self.calls.values().any(|call| is_of_it(&call.purpose))
    }
}
