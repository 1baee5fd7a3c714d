//! The changes that a search makes.

use crate::domain::{FailureKind, Hit, Provider, Side};
use crate::engines::investigation::machine::facts::Subject;
use crate::engines::investigation::machine::interface::Reason;
use crate::engines::investigation::machine::scheduler::{
    AnsweredSearch, NewSurvey, Policy, Survey, SurveyNumber,
};
use crate::engines::investigation::machine::state::{Move, State};
use crate::engines::investigation::machine::telling::counted;

use super::AnswerHandler;

/// The number of photos that must be tried in vain before none is tried any more.
const PHOTOS_UNREAD_MIN: u32 = 10;

impl AnswerHandler<'_> {
    /// Looks at what a search found. Once the end is decided, it only keeps what was found.
    pub fn take_search(&mut self, answered: AnsweredSearch) -> Option<Move> {
        let survey = answered.survey;
        match answered.result {
            Ok(hits) => {
                self.take_hits(survey, hits);
                None
            }
            Err(_) if self.state.is_ending() => None,
            Err(failure) if failure.kind == FailureKind::Malformed => {
                // The answer is paid for and lost: the search is not made again, and it proves
                // nothing.
                self.scheduler.note_unanswered(survey);
                self.note_unreadable_answer(Provider::Search, &failure)
            }
            Err(failure) if failure.kind == FailureKind::MalformedHandedOver => {
                // The answer is lost, too, but the next search is another provider's, of which it
                // says nothing.
                self.scheduler.note_unanswered(survey);
                let query = self.scheduler.survey(survey).map_or("", Survey::query);
                let line = format!("The answer to “{query}” could not be read.");
                self.status_of(survey, line);
                None
            }
            Err(failure) if failure.kind == FailureKind::HandedOver => {
                // The provider gave no answer, and the next one is asked the same.
                let is_sent = (self.scheduler).search_again(survey, answered.action, self.budget);
                if !is_sent {
                    self.scheduler.note_unanswered(survey);
                }
                None
            }
            Err(failure) => Some(self.end_with_failure(Provider::Search, &failure)),
        }
    }

    /// Notes that the answer to a search was lost and that the search may not be made again. It
    /// proves nothing.
    pub(super) fn lose_search(&mut self, survey: SurveyNumber) {
        self.scheduler.note_unanswered(survey);
        let query = self.scheduler.survey(survey).map_or("", Survey::query);
        let line = format!("The answer to “{query}” was lost; it may not be asked again.");
        self.status_of(survey, line);
    }

    fn take_hits(&mut self, number: SurveyNumber, mut hits: Vec<Hit>) {
        let policy = self.policy();
        hits.truncate(usize::try_from(policy.hits_per_search).unwrap_or(usize::MAX));
        let extent = self.scheduler.extent_of(&hits, &policy, self.facts);
        self.budget.note_readable_search();
        let looked_at = hits.get(..extent.looked_at).unwrap_or(&hits);
        let is_awaited = self.scheduler.take_hits(number, looked_at);
        let Some(survey) = self.scheduler.survey(number) else {
            return;
        };
        let query = survey.query().to_owned();
        if hits.is_empty() {
            self.status_of(number, format!("Nothing found for “{query}”."));
        }
        self.facts.note_hits(&query, hits, extent.looked_at);
        if is_awaited {
            (self.scheduler).defer_last_of(number, &policy, self.facts);
            self.look_at_leftovers(extent.missing, &policy);
        }
    }

    /// Looks at up to this many photos that earlier answers showed and nobody looked at, the most
    /// worthwhile first. It looks at none while a chain is polished, which is about certain pairs.
    fn look_at_leftovers(&mut self, photos: usize, policy: &Policy) {
        if photos == 0 || !matches!(self.state, State::Discovery | State::Choice { .. }) {
            return;
        }
        let mut missing = photos;
        for query in self.plan.queries_by_worth(self.facts) {
            if missing == 0 {
                return;
            }
            let Some(asked) = self.facts.knowledge().asked(&query) else {
                continue;
            };
            let hits = self.scheduler.new_of(asked.hits(), missing, self.facts);
            if hits.is_empty() {
                continue;
            }
            missing -= hits.len();
            let named = asked.named().to_vec();
            let count = counted(hits.len(), "more photo", "more photos");
            let place = self.place();
            let line = format!("Looking at {count} that “{query}” has found.");
            self.teller(place).status(line);
            let survey = NewSurvey {
                query,
                named,
                place,
                is_for_pair: false,
            };
            (self.scheduler).begin_leftovers(survey, &hits, policy, self.facts);
        }
    }

    /// Ends a survey. A typed name that enough photos have not shown is unknown, unless photos that
    /// were left over may still show it. An unknown name ends the run. So it does where there is no
    /// photo that could show a name, or where it seems that no photo can be looked at.
    pub fn end_survey(&mut self, survey: &Survey) -> Option<Move> {
        if let Some(sight) = survey.sight() {
            self.facts.note_search(survey.named(), sight);
        }
        let has_leftovers = |side: &Side| (self.scheduler).has_leftovers_of(Subject::Typed(*side));
        let unknown = self.facts.unknown_sides();
        let unfound = self.facts.unfound_sides();
        let is_over = !unknown.iter().chain(&unfound).all(has_leftovers);
        if is_over && !unknown.is_empty() {
            return Some(Move::fail(Reason::UnknownPerson));
        }
        let may_look = || (self.scheduler.surveys()).any(|other| !other.is_searching());
        let is_blind = self.is_blind() && !may_look();
        (is_over || is_blind).then(|| Move::fail(Reason::NoReadablePhotos))
    }

    /// Returns whether it seems that no photo can be looked at: none of three searches' photos
    /// could be, nor any other.
    pub(super) fn is_blind(&self) -> bool {
        self.facts.searches().saw_nothing()
            && self.budget.photos_looked() == 0
            && self.budget.photos_unread() >= PHOTOS_UNREAD_MIN
    }
}
