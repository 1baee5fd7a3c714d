//! Calls in flight: surveys (searches with their photos), and single calls that wait for answers.
//!
//! At most [`UNDER_WAY_MAX`] calls are in flight, and their answers are taken in the order of their commands. Photos of
//! one search are fetched and recognised concurrently, those of two searches in turn (`scheduler/survey.rs`). A
//! further search begins while others are in flight: soon enough that no slot stays empty, and late enough that few
//! searches turn out needless once the photos of the others are seen.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So a search may request more
//! photos than it looks at. It looks at new ones, since a known photo shows nothing new. The rest are kept, and the
//! best of them are looked at when a later search brings too few new photos.
//!
//! The scheduler knows neither plans nor states: a [`Policy`] says what it may do.

mod calls;
mod survey;

use std::collections::BTreeMap;

use domain::{Hit, Limits, Pace, PlanQuestion, WikidataNumber};
use kernel::{CommandId, LostCall, Outbox};

use crate::machine::budget::{Budget, CallKind, Permission};
use crate::machine::facts::{AskedQuery, Extent, Facts, ListKey, Place, SearchSight, Subject};
use crate::machine::interface::{Action, Answer, Command, Fetched, PhotoPage, Reason};

use survey::PhotoStep;

pub use calls::{
    AnsweredAdvice, AnsweredCall, AnsweredFetch, AnsweredPhoto, AnsweredSearch, PendingCall,
    Purpose,
};
pub use survey::{Survey, SurveyNumber, SurveyPhoto, SurveyStep};

/// The most calls in flight: one Worker may have this many requests waiting for headers at once.
const UNDER_WAY_MAX: usize = 5;

/// The number of searches after which the average number of new photos per search is trusted.
const SEARCHES_UNTIL_KNOWN: u32 = 4;

/// The surveys and calls in flight.
#[derive(Debug, Clone, Default)]
pub struct Scheduler {
    /// The surveys that are searching or have photos to look at, the oldest first.
    surveys: Vec<Survey>,
    last_survey: u32,
    /// The commands whose answers are awaited.
    calls: BTreeMap<CommandId, PendingCall>,
    last_command: u32,
    /// The commands that were not taken yet.
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

