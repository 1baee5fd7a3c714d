//! The effects of answers to searches and of the memory, and the searches that a state requests.

use domain::{FailureKind, FoundHits, Hit, Provider, RecalledPhoto, Side, SidesToConnect};

use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{Extent, ListKey, Query, Subject};
use crate::machine::interface::{Action, Reason};
use crate::machine::scheduler::{AnsweredSearch, NewSurvey, Policy, Survey, SurveyNumber};
use crate::machine::states::{Move, State, View};
use crate::machine::telling::counted;

use super::AnswerHandler;

/// The number of photos that must fail before the run gives up on photos.
const PHOTOS_UNREAD_MIN: u32 = 10;
/// The number of an answer's first hits that are reported even if known.
const REPEATED_SHOWN_MAX: usize = 10;

impl AnswerHandler<'_> {
    /// Looks at what a search found. Once the end is decided, only records it.
    pub fn take_search(&mut self, answered: AnsweredSearch) -> Option<Move> {
        let survey = answered.survey;
        match answered.result {
            Ok(found) => {
                self.take_found(survey, found, &answered.action);
                None
            }
            Err(_) if self.state.is_ending() => None,
            Err(failure) if failure.kind == FailureKind::Malformed => {
                // The answer is paid for and lost: the search is not repeated, and it proves nothing.
                self.scheduler.note_unanswered(survey);
                self.note_unreadable_answer(Provider::Search, &failure)
            }
            Err(failure) if failure.kind == FailureKind::MalformedHandedOver => {
                // This answer is lost, too, but the next search goes to another provider, about which it says nothing.
                self.scheduler.note_unanswered(survey);
                let query = self.scheduler.survey(survey).map_or("", Survey::query);
                let line = format!("The answer to “{query}” could not be read.");
                self.status_of(survey, line);
                None
            }
            Err(failure) if failure.kind == FailureKind::HandedOver => {
                // The provider gave no answer, so the next one is asked the same, unless it has already answered.
                let action = answered.action;
                let is_sent = !was_answered_elsewhere(&action)
                    && (self.scheduler).search_again(survey, action, self.budget);
                if !is_sent {
                    self.scheduler.note_unanswered(survey);
                }
                None
            }
            Err(failure) => Some(self.end_with_failure(Provider::Search, &failure)),
        }
    }

    /// Notes that the answer to a search was lost and that the search may not be repeated. It proves nothing.
    pub(super) fn lose_search(&mut self, survey: SurveyNumber) {
        self.scheduler.note_unanswered(survey);
        let query = self.scheduler.survey(survey).map_or("", Survey::query);
        let line = format!("The answer to “{query}” was lost; it may not be asked again.");
        self.status_of(survey, line);
    }

    /// Records what a search found, and looks at the first new photos. The image search that answered may be another
    /// than the one that was asked.
    fn take_found(&mut self, number: SurveyNumber, mut found: FoundHits, action: &Action) {
        let policy = self.policy();
        if let Action::Search { count, .. } = action {
            found
                .hits
                .truncate(usize::try_from(*count).unwrap_or(usize::MAX));
        }
        let source = self.facts.source_place(found.part.source.as_deref());
        self.budget.note_readable_search();
        let Some((list, named)) = self.scheduler.note_source(number, source) else {
            return;
        };
        if found.hits.is_empty() {
            let what = if found.part.page == 0 {
                "Nothing found"
            } else {
                "Nothing more found"
            };
            self.status_of(number, format!("{what} for “{}”.", list.query));
        }
        if let Action::Search { question, .. } = action {
            self.facts
                .note_query(&list, &named, question.wording, found.part.page);
        }
        let hits = found.hits.clone();
        self.facts.note_hits(&list, found);
        let worth = self.plan.photo_worth(self.facts);
        let photos = self.plan.photos_at_once(self.facts);
        let extent = (self.scheduler).extent_of(&hits, photos, self.facts, |hit| {
            worth
                .as_ref()
                .map_or(0.0, |worth| worth.worth_of(self.facts, hit))
        });
        let is_chosen = worth.is_some();
        self.facts.note_extent(&list, &extent);
        self.note_left(number, &extent, is_chosen);
        let looked_at = self.hits_to_show(&hits, &extent);
        let is_awaited = self.scheduler.take_hits(number, looked_at);
        if is_awaited {
            (self.scheduler).defer_last_of(number, &policy, self.facts);
            self.look_at_leftovers(extent.missing, &policy);
        }
    }

    /// Counts the photos of an answer that no search looks at, and reports them if captions decided it.
    fn note_left(&mut self, number: SurveyNumber, extent: &Extent, is_chosen: bool) {
        let all = extent.looked_at.len();
        let left = extent
            .looked_at
            .iter()
            .filter(|is_looked_at| !**is_looked_at)
            .count();
        if left == 0 || !self.facts.learns_for_free() {
            return;
        }
        self.budget.count_left_photos(left);
        if is_chosen {
            let line =
                format!("{left} of {all} photos are left: what is said of them promises less.");
            self.status_of(number, line);
        }
    }

    /// Returns the hits to look at: all new ones to the extent, and the first known ones, which are reported as
    /// repeated.
    fn hits_to_show(&self, hits: &[Hit], extent: &Extent) -> Vec<Hit> {
        let looked_at = hits.iter().zip(&extent.looked_at).enumerate();
        let shown = looked_at.filter(|(place, (hit, is_looked_at))| {
            let is_told = *place < REPEATED_SHOWN_MAX || self.scheduler.is_new(hit, self.facts);
            **is_looked_at && is_told
        });
        shown.map(|(_, (hit, _))| hit.clone()).collect()
    }

    /// Looks at up to this many photos left over from earlier answers, the most worthwhile first; at none while a chain
    /// is polished, which is about certain pairs.
    fn look_at_leftovers(&mut self, photos: usize, policy: &Policy) {
        if photos == 0 || !matches!(self.state, State::Discovery | State::Choice { .. }) {
            return;
        }
        let mut missing = photos;
        for list in self.plan.lists_by_worth(self.facts) {
            if missing == 0 {
                return;
            }
            let asked = self.facts.knowledge().list(&list);
            let places = asked
                .map(|asked| (self.scheduler).leftovers_of(asked, missing))
                .unwrap_or_default();
            if !places.is_empty() {
                missing -= places.len();
                self.look_on(&list, &places, policy);
            }
        }
    }

    /// Looks at photos that a query left over, at these places of its list.
    pub fn look_on(&mut self, list: &ListKey, places: &[usize], policy: &Policy) {
        let asked = self.facts.knowledge().list(list);
        let named = asked.map(|asked| asked.named().to_vec());
        let hits = self.facts.take_leftovers(list, places);
        if !list.is_recalled() {
            self.budget.count_taken_up_photos(hits.len());
        }
        let place = self.place();
        let count = counted(hits.len(), "more photo", "more photos");
        let line = if list.is_recalled() {
            format!("Looking at {count} that showed such people before.")
        } else {
            format!("Looking at {count} that “{}” has found.", list.query)
        };
        self.teller(place).status(line);
        let survey = NewSurvey {
            list: list.clone(),
            named: named.unwrap_or_default(),
            place,
            is_for_pair: false,
        };
        (self.scheduler).begin_leftovers(survey, hits, policy, self.facts);
    }

    /// Ends a survey. A typed name that enough photos have not shown is unknown, unless photos left over may still show
    /// it. The run ends if a name is unknown, if no photo could show it, or if it seems that no photo can be looked at.
    pub fn end_survey(&mut self, survey: &Survey) -> Option<Move> {
        if let Some(sight) = survey.sight() {
            self.facts.note_search(survey.named(), sight);
        }
        let has_leftovers = |side: &Side| (self.scheduler).has_leftovers_of(Subject::Typed(*side));
        let unknown = self.facts.unknown_sides();
        let unfound = self.facts.unfound_sides();
        let may_still_show = |side: &Side| {
            let view = View::new(self.facts, self.budget, self.scheduler);
            self.plan.may_still_show(*side, view)
        };
        let mut given_up = unknown.iter().chain(&unfound);
        let is_over = given_up.any(|side| !has_leftovers(side) && !may_still_show(side));
        if is_over && !unknown.is_empty() {
            return Some(Move::fail(Reason::UnknownPerson));
        }
        let may_look = || (self.scheduler.surveys()).any(|other| !other.is_searching());
        let is_blind = self.is_blind() && !may_look();
        (is_over || is_blind).then(|| Move::fail(Reason::NoReadablePhotos))
    }

    /// Returns whether it seems that no photo can be looked at: those of three searches all failed, and so did all
    /// others.
    pub(super) fn is_blind(&self) -> bool {
        self.facts.searches().saw_nothing()
            && self.budget.photos_looked() == 0
            && self.budget.photos_unread() >= PHOTOS_UNREAD_MIN
    }

    /// Looks at what a query finds, on a page of one image search or on any. A query that was asked before is not paid
    /// for again. Returns the end if no more searches are allowed.
    pub fn search(
        &mut self,
        query: &Query,
        (named, is_for_pair): (Vec<Subject>, bool),
        part: Option<(usize, u32)>,
    ) -> Option<Move> {
        let (source, page) = part.unwrap_or_default();
        let survey = NewSurvey {
            list: ListKey {
                query: query.text().to_owned(),
                source,
            },
            named,
            place: self.place(),
            is_for_pair,
        };
        let knowledge = self.facts.knowledge();
        let asked = match part {
            None => knowledge.asked(query.text()),
            Some((_, 0)) => knowledge.list(&survey.list),
            Some(_) => None,
        };
        if let Some(asked) = asked {
            // The query has looked at these photos. Those that it left over are looked at if there are free slots.
            let hits = asked.hits_looked_at();
            self.scheduler.begin_known(survey, hits);
            return None;
        }
        if let Permission::Refused(reason) = self.budget.permission(CallKind::Search) {
            return Some(Move::fail(reason));
        }
        let wanted = self.plan.wanted(self.facts, (source, page));
        let place = self.place();
        self.teller(place).searching(query, source, page);
        (self.facts).note_query(&survey.list, &survey.named, query.wording(), page);
        let action = Action::Search {
            question: self.facts.question(query, &survey.named),
            count: wanted.count,
            part: wanted.part,
            asked_before: self.facts.asked_before(&survey.list),
        };
        self.scheduler.begin_search(survey, action, self.budget);
        None
    }

    /// Notes photos that earlier runs recognised.
    pub fn take_recalled(&mut self, photos: Vec<RecalledPhoto>) -> Option<Move> {
        self.facts.note_recalled(photos);
        None
    }

    /// Looks at the photos of a remembered chain. The fetched bytes of each bring what it shows.
    pub fn take_connected(&mut self, sides: &SidesToConnect, photos: usize) -> Option<Move> {
        let photos = photos.min(sides.photos_max);
        if photos > 0 && !self.state.is_ending() {
            let places = self.facts.note_connected(sides, photos);
            let policy = self.policy();
            self.look_on(&ListKey::of_recalled(), &places, &policy);
        }
        None
    }
}

/// Returns whether other image searches were already asked the question of a search.
fn was_answered_elsewhere(action: &Action) -> bool {
    match action {
        Action::Search { asked_before, .. } => !asked_before.is_empty(),
        _ => false,
    }
}
