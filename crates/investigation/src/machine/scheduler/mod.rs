//! The calls under way: surveys with their photos, and calls that wait for answers.
//!
//! At most [`UNDER_WAY_MAX`] calls are under way, and their answers are taken in the order of
//! asking. Photos of a search are fetched and recognised together, those of two searches in turn.
//! The last photo of the first searches for a pair, and one that finds no slot, come beside the
//! next search, which is chosen without them (`deferred_photo.rs`); a further search begins where a
//! slot would stay empty (`look_ahead.rs`). A search costs the same with ten photos as with one. So
//! photos that are not looked at are kept, and looked at where a later search shows too few
//! (`leftovers.rs`).
//!
//! The scheduler knows neither plans nor states: a [`Policy`] says what it may do.

mod begin;
mod call;
mod calls;
mod deferred_photo;
mod leftovers;
mod look_ahead;
mod lost_calls;
mod next_photo;
mod policy;
mod search_yield;
mod survey;

use std::collections::BTreeMap;

use domain::Hit;
use kernel::{CommandId, Outbox};

use super::facts::Subject;
use super::interface::{Action, Command, Fetched};
use call::PendingCall;
use search_yield::SearchYield;

pub use begin::NewSurvey;
pub use call::{
    AnsweredAdvice, AnsweredCall, AnsweredFetch, AnsweredPhoto, AnsweredSearch, Lost, Purpose,
};
pub use next_photo::SurveyStep;
pub use policy::{Beside, Policy};
pub use survey::{Survey, SurveyNumber, SurveyPhoto};

/// The most calls under way at the same time: so many requests of one Worker may wait for headers.
const UNDER_WAY_MAX: usize = 5;

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
}