    /// Returns whether a current survey names the subject.
    pub fn is_naming(&self, subject: Subject) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.named().contains(&subject))
    }

    /// Returns whether a current survey names these two people together.
    pub fn is_naming_both(&self, one: Subject, other: Subject) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.named().contains(&one) && survey.named().contains(&other))
    }

    /// Returns whether photos left over from earlier searches for the subject are being looked at.
    pub fn has_leftovers_of(&self, subject: Subject) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| !survey.counts_as_search() && survey.named().contains(&subject))
    }

    /// Returns whether the photo fetched by a command must still be recognised.
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        let is_sent = |call: &PendingCall| call.action == Action::Recognise { fetched_by };
        self.calls.values().any(is_sent)
            || (self.surveys.iter()).any(|survey| survey.has_photo(fetched_by))
    }

    /// Returns the photo that a command sends to the recogniser: the hit that found it, and the fetched image.
    pub fn photo_to_recognise(&self, command: CommandId) -> Option<(&Hit, &Fetched)> {
        match &self.calls.get(&command)?.purpose {
            Purpose::Recognise { photo, fetched, .. } => Some((&photo.hit, fetched)),
            _ => None,
        }
    }

    /// Returns the search result of the photo that a command fetches or recognises.
    pub fn hit_of(&self, command: CommandId) -> Option<&Hit> {
        let photo = self.calls.get(&command)?.purpose.photo()?;
        Some(&photo.hit)
    }

    /// Notes that one photo of a survey was looked at.
    pub fn note_looked(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.survey_mut(number) {
            survey.note_looked();
        }
    }

    /// Notes that a survey's answer was lost or unreadable, which proves nothing.
    pub fn note_unanswered(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.survey_mut(number) {
            survey.note_unanswered();
        }
    }

    /// Drops a survey whose results are no longer needed.
    pub fn drop_survey(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.survey_mut(number) {
            survey.drop_steps();
        }
    }

    /// Drops all surveys, whose results are no longer needed. Answers to calls in flight are still noted.
    pub fn drop_surveys(&mut self) {
        for survey in &mut self.surveys {
            survey.drop_steps();
        }
    }

    /// Sends a search, and begins the survey of its photos.
    pub fn begin_search(&mut self, new: NewSurvey, action: Action, budget: &mut Budget) {
        self.release_deferred();
        let number = self.next_survey();
        let wanted = new.wanted();
        let survey = Survey::of_search(number, new.list, new.named, new.place);
        self.surveys.push(survey.wanting(wanted));
        self.send(action, Purpose::Search { survey: number }, budget);
    }

    /// Sends a search again, so that another provider answers it. Returns false if its results are no longer needed, or
    /// if the budget does not allow it now.
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

    /// Looks again at photos that a query found before.
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
        // No recalled photo is deferred until after the next search: it is free, and may make that search unnecessary.
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

    /// Notes which image search has answered a survey's query. Returns the answered list, and the people whom the query
    /// names.
    pub fn note_source(
        &mut self,
        number: SurveyNumber,
        source: usize,
    ) -> Option<(ListKey, Vec<Subject>)> {
        let survey = self.survey_mut(number)?;
        survey.note_source(source);
        Some((survey.list().clone(), survey.named().to_vec()))
    }

    /// Takes the hits of a search's answer that are to be looked at. Returns whether the search's results are still
    /// needed.
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

    /// Notes that a survey's search found photos, whether or not they are looked at.
    pub fn note_found(&mut self, number: SurveyNumber, sight: SearchSight) {
        if let Some(survey) = self.survey_mut(number) {
            survey.note_found(sight);
        }
    }

    /// Queues a fetched photo for the recogniser, before all photos not fetched yet.
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

    /// Returns whether the state may make its next move: either no survey is going on, or the policy allows a move
    /// while the current surveys go on.
    pub fn may_go_on(&self, policy: &Policy, budget: &Budget) -> bool {
        let is_planning = self.calls.values().any(|call| call.purpose.is_plan());
        if !self.has_free_slot() || is_planning {
            return false;
        }
        // A search in flight, perhaps a dropped one, may need the remaining attempts.
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

    /// Returns which photos of an answer a search looks at: the `photos` new ones that are worth most, and among equals
    /// the first. Known photos cost nothing, and are included up to the place that the search would reach if all photos
    /// were worth the same.
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

    /// Returns the places of up to `count` photos that a query left over and that are neither seen nor planned.
    pub fn leftovers_of(&self, asked: &AskedQuery, count: usize) -> Vec<usize> {
        asked.leftovers(count, |hit| self.is_planned(hit))
    }

    /// Returns whether a photo is neither seen nor planned.
    pub fn is_new(&self, hit: &Hit, facts: &Facts) -> bool {
        facts.knowledge().photo_at(&hit.image_url).is_none() && !self.is_planned(hit)
    }

    /// Returns whether a photo is waiting to be looked at.
    pub fn is_planned(&self, hit: &Hit) -> bool {
        let url = hit.image_url.as_str();
        let is_meant = |step: &PhotoStep| step.photo().url() == url;
        let mut surveys = self.surveys.iter();
        let mut photos = self.calls.values().filter_map(|call| call.purpose.photo());
        surveys.any(|survey| survey.steps().any(is_meant)) || photos.any(|photo| photo.url() == url)
    }
}

/// The searches that may begin while others are in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// No search, so that each search runs alone.
    Nothing,
    /// Any search.
    Anything,
    /// A search for which a slot would stay empty otherwise, while fewer than `surveys_max` surveys are in progress.
    WhereSlotsAreLeft { surveys_max: usize },
}

/// The rules for concurrent searches, as they apply at the moment.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Whether photos are taken one at a time.
    pub is_frugal: bool,
    pub beside: Beside,
    /// Whether a photo may be deferred until the next search is in flight, so that no slot is lost.
    pub may_defer: bool,
    /// The number of pairs of people that searches have named so far.
    pub pairs_named: usize,
}

