//! What an answer changes: what a photo, a search or the planner says.

use crate::domain::{
    Binding, EvidenceRef, Failure, FailureKind, Hit, Pace, PersonIndex, PhotoDigest, PhotoFailure,
    PlanAnswer, Provider, Side,
};

use super::advice::Advice;
use super::budget::{ATTEMPTS_MAX, Budget, RunError};
use super::facts::{Facts, PhotoMemory, Place, Subject};
use super::interface::{Fetched, Reason, Recognised};
use super::plan::PlanMemory;
use super::scheduler::{
    Answered, NewSurvey, Photo, Policy, Purpose, Scheduler, Survey, SurveyNumber,
};
use super::state::{End, Move, State};
use super::telling::{Story, Teller, counted, photo_line};
use super::view::View;

/// All that an answer may change: everything but the state.
pub struct AnswerHandler<'run> {
    facts: &'run mut Facts,
    budget: &'run mut Budget,
    scheduler: &'run mut Scheduler,
    plan: &'run mut PlanMemory,
    advice: &'run mut Advice,
    story: &'run mut Story,
    state: &'run State,
}

impl<'run> AnswerHandler<'run> {
    pub fn new(
        facts: &'run mut Facts,
        budget: &'run mut Budget,
        scheduler: &'run mut Scheduler,
        plan: &'run mut PlanMemory,
        advice: &'run mut Advice,
        story: &'run mut Story,
        state: &'run State,
    ) -> Self {
        Self {
            facts,
            budget,
            scheduler,
            plan,
            advice,
            story,
            state,
        }
    }

    /// Takes an answer in while the search goes on.
    pub fn take(&mut self, answered: Answered) -> Option<Move> {
        match answered {
            Answered::Search { survey, result } => self.take_search(survey, result),
            Answered::Fetch {
                survey,
                photo,
                fetched_by,
                result,
            } => {
                match result {
                    Ok(fetched) => {
                        (self.scheduler).queue_for_recogniser(survey, photo, fetched, fetched_by);
                    }
                    Err(failure) => self.note_useless_photo(survey, &photo, None, &failure),
                }
                None
            }
            Answered::Recognise {
                survey,
                photo,
                fetched,
                attempts_max,
                result,
            } => match result {
                Ok(recognised) => self.take_photo(survey, &photo, &fetched, &recognised),
                Err(failure) => {
                    self.take_unrecognised(survey, &photo, &fetched, attempts_max, &failure)
                }
            },
            Answered::Plan {
                table,
                allowed_queries,
                result,
            } => self.take_plan(&table, &allowed_queries, result),
            Answered::Misfit => {
                let error = RunError::internal("an answer did not fit its command");
                Some(Move::give_up(error))
            }
        }
    }

    /// Takes an answer in when the end is decided. A photo whose answer is here by then was paid
    /// for: it is evidence as any other, and may make the chain shorter or surer, or undo the
    /// decision. What a search found is kept.
    pub fn take_late(&mut self, answered: Answered) -> Option<Move> {
        match answered {
            Answered::Recognise {
                survey,
                photo,
                fetched,
                result: Ok(recognised),
                ..
            } => match self.take_photo(survey, &photo, &fetched, &recognised) {
                Some(changed @ Move::Go { .. }) => Some(changed),
                _ => self.renewed_end(),
            },
            Answered::Search {
                survey,
                result: Ok(hits),
            } => {
                self.take_hits(survey, hits);
                None
            }
            _ => None,
        }
    }

    fn renewed_end(&self) -> Option<Move> {
        match self.state {
            State::Ending(End::Success(_)) => {
                let end = self.plan.renewed_end(self.facts)?;
                Some(Move::go(State::Ending(end)))
            }
            State::Ending(End::Failure(Reason::UnknownPerson))
                if self.facts.unknown_sides().is_empty() =>
            {
                let words = "Everybody is recognised after all; the search goes on.";
                Some(Move::go_saying(State::Discovery, words))
            }
            _ => None,
        }
    }

    /// A call was lost, and there is nothing left to make it again.
    pub fn do_without(&mut self, purpose: Purpose) -> Option<Move> {
        match purpose {
            Purpose::Plan {
                table,
                allowed_queries,
            } => {
                let failure = Failure::new(FailureKind::Down, "its answer was lost");
                return self.take_plan(&table, &allowed_queries, Err(failure));
            }
            Purpose::Search { survey } => {
                // No proof of anything.
                self.scheduler.note_unanswered(survey);
                let query = self.scheduler.survey(survey).map_or("", Survey::query);
                let line = format!("The answer to “{query}” was lost; it may not be asked again.");
                self.status_of(survey, line);
            }
            Purpose::Fetch { survey, photo } | Purpose::Recognise { survey, photo, .. } => {
                let why = "the answer was lost, and no further attempt is allowed";
                let failure = PhotoFailure::Unreadable(why.into());
                self.note_useless_photo(survey, &photo, None, &failure);
            }
        }
        None
    }

