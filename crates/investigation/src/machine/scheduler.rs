//! The calls under way: surveys with their photos, and calls that wait for answers.
//!
//! At most [`UNDER_WAY_MAX`] calls are under way, and their answers are taken in the order of
//! asking. Photos of a search are fetched and recognised together, those of two searches in turn
//! (`scheduler/next_photo.rs`). A further search begins while others are under way: soon enough that
//! no slot stays empty, and late enough that few searches are made which the photos of the others
//! would have shown to be needless.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So a policy may
//! ask for more than are looked at: the first that nobody has seen, since a known photo shows nothing
//! new. The rest is kept, and the best of it is looked at where a later search shows too few new
//! photos.
//!
//! The scheduler knows neither plans nor states: a [`Policy`] says what it may do.

mod calls;
mod next_photo;
mod survey;

use std::collections::BTreeMap;

use domain::{Hit, Limits, Pace};
use kernel::{CommandId, Outbox};

use super::budget::{Budget, CallKind, Permission};
use super::facts::{AskedQuery, Extent, Facts, ListKey, Place, Subject};
use super::interface::{Action, Command, Fetched};

use calls::PendingCall;
use survey::PhotoStep;

pub use calls::{
    AnsweredAdvice, AnsweredCall, AnsweredFetch, AnsweredPhoto, AnsweredSearch, Lost, Purpose,
};
pub use next_photo::SurveyStep;
pub use survey::{Survey, SurveyNumber, SurveyPhoto};

/// The most calls under way at the same time: so many requests of one Worker may wait for headers.
const UNDER_WAY_MAX: usize = 5;

/// The number of searches after which it is known how many new photos one brings.
const SEARCHES_UNTIL_KNOWN: u32 = 4;

/// The surveys and calls under way.
#[derive(Debug, Clone, Default)]
pub struct Scheduler {
    /// The searches under way or with photos to look at, the oldest first.
    surveys: Vec<Survey>,
    last_survey: u32,
    /// The commands whose answers are awaited.
    calls: BTreeMap<CommandId, PendingCall>,
    last_command: u32,
    /// The commands that nobody has taken yet.
    commands: Outbox<Command>,
    search_yield: SearchYield,
}

impl Scheduler {
    pub fn next_command(&mut self) -> Option<Command> {
        self.commands.take_next()
    }

    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    pub fn has_surveys(&self) -> bool {
        !self.surveys.is_empty()
    }

    pub fn surveys(&self) -> impl Iterator<Item = &Survey> {
        self.surveys.iter()
    }

    pub fn survey(&self, number: SurveyNumber) -> Option<&Survey> {
        self.surveys.iter().find(|survey| survey.number() == number)
    }

    fn survey_mut(&mut self, number: SurveyNumber) -> Option<&mut Survey> {
        let mut surveys = self.surveys.iter_mut();
        surveys.find(|survey| survey.number() == number)
    }

