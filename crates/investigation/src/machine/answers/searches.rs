//! Handles the answers to searches: which photos are looked at, which are left over, and when a search is over.

use domain::{
    FailureKind, FoundHits, Hit, Life, Provider, RecalledPhoto, Side, SidesToConnect, WordDoubt,
    WordSign,
};

use crate::judgement;
use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{Extent, ListKey, Query, SearchSight, Subject};
use crate::machine::interface::{Action, Reason};
use crate::machine::scheduler::{AnsweredSearch, NewSurvey, Policy, Survey, SurveyNumber};
use crate::machine::states::{Move, State, View};
use crate::machine::telling::counted;

use super::AnswerHandler;

/// The number of photos that must fail before the run gives up on photos.
const PHOTOS_UNREAD_MIN: u32 = 10;
/// The number of hits at the beginning of an answer that are reported even if their photos are known.
const REPEATED_SHOWN_MAX: usize = 10;

impl AnswerHandler<'_> {
    /// Looks at the photos that a search found. Once the end is decided, only records them.
    pub fn take_search(&mut self, answered: AnsweredSearch) -> Option<Move> {
        let survey = answered.survey;
        match answered.result {
            Ok(found) => {
                self.take_found(survey, found, &answered.action);
                None
            }
            Err(_) if self.state.is_ending() => None,
            Err(failure) if failure.kind == FailureKind::Malformed => {
                // The answer is paid for but lost: the search is not repeated and proves nothing.
                self.scheduler.note_unanswered(survey);
                self.note_unreadable_answer(Provider::Search, &failure)
            }
            Err(failure) if failure.kind == FailureKind::MalformedHandedOver => {
                // The answer is lost. It came from a provider that is now replaced by another, so it does not count
                // against the new one.
                self.scheduler.note_unanswered(survey);
                let query = self.scheduler.survey(survey).map_or("", Survey::query);
                let line = format!("The answer to “{query}” could not be read.");
                self.status_of(survey, line);
                None
            }
            Err(failure) if failure.kind == FailureKind::HandedOver => {
                // The provider has not answered. The next one is asked the same question, unless the question was
                // already put to another image search.
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

    /// Notes that the answer to a search was lost and that the search cannot be repeated. A lost answer proves nothing.
    pub(super) fn lose_search(&mut self, survey: SurveyNumber) {
        self.scheduler.note_unanswered(survey);
        let query = self.scheduler.survey(survey).map_or("", Survey::query);
        let line = format!("The answer to “{query}” was lost; it may not be asked again.");
        self.status_of(survey, line);
    }

    /// Records what a search found, and looks at the first new photos. The image search that answered may differ from
    /// the requested one.
    fn take_found(&mut self, number: SurveyNumber, mut found: FoundHits, action: &Action) {
        let policy = self.policy();
        if let Action::Search { count, .. } = action {
            found
                .hits
                .truncate(usize::try_from(*count).unwrap_or(usize::MAX));
        }
        let source = self.facts.source_place(found.part.source.as_deref());
        self.budget.note_readable_search();
        let all = found.hits.len();
        let (kept, rejected) = self.facts.without_rejected(found.hits);
        found.hits = kept;
        self.note_rejected(number, all, &rejected);
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
                .knowledge_mut()
                .note_query(&list, &named, question.wording, found.part.page);
        }
        let hits = found.hits.clone();
        self.facts.note_hits(&list, found);
        if self.facts.may_read_first() {
            let photos = self.facts.knowledge().photos_found();
            self.budget.note_found_photos(photos);
        }
        let worth = self.plan.photo_worth(self.facts);
        let photos = self.plan.photos_per_answer(self.facts);
        let mut extent = (self.scheduler).extent_of(&hits, photos, self.facts, |hit| {
            worth
                .as_ref()
                .map_or(0.0, |worth| worth.worth_of(self.facts, hit))
        });
        let is_read_first = self.facts.names_decide();
        let mut left = extent.left();
        if is_read_first {
            let is_first = |hit: &&Hit| {
                let knowledge = self.facts.knowledge();
                knowledge.is_found_first_by(&list, hit) && self.scheduler.is_new(hit, self.facts)
            };
            left = hits.iter().filter(is_first).count();
            extent.leave_all(left);
        }
        self.facts.knowledge_mut().note_extent(&list, &extent);
        if is_read_first {
            self.note_read(number, (left, hits.len()));
        } else {
            self.note_left(number, (left, hits.len()), worth.is_some());
        }
        let looked_at = self.hits_to_show(&hits, &extent);
        if !hits.is_empty() {
            let sight = if is_read_first {
                SearchSight::WordsRead
            } else {
                SearchSight::Unread
            };
            self.scheduler.note_found(number, sight);
        }
        let is_awaited = self.scheduler.take_hits(number, looked_at);
        if is_awaited {
            (self.scheduler).defer_last_of(number, &policy, self.facts);
            if !is_read_first {
                self.look_at_leftovers(extent.missing, &policy);
            }
        }
    }

    /// Counts the photos of an answer that the words beside them reject, and reports one line for each kind.
    fn note_rejected(&mut self, number: SurveyNumber, all: usize, rejected: &[WordDoubt]) {
        self.budget.count_rejected_photos(rejected.len());
        for sign in WordSign::ALL {
            let mut of_sign = rejected.iter().filter(|doubt| doubt.sign == *sign);
            if let Some(first) = of_sign.next() {
                let line = match 1 + of_sign.count() {
                    1 => format!("1 of {all} photos is left out: {first}."),
                    count => format!(
                        "{count} of {all} photos are left out: the words beside them tell of {} (“{}” and others).",
                        sign.noun(),
                        first.words
                    ),
                };
                self.status_of(number, line);
            }
        }
    }

    /// Counts the photos of an answer that are left over. Reports their number if captions decided which photos to
    /// leave.
    fn note_left(&mut self, number: SurveyNumber, (left, all): (usize, usize), is_chosen: bool) {
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

    /// Counts the new photos of an answer, and reports that the words beside them are read before any is looked at.
    fn note_read(&mut self, number: SurveyNumber, (new, all): (usize, usize)) {
        if new > 0 {
            self.budget.count_left_photos(new);
            let line = match (new, all) {
                (1, 1) => "The photo is new; the words beside it are read before it is looked at."
                    .to_owned(),
                _ => format!(
                    "{new} of {all} photos {} new; words are read before any photo is looked at.",
                    if new == 1 { "is" } else { "are" }
                ),
            };
            self.status_of(number, line);
        }
    }

    /// Returns the hits to look at: all new hits within the extent, and the first known ones, which are reported as
    /// repeated.
    fn hits_to_show(&self, hits: &[Hit], extent: &Extent) -> Vec<Hit> {
        let looked_at = hits.iter().zip(&extent.looked_at).enumerate();
        let shown = looked_at.filter(|(place, (hit, is_looked_at))| {
            let is_told = *place < REPEATED_SHOWN_MAX || self.scheduler.is_new(hit, self.facts);
            **is_looked_at && is_told
        });
        shown.map(|(_, (hit, _))| hit.clone()).collect()
    }

    /// Looks at up to `photos` photos left over from earlier answers, the most worthwhile first. Looks at none while a
    /// chain is polished, because polishing needs photos of particular pairs.
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

    /// Looks at the photos at these places of a list, which the list's query left over.
    pub fn look_on(&mut self, list: &ListKey, places: &[usize], policy: &Policy) {
        let asked = self.facts.knowledge().list(list);
        let named = asked.map(|asked| asked.named().to_vec());
        let hits = self.facts.knowledge_mut().take_leftovers(list, places);
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
        // If names decide, the reason was told together with the number of photos.
        if !self.facts.names_decide() {
            self.teller(place).status(line);
        }
        let survey = NewSurvey {
            list: list.clone(),
            named: named.unwrap_or_default(),
            place,
            is_for_pair: false,
        };
        (self.scheduler).begin_leftovers(survey, hits, policy, self.facts);
    }

    /// Ends a survey. Also ends the run if a person of the request counts as unknown or could not be found and no
    /// further photo may show this person, or if it seems that no photo can be looked at.
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

    /// Returns whether it seems that no photo can be looked at: every photo so far has failed. These are the photos of
    /// at least three searches, and at least [`PHOTOS_UNREAD_MIN`] in all.
    pub(super) fn is_blind(&self) -> bool {
        self.facts.searches().saw_nothing()
            && self.budget.photos_looked() == 0
            && self.budget.photos_unread() >= PHOTOS_UNREAD_MIN
    }

    /// Looks at the photos that a query finds. `part` names the image search and the page of its list; `None` stands
    /// for any image search. A query that was asked before is not paid for again. Returns the end of the run if no more
    /// searches are allowed.
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
            // These photos of the query were already looked at. Those that it left over are looked at if there are free
            // slots.
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
        self.facts
            .knowledge_mut()
            .note_query(&survey.list, &survey.named, query.wording(), page);
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
        let limits = self.facts.limits();
        let proves = |photo: &RecalledPhoto| {
            let doubt = judgement::word_doubt(limits, &photo.hit);
            !doubt.is_some_and(|doubt| doubt.rejects)
        };
        let photos = photos.into_iter().filter(proves).collect();
        self.facts.knowledge_mut().note_recalled(photos);
        None
    }

    /// Notes when the people of the request were born and died. Photos that contradict it are doubtful.
    pub fn take_lives(&mut self, lives: Vec<Life>) -> Option<Move> {
        self.facts.knowledge_mut().note_lives(lives);
        None
    }

    /// Looks at the photos of a remembered chain. The run learns what each photo shows from the fetched bytes.
    pub fn take_connected(&mut self, sides: &SidesToConnect, photos: usize) -> Option<Move> {
        let photos = photos.min(sides.photos_max);
        if photos > 0 && !self.state.is_ending() {
            let places = self.facts.knowledge_mut().note_connected(sides, photos);
            let policy = self.policy();
            self.look_on(&ListKey::of_recalled(), &places, &policy);
        }
        None
    }
}

/// Returns whether this search's question was already put to other image searches.
fn was_answered_elsewhere(action: &Action) -> bool {
    match action {
        Action::Search { asked_before, .. } => !asked_before.is_empty(),
        _ => false,
    }
}