    /// A survey is over. A typed name that enough searches have not shown is unknown, unless photos
    /// that were left over may still show it.
    pub fn end_survey(&mut self, survey: &Survey) -> Option<Move> {
        if survey.tells_of_named() {
            for subject in survey.named() {
                self.facts.note_search_naming(*subject);
            }
        }
        let has_leftovers = |side: &Side| (self.scheduler).has_leftovers_of(Subject::Typed(*side));
        let unknown = self.facts.unknown_sides();
        let is_final = !unknown.iter().all(has_leftovers);
        is_final.then(|| Move::fail(Reason::UnknownPerson))
    }

    /// What is known of a photo is used again.
    pub fn take_known(
        &mut self,
        survey: SurveyNumber,
        photo: &Photo,
        memory: PhotoMemory,
    ) -> Option<Move> {
        self.facts.note_photo(photo.url(), None, memory);
        match memory {
            PhotoMemory::Seen(reference) => {
                self.budget.note_repeated();
                self.show(survey, photo.number, reference)
            }
            PhotoMemory::Useless => None,
        }
    }

    fn take_search(
        &mut self,
        survey: SurveyNumber,
        result: Result<Vec<Hit>, Failure>,
    ) -> Option<Move> {
        match result {
            Ok(hits) => {
                self.take_hits(survey, hits);
                None
            }
            Err(failure) if failure.kind == FailureKind::Malformed => {
                // Paid for and lost: not asked again, and no proof of anything.
                self.scheduler.note_unanswered(survey);
                self.note_unreadable(Provider::Search, &failure)
            }
            Err(failure) => Some(self.end_with_failure(Provider::Search, &failure)),
        }
    }

    fn take_hits(&mut self, number: SurveyNumber, mut hits: Vec<Hit>) {
        let policy = self.policy();
        hits.truncate(usize::try_from(policy.hits_per_search).unwrap_or(usize::MAX));
        let first = self.scheduler.first_of(&hits, &policy, self.facts);
        self.budget.note_readable_search();
        let looked_at = hits.get(..first.looked_at).unwrap_or(&hits);
        let is_awaited = self.scheduler.take_hits(number, looked_at);
        let Some(survey) = self.scheduler.survey(number) else {
            return;
        };
        let query = survey.query().to_owned();
        if hits.is_empty() {
            self.status_of(number, format!("Nothing found for “{query}”."));
        }
        self.facts.note_hits(&query, hits, first.looked_at);
        if is_awaited {
            (self.scheduler).defer_last_of(number, &policy, self.facts);
            self.look_at_leftovers(first.missing, &policy);
        }
    }

    /// Looks at up to so many photos that earlier answers showed and nobody looked at, the most
    /// worthwhile first. None while a chain is polished: that is about certain pairs.
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

    fn take_photo(
        &mut self,
        survey: SurveyNumber,
        photo: &Photo,
        fetched: &Fetched,
        recognised: &Recognised,
    ) -> Option<Move> {
        let of = self.scheduler.survey(survey);
        let (query, named) = of.map_or(("", &[][..]), |of| (of.query(), of.named()));
        self.budget.note_recognised(recognised.veto.is_some());
        let (reference, bindings) = (self.facts).see(&photo.hit, fetched, query, named, recognised);
        for binding in &bindings {
            if let Some(line) = binding_line(self.facts, *binding) {
                self.status_of(survey, line);
            }
        }
        self.show(survey, photo.number, reference)
    }

    /// What a photo shows, new or remembered, is told and then acted upon.
    fn show(
        &mut self,
        survey: SurveyNumber,
        number: usize,
        reference: EvidenceRef,
    ) -> Option<Move> {
        self.scheduler.note_looked(survey);
        let of = self.scheduler.survey(survey);
        let (all, wanted) = of.map_or((0, None), |of| (of.photos_in_all(), of.wanted()));
        let line = photo_line(self.facts, (number, all), wanted, reference);
        self.status_of(survey, line);
        if self.facts.people().are_one() {
            return Some(Move::fail(Reason::NoCandidates));
        }
        let place = self.place();
        let next = self.plan.after_photo(
            self.state,
            reference,
            View::new(self.facts, self.budget, self.scheduler),
            self.advice,
            &mut Teller::new(self.story, self.facts, self.budget, place),
        );
        if self.is_enough(survey, reference) {
            self.scheduler.drop_survey(survey);
        }
        next
    }