impl Policy {
    /// Builds a policy by which each search waits until all photos of the one before were looked at.
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

/// A query whose photos are to be looked at.
#[derive(Debug)]
pub struct NewSurvey {
    pub list: ListKey,
    pub named: Vec<Subject>,
    pub place: Place,
    /// Whether the query is for a photo of the two named people together.
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

/// The number of searches, and of the new photos that they brought.
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

    /// Notes that a photo is fetched that no search has brought before.
    pub fn note_new_photo(&mut self) {
        self.new_photos += 1;
    }

    /// Returns whether this many searches are expected to bring no more photos than there are free slots.
    pub fn fits(self, searches: usize, slots: usize) -> bool {
        let slots = u32::try_from(slots).unwrap_or(u32::MAX);
        let searches = u32::try_from(searches).unwrap_or(u32::MAX);
        let photos = searches.saturating_mul(self.new_photos);
        self.searches >= SEARCHES_UNTIL_KNOWN && photos <= slots.saturating_mul(self.searches)
    }
}

/// What follows from a lost answer.
#[derive(Debug)]
pub enum Lost {
    /// Nothing, because the call is sent again, or is no longer needed.
    NothingToDo,
    /// The run's time is over.
    OutOfTime,
    /// The call must not be sent again. The run goes on without it.
    NotAgain(Purpose),
}

impl Scheduler {
    /// Asks the planner about these people.
    pub fn ask(&mut self, question: PlanQuestion, people: Vec<Subject>, budget: &mut Budget) {
        let purpose = Purpose::Plan {
            table: people,
            allowed_queries: question.allowed_queries.clone(),
        };
        self.send(Action::Plan(question), purpose, budget);
    }

    /// Captures the page at this address.
    pub fn capture(&mut self, page: PhotoPage, url: String, budget: &mut Budget) {
        self.send(Action::Capture { url }, Purpose::Capture { page }, budget);
    }

    /// Asks when people were born and died.
    pub fn ask_lives(&mut self, people: Vec<WikidataNumber>, budget: &mut Budget) {
        self.send(Action::Lives(people), Purpose::Lives, budget);
    }

    /// Asks the memory for photos.
    pub fn recall(&mut self, action: Action, budget: &mut Budget) {
        self.send(action, Purpose::Recall, budget);
    }

    /// Returns whether a request for remembered photos is in flight.
    pub fn is_recalling(&self) -> bool {
        self.calls.values().any(|call| call.purpose.is_recall())
    }