    /// Returns whether a survey under way names somebody.
    pub fn is_naming(&self, subject: Subject) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.named().contains(&subject))
    }

    /// Returns whether a survey under way names these two together.
    pub fn is_naming_both(&self, one: Subject, other: Subject) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.named().contains(&one) && survey.named().contains(&other))
    }

    /// Returns whether photos that earlier searches for somebody left over are looked at now.
    pub fn has_leftovers_of(&self, subject: Subject) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| !survey.counts_as_search() && survey.named().contains(&subject))
    }

    /// Returns whether the photo that a command fetched is still to be recognised.
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        let is_sent = |call: &PendingCall| call.action == Action::Recognise { fetched_by };
        self.calls.values().any(is_sent)
            || (self.surveys.iter()).any(|survey| survey.has_photo(fetched_by))
    }

    /// Returns the photo that a command sends to the recogniser, as it was found and as it came.
    pub fn photo_to_recognise(&self, command: CommandId) -> Option<(&Hit, &Fetched)> {
        match &self.calls.get(&command)?.purpose {
            Purpose::Recognise { photo, fetched, .. } => Some((&photo.hit, fetched)),
            _ => None,
        }
    }

    /// Notes that one photo of a survey was looked at.
    pub fn note_looked(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.survey_mut(number) {
            survey.note_looked();
        }
    }

    /// Notes that a survey's answer was lost or could not be read. It is no proof of anything.
    pub fn note_unanswered(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.survey_mut(number) {
            survey.note_unanswered();
        }
    }

    /// Drops a survey, since nobody waits any more for what it may still show.
    pub fn drop_survey(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.survey_mut(number) {
            survey.drop_steps();
        }
    }

    /// Drops all surveys, since nobody waits any more for what they may still show. The results of
    /// calls under way are noted when they come.
    pub fn drop_surveys(&mut self) {
        for survey in &mut self.surveys {
            survey.drop_steps();
        }
    }

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

    /// Returns whether the state may go on: with nothing else under way, or beside the photos of
    /// other searches, as the policy says.
    pub fn may_go_on(&self, policy: &Policy, budget: &Budget) -> bool {
        let is_planning = self.calls.values().any(|call| call.purpose.is_plan());
        if !self.has_free_slot() || is_planning {
            return false;
        }
        // A search under way, perhaps one that nobody waits for any more, may need the attempts
        // that are left.
        if budget.permission(CallKind::Search) == Permission::Later {
            return false;
        }
        let is_alone = self.others().next().is_none();
        is_alone
            || match policy.beside {
                Beside::Nothing => false,
                Beside::Anything => true,
                Beside::WhereSlotsAreLeft { surveys_max } => {
                    self.others().count() < surveys_max
                        && self.others().all(|survey| self.leaves_a_slot(survey))
                }
            }
    }

    fn leaves_a_slot(&self, survey: &Survey) -> bool {
        let searching = self.others().filter(|survey| survey.is_searching());
        survey.leaves_a_slot()
            || self.is_at_its_last(survey)
            || (survey.is_searching()
                && self.search_yield.fits(searching.count() + 1, UNDER_WAY_MAX))
    }

    fn others(&self) -> impl Iterator<Item = &Survey> {
        self.surveys.iter().filter(|survey| !survey.is_dropped())
    }

    /// Returns at which photos of an answer a search looks: at those new ones that are worth most, of
    /// equals at the first, as many as `photos` says. Known photos cost nothing, as far as it would
    /// look down the answer if all were worth the same.
    pub fn extent_of(
        &self,
        hits: &[Hit],
        photos: u32,
        facts: &Facts,
        worth: impl Fn(&Hit) -> f64,
    ) -> Extent {
        let photos = usize::try_from(photos).unwrap_or(usize::MAX);
        let mut new: Vec<(usize, f64)> = hits
            .iter()
            .enumerate()
            .filter(|(_, hit)| self.is_new(hit, facts))
            .map(|(place, hit)| (place, worth(hit)))
            .collect();
        let end = new.get(photos).map_or(hits.len(), |(place, _)| *place);
        let mut looked_at: Vec<bool> = (0..hits.len()).map(|place| place < end).collect();
        let mut look = |place: usize, is_looked_at: bool| {
            if let Some(known) = looked_at.get_mut(place) {
                *known = is_looked_at;
            }
        };
        for (place, _) in &new {
            look(*place, false);
        }
        new.sort_by(|(_, left), (_, right)| right.total_cmp(left));
        new.truncate(photos);
        for (place, _) in &new {
            look(*place, true);
        }
        Extent {
            looked_at,
            missing: photos - new.len(),
            new: new.len(),
        }
    }

    /// Returns the places of up to `count` photos that a query left over and that nobody has seen,
    /// or is about to.
    pub fn leftovers_of(&self, asked: &AskedQuery, count: usize) -> Vec<usize> {
        asked.leftovers(count, |hit| self.is_planned(hit))
    }

    /// Returns whether nobody has seen a photo, nor is about to.
    pub fn is_new(&self, hit: &Hit, facts: &Facts) -> bool {
        facts.knowledge().photo_at(&hit.image_url).is_none() && !self.is_planned(hit)
    }

    /// Returns whether a photo is about to be looked at.
    pub fn is_planned(&self, hit: &Hit) -> bool {
        let url = hit.image_url.as_str();
        let is_meant = |step: &PhotoStep| step.photo().url() == url;
        let mut surveys = self.surveys.iter();
        let mut photos = self.calls.values().filter_map(|call| call.purpose.photo());
        surveys.any(|survey| survey.steps().any(is_meant)) || photos.any(|photo| photo.url() == url)
    }
}

/// The searches that may begin beside those under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// No search: each begins alone.
    Nothing,
    /// Any search.
    Anything,
    /// A search up to this many surveys, where a slot would stay empty.
    WhereSlotsAreLeft { surveys_max: usize },
}

/// The rules for what may be under way together, in plain values as of now.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Whether photos are taken one at a time.
    pub is_frugal: bool,
    pub beside: Beside,
    /// Whether a photo may be deferred. The next search is made beside it, so that no slot is lost.
    pub may_defer: bool,
    /// The number of pairs of people that searches have named so far.
    pub pairs_named: usize,
}

impl Policy {
    /// Makes the policy of one search after the other, each with the photos that are looked at.
    //= spec S2 "num=5"
    pub fn one_at_a_time(limits: &Limits) -> Self {
        Self {
            is_frugal: limits.pace == Pace::Frugal,
            beside: Beside::Nothing,
            may_defer: false,
            pairs_named: 0,
        }
    }
}

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

/// The number of searches, and of the new photos that came of them.
#[derive(Debug, Clone, Copy, Default)]
struct SearchYield {
    searches: u32,
    new_photos: u32,
}

impl SearchYield {
    /// Notes that a search was answered.
    pub fn note_search(&mut self) {
        self.searches += 1;
    }

    /// Notes that a photo is fetched that nobody had seen before.
    pub fn note_new_photo(&mut self) {
        self.new_photos += 1;
    }

    /// Returns whether this many searches bring no more photos than there are slots, by what was
    /// seen so far.
    pub fn fits(self, searches: usize, slots: usize) -> bool {
        let slots = u32::try_from(slots).unwrap_or(u32::MAX);
        let searches = u32::try_from(searches).unwrap_or(u32::MAX);
        let photos = searches.saturating_mul(self.new_photos);
        self.searches >= SEARCHES_UNTIL_KNOWN && photos <= slots.saturating_mul(self.searches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_share_the_slots_once_it_is_known_what_they_bring() {
        let brought = |searches, new_photos| SearchYield {
            searches,
            new_photos,
        };
        assert!(brought(4, 10).fits(2, 5));
        assert!(!brought(4, 11).fits(2, 5));
        assert!(!brought(4, 10).fits(3, 5));
        assert!(!brought(3, 0).fits(2, 5), "too early to say");
    }
}