    /// The frugal pace looks no further once a photo proves the pair that a query names.
    fn is_enough(&self, survey: SurveyNumber, reference: EvidenceRef) -> bool {
        let named = self.scheduler.survey(survey).map(Survey::named);
        match named {
            Some([one, other]) if self.facts.limits().pace == Pace::Frugal => {
                (self.facts.knowledge()).are_shown(*one, *other, reference)
            }
            _ => false,
        }
    }

    fn take_unrecognised(
        &mut self,
        survey: SurveyNumber,
        photo: &Photo,
        fetched: &Fetched,
        attempts_max: u32,
        failure: &Failure,
    ) -> Option<Move> {
        match failure.kind {
            FailureKind::BadImage | FailureKind::TooLarge | FailureKind::Malformed => {
                let unreadable = PhotoFailure::Unreadable(failure.detail.clone());
                self.note_useless_photo(survey, photo, Some(&fetched.digest), &unreadable);
                if failure.kind == FailureKind::Malformed {
                    self.note_unreadable(Provider::Recogniser, failure)
                } else {
                    None
                }
            }
            kind if kind.is_transient() && attempts_max < ATTEMPTS_MAX => {
                // Few attempts were left for it. It is no photo that was looked at: a later search
                // may have room for it. The third in a row is one too many.
                let number = photo.number;
                let line = format!("Photo {number} is left over: {}.", failure.detail);
                self.status_of(survey, line);
                self.note_unreadable(Provider::Recogniser, failure)
            }
            _ => Some(self.end_with_failure(Provider::Recogniser, failure)),
        }
    }

    fn note_useless_photo(
        &mut self,
        survey: SurveyNumber,
        photo: &Photo,
        digest: Option<&PhotoDigest>,
        failure: &PhotoFailure,
    ) {
        (self.facts).note_photo(photo.url(), digest, PhotoMemory::Useless);
        let number = photo.number;
        let line = match failure {
            PhotoFailure::Unfetchable(why) => {
                self.budget.note_unfetchable();
                format!("Photo {number} could not be fetched: {why}.")
            }
            PhotoFailure::Unreadable(why) => {
                self.budget.note_unreadable();
                format!("Photo {number} could not be read: {why}.")
            }
        };
        self.status_of(survey, line);
    }

    fn take_plan(
        &mut self,
        table: &[PersonIndex],
        allowed_queries: &[String],
        result: Result<PlanAnswer, Failure>,
    ) -> Option<Move> {
        // While it was asked a chain was proven by what was under way.
        if !matches!(self.state, State::Choice { .. }) {
            return None;
        }
        let place = self.place();
        self.advice.take(
            (table, allowed_queries),
            result,
            self.facts,
            &mut Teller::new(self.story, self.facts, self.budget, place),
        );
        Some(Move::go(State::Choice {
            planner_answered: true,
        }))
    }

    /// An answer that cannot be read is no proof of anything; the third in a row ends the run.
    fn note_unreadable(&mut self, provider: Provider, failure: &Failure) -> Option<Move> {
        if self.budget.note_unreadable_answer(provider) {
            return Some(self.end_with_failure(provider, failure));
        }
        if provider == Provider::Search {
            let place = self.place();
            self.teller(place).status(format!(
                "The image search gave no readable answer: {}.",
                failure.detail
            ));
        }
        None
    }

    /// A provider that stays down ends the run, unless the run's time is what ran out.
    fn end_with_failure(&self, provider: Provider, failure: &Failure) -> Move {
        if self.budget.time_left_ms() == 0 {
            Move::fail(Reason::RuntimeBudget)
        } else {
            Move::give_up(RunError::of_provider(provider, failure))
        }
    }

    /// Tells something of a survey, from where in the search it was begun.
    fn status_of(&mut self, survey: SurveyNumber, line: String) {
        let place = self.scheduler.survey(survey).map(Survey::place);
        let place = place.unwrap_or_else(|| self.place());
        self.teller(place).status(line);
    }

    fn teller(&mut self, place: Place) -> Teller<'_> {
        Teller::new(self.story, self.facts, self.budget, place)
    }

    fn place(&self) -> Place {
        Place {
            state: self.state.name(),
            frontier: self.plan.frontier(),
        }
    }

    fn policy(&self) -> Policy {
        (self.plan).policy(self.state, self.facts, self.budget, self.advice)
    }
}

/// What viewers should know of a typed name that has found its person; nothing of the usual case.
fn binding_line(facts: &Facts, binding: Binding) -> Option<String> {
    match binding {
        Binding::Bound(_) => None,
        Binding::SamePerson(side) => Some(format!(
            "The recogniser takes {} and {} for one person.",
            facts.typed_name(side),
            facts.typed_name(side.other())
        )),
        Binding::Namesake(side) => Some(format!(
            "A second person named {} was recognised; they are kept apart, and the search stays \
             with the first.",
            facts.typed_name(side)
        )),
    }
}