    /// Returns whether recalled photos are being looked at.
    pub fn looks_at_recalled(&self) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.list().is_recalled() && !survey.is_dropped())
    }

    /// Sends a command. The caller checked the budget.
    fn send(&mut self, action: Action, purpose: Purpose, budget: &mut Budget) {
        self.last_command = self.last_command.saturating_add(1);
        self.send_as(CommandId(self.last_command), action, purpose, budget);
    }

    /// Sends a command with a given number.
    fn send_as(&mut self, id: CommandId, action: Action, purpose: Purpose, budget: &mut Budget) {
        let kind = CallKind::of(&action);
        let attempts_max = match kind {
            // The photo of this call is no longer among the waiting ones, so it is added.
            Some(kind) => budget.begin(kind, self.photos_unpaid() + 1),
            None => 1,
        };
        let time_left_ms = budget.call_ms_max(kind);
        self.commands.add(Command {
            id,
            attempts_max,
            throttled_max: budget.throttled_max(),
            time_left_ms,
            silence_ms_max: time_left_ms,
            action: action.clone(),
        });
        let call = PendingCall {
            action,
            purpose,
            attempts_max,
        };
        self.calls.insert(id, call);
    }

    /// Closes an answered call and settles it. Returns `None` for an answer that no call waits for.
    pub fn close(&mut self, answer: Answer, budget: &mut Budget) -> Option<AnsweredCall> {
        let call = self.calls.remove(&answer.command)?;
        if let Some(kind) = CallKind::of(&call.action) {
            budget.settle(kind, call.attempts_max, answer.attempts);
        }
        budget.count_throttled(answer.throttled);
        budget.pay(answer.nano_usd);
        self.end_call_of(&call.purpose);
        Some(call.answered(answer.command, answer.outcome))
    }

    /// Notes that a call has ended, for the survey that the call belongs to.
    fn end_call_of(&mut self, purpose: &Purpose) {
        if let Some(number) = purpose.survey()
            && let Some(survey) = self.survey_mut(number)
        {
            survey.end_call();
        }
    }

    fn has_free_slot(&self) -> bool {
        self.calls.len() < UNDER_WAY_MAX
    }

    /// Returns the number of photos that are being fetched, or are fetched and wait for the recogniser.
    fn photos_unpaid(&self) -> usize {
        let fetches = self.calls.values().filter(|call| call.purpose.is_fetch());
        let waiting = self.surveys.iter().map(Survey::photos_waiting);
        fetches.count() + waiting.sum::<usize>()
    }

    /// Returns the number of photos whose bytes are in memory or will be.
    fn photos_in_hand(&self) -> usize {
        let calls = self.calls.values();
        let recognised = calls.filter(|call| call.purpose.is_recognise());
        recognised.count() + self.photos_unpaid()
    }

    /// Withdraws all calls. Their attempts are those in `lost`; calls not in `lost` made none.
    pub fn withdraw(&mut self, lost: &[LostCall], budget: &mut Budget) {
        for call in lost {
            self.settle_withdrawn(call, budget);
        }
        let not_begun: Vec<CommandId> = self.calls.keys().copied().collect();
        for command in not_begun {
            self.settle_withdrawn(&LostCall::unsent(command), budget);
        }
    }

    /// Drops the calls that were not taken yet.
    pub fn forget_unsent(&mut self, budget: &mut Budget) {
        for command in self.commands.withdraw() {
            self.settle_withdrawn(&LostCall::unsent(command.id), budget);
        }
    }

    /// Settles a withdrawn call, whose attempts count as made.
    fn settle_withdrawn(&mut self, withdrawn: &LostCall, budget: &mut Budget) {
        if let Some(call) = self.calls.remove(&withdrawn.command) {
            if let Some(kind) = CallKind::of(&call.action) {
                budget.settle(kind, call.attempts_max, withdrawn.attempts);
            }
            budget.count_throttled(withdrawn.throttled);
            budget.pay(withdrawn.nano_usd);
        }
    }

    /// Charges a call whose answer was lost with the run's process. If the budgets allow it, sends the call again with
    /// the same number, so that its answer keeps its place.
    pub fn lose(&mut self, lost: &LostCall, is_awaited: bool, budget: &mut Budget) -> Lost {
        let Some(call) = self.calls.remove(&lost.command) else {
            return Lost::NothingToDo;
        };
        if let Some(kind) = CallKind::of(&call.action) {
            budget.settle_lost(kind, call.attempts_max, lost.attempts);
        }
        budget.count_throttled(lost.throttled);
        budget.pay(lost.nano_usd);
        if is_awaited {
            self.send_again(lost.command, call, budget)
        } else {
            Lost::NothingToDo
        }
    }

    fn send_again(&mut self, id: CommandId, call: PendingCall, budget: &mut Budget) -> Lost {
        let PendingCall {
            mut action,
            purpose,
            ..
        } = call;
        // A photo is fetched again in any case, but converted only if the budget still allows it.
        if let Action::Fetch { may_convert, .. } | Action::FetchKnown { may_convert, .. } =
            &mut action
        {
            *may_convert &= budget.may_convert();
        }
        if let Some(kind) = CallKind::of(&action) {
            match budget.refusal(kind) {
                None if budget.left(kind) > 0 => {}
                Some(Reason::RuntimeBudget)
                    if !matches!(kind, CallKind::Planner | CallKind::Page) =>
                {
                    return Lost::OutOfTime;
                }
                // The remaining attempts are reserved for other calls, whose answers may already have arrived.
                _ => {
                    self.end_call_of(&purpose);
                    return Lost::NotAgain(purpose);
                }
            }
        }
        self.send_as(id, action, purpose, budget);
        Lost::NothingToDo
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
