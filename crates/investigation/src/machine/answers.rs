//! Handles the answers to fetches and recognitions, the planner's advice, page captures, and lost answers.

mod searches;

use domain::{
    Binding, EvidenceRef, Failure, FailureKind, MemoryUse, Pace, PhotoFailure, Provider,
    Sha256Digest,
};

use crate::judgement;
use crate::machine::PlanMemory;
use crate::machine::advice::Advice;
use crate::machine::budget::{ATTEMPTS_MAX, Budget, CallKind, RunError};
use crate::machine::facts::{Facts, PhotoMemory, Place};
use crate::machine::interface::{
    CaptureReport, Fetched, NoticeKind, PhotoPage, Reason, Recognised,
};
use crate::machine::scheduler::{
    AnsweredAdvice, AnsweredFetch, AnsweredPhoto, Policy, Purpose, Scheduler, Survey, SurveyNumber,
    SurveyPhoto,
};
use crate::machine::states::{End, Move, State, View};
use crate::machine::telling::{Story, Teller, photo_line};

/// The parts of the machine that an answer may change: everything but the state.
pub struct AnswerHandler<'run> {
    facts: &'run mut Facts,
    budget: &'run mut Budget,
    scheduler: &'run mut Scheduler,
    plan: &'run mut PlanMemory,
    advice: &'run mut Advice,
    story: &'run mut Story,
    state: &'run State,
}

/// A photo that a survey has looked at.
#[derive(Debug, Clone, Copy)]
struct PhotoSight {
    /// The photo's number from 1, in the order of the search's answer.
    number: usize,
    /// Whether this photo, or the one that it copies, was recognised before.
    is_known: bool,
    is_copy: bool,
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

    /// Notes an unreadable answer, which proves nothing. The third in a row ends the run.
    fn note_unreadable_answer(&mut self, provider: Provider, failure: &Failure) -> Option<Move> {
        if self.budget.note_unreadable_answer(provider) {
            return Some(self.end_with_failure(provider, failure));
        }
        if provider == Provider::Search {
            let place = self.place();
            self.teller(place).status(format!(
                "The image search gave no readable answer: {}.",
                failure.detail()
            ));
        }
        None
    }

    /// Ends the run because a provider stays down, or because the run's time is over.
    fn end_with_failure(&self, provider: Provider, failure: &Failure) -> Move {
        if self.budget.time_left_ms() == 0 {
            Move::fail(Reason::RuntimeBudget)
        } else {
            Move::give_up(RunError::of_provider(provider, failure))
        }
    }

    /// Reports a line about a survey, with the place in the search where the survey began.
    fn status_of(&mut self, survey: SurveyNumber, line: String) {
        let place = self
            .scheduler
            .survey(survey)
            .map_or_else(|| self.place(), Survey::place);
        self.teller(place).status(line);
    }

    fn teller(&mut self, place: Place) -> Teller<'_> {
        Teller::new(self.story, self.facts, self.budget, place)
    }

    fn place(&self) -> Place {
        self.plan.place(self.state)
    }

    fn policy(&self) -> Policy {
        (self.plan).policy(self.state, self.facts, self.budget, self.advice)
    }

    /// Queues a fetched photo for the recogniser, takes it as evidence if its recognition is remembered, or notes that
    /// it did not arrive. Once the run's end is decided, does this only for a remembered recognition that would
    /// otherwise never be reported.
    pub fn take_fetched(&mut self, answered: AnsweredFetch) -> Option<Move> {
        let (survey, photo) = (answered.survey, answered.photo);
        let is_remembered = (answered.result.as_ref()).is_ok_and(|one| one.remembered.is_some());
        if self.state.is_ending() && !(is_remembered && self.facts.is_told_late()) {
            return None;
        }
        match answered.result {
            Ok(fetched) => {
                self.facts.note_fetched(&fetched);
                let is_new = self.facts.knowledge().photo_of(&fetched).is_none();
                if is_new && let Some(why) = self.facts.rejection(&photo.hit, &fetched) {
                    self.reject(survey, &photo, &fetched, &why);
                    return None;
                }
                // A fork that does not use the memory may inherit answers of a run that did. It ignores the remembered
                // recognitions in these answers.
                let is_wanted = self.facts.limits().memory != MemoryUse::Off;
                if is_new && is_wanted && fetched.remembered.is_some() {
                    return self.take_remembered(survey, photo, fetched);
                }
                let is_recalled = |survey: &Survey| survey.list().is_recalled();
                if is_new && (self.scheduler.survey(survey)).is_some_and(is_recalled) {
                    self.do_without_answer(survey, &photo, &fetched);
                    return None;
                }
                let fetched_by = answered.fetched_by;
                (self.scheduler).queue_for_recogniser(survey, photo, fetched, fetched_by);
            }
            Err(failure) => self.note_useless_photo(survey, &photo, None, &failure),
        }
        None
    }

    /// Notes that a fetched photo proves nothing, so that nothing is paid for it or for its copies.
    fn reject(&mut self, survey: SurveyNumber, photo: &SurveyPhoto, fetched: &Fetched, why: &str) {
        let url = judgement::shown_hit(&photo.hit, fetched).image_url.clone();
        let knowledge = self.facts.knowledge_mut();
        for url in [photo.url(), &url] {
            knowledge.note_photo(url, Some(&fetched.digest), PhotoMemory::Rejected);
        }
        knowledge.note_changed_photo(photo.url());
        self.budget.count_rejected_photos(1);
        self.story.hints_mut().remove(photo.url());
        let number = photo.number;
        self.status_of(survey, format!("Photo {number} proves nothing: {why}."));
    }

    /// Takes a fetched photo as evidence, using the recognition that an earlier run paid for.
    fn take_remembered(
        &mut self,
        survey: SurveyNumber,
        photo: SurveyPhoto,
        fetched: Fetched,
    ) -> Option<Move> {
        let remembered = fetched.remembered.as_deref()?;
        let recognised = remembered.recognised.clone();
        self.budget.count_remembered_photo();
        self.take_photo(&AnsweredPhoto {
            survey,
            photo,
            fetched,
            attempts_max: 0,
            result: Ok(recognised),
        })
    }

    /// Goes on without a recalled photo, because no recognition is known for its bytes: they have changed, or the
    /// memory does not answer. Such a photo proves nothing, and nothing is paid for it.
    fn do_without_answer(&mut self, survey: SurveyNumber, photo: &SurveyPhoto, fetched: &Fetched) {
        let is_same = self.facts.knowledge().recalled_digest(photo.url()) == Some(&fetched.digest);
        let number = photo.number;
        let line = if is_same {
            self.facts.knowledge_mut().close_hint(photo.url());
            format!(
                "Photo {number} is the one that was recognised before, and its answer cannot be had."
            )
        } else {
            self.facts.knowledge_mut().note_changed_photo(photo.url());
            format!("Photo {number} is not the one any more that was recognised before.")
        };
        self.story.hints_mut().remove(photo.url());
        self.status_of(survey, line);
    }

    /// Takes a recognised photo as evidence. The photo counts even after the run's end was decided, because it was paid
    /// for. It may make the chain shorter or more certain, or undo the decision.
    pub fn take_photo(&mut self, answered: &AnsweredPhoto) -> Option<Move> {
        let is_late = self.state.is_ending();
        self.story.hints_mut().remove(answered.photo.url());
        match &answered.result {
            Ok(recognised) => {
                let reference = self.see(answered, recognised);
                let sight = PhotoSight {
                    number: answered.photo.number,
                    is_known: false,
                    is_copy: false,
                };
                match self.show(answered.survey, sight, reference) {
                    next if !is_late => next,
                    Some(changed @ Move::Go { .. }) => Some(changed),
                    _ => self.renewed_end(),
                }
            }
            Err(_) if is_late => None,
            Err(failure) => self.take_unrecognised(answered, failure),
        }
    }

    fn see(&mut self, answered: &AnsweredPhoto, recognised: &Recognised) -> EvidenceRef {
        let survey = self.scheduler.survey(answered.survey);
        let (query, named) = survey.map_or(("", &[][..]), |one| (one.query(), one.named()));
        if answered.fetched.remembered.is_none() {
            self.budget.note_readable_recognition();
        }
        self.budget
            .count_recognised_photo(recognised.collage_check.veto().is_some());
        let (hit, fetched) = (&answered.photo.hit, &answered.fetched);
        let (reference, bindings) = self.facts.see(hit, fetched, query, named, recognised);
        for binding in &bindings {
            if let Some(line) = binding_line(self.facts, *binding) {
                self.status_of(answered.survey, line);
            }
        }
        reference
    }

    fn renewed_end(&self) -> Option<Move> {
        match self.state {
            State::Ending(End::Success(_)) => {
                let end = self.plan.renewed_end(self.facts)?;
                Some(Move::go(State::Ending(end)))
            }
            State::Ending(End::Failure(Reason::UnknownPerson | Reason::NoReadablePhotos))
                if self.may_see_everybody() =>
            {
                let words = "Photos show more after all; the search goes on.";
                Some(Move::go_saying(State::Discovery, words))
            }
            _ => None,
        }
    }

    /// Returns whether both people of the request may still be found.
    fn may_see_everybody(&self) -> bool {
        let given_up = [self.facts.unknown_sides(), self.facts.unfound_sides()];
        !self.is_blind() && given_up.iter().all(Vec::is_empty)
    }

    /// Notes that the answer about a photo was lost and that the budget allows no further attempt.
    fn lose_photo(&mut self, survey: SurveyNumber, photo: &SurveyPhoto) {
        let why = "the answer was lost, and no further attempt is allowed";
        let failure = PhotoFailure::Unreadable(why.into());
        self.note_useless_photo(survey, photo, None, &failure);
    }

    /// Reuses what is known of a photo.
    pub fn take_known(
        &mut self,
        survey: SurveyNumber,
        photo: &SurveyPhoto,
        memory: PhotoMemory,
    ) -> Option<Move> {
        self.facts
            .knowledge_mut()
            .note_photo(photo.url(), None, memory);
        self.story.hints_mut().remove(photo.url());
        let reference = memory.sighting()?;
        let is_copy = matches!(memory, PhotoMemory::Copy(_));
        self.budget.count_repeated_photo(is_copy);
        let sight = PhotoSight {
            number: photo.number,
            is_known: true,
            is_copy,
        };
        self.show(survey, sight, reference)
    }

    /// Reports what a photo shows, whether new, remembered or a copy, and acts upon it.
    fn show(
        &mut self,
        survey: SurveyNumber,
        sight: PhotoSight,
        reference: EvidenceRef,
    ) -> Option<Move> {
        self.scheduler.note_looked(survey);
        let of = self.scheduler.survey(survey);
        let (all, wanted) = of.map_or((0, None), |of| (of.photos_in_all(), of.wanted()));
        let mut line = photo_line(self.facts, (sight.number, all), wanted, reference);
        if sight.is_copy {
            line.push_str(" It is a copy of a photo that was seen before.");
        } else if (self.facts.knowledge().sighting(reference))
            .is_some_and(|sighting| sighting.remembered.is_some())
        {
            line.push_str(" An earlier run has paid for that.");
        }
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
        if self.is_enough(survey, sight, reference) {
            self.scheduler.drop_survey(survey);
        }
        next
    }

    /// Returns whether the frugal pace drops the survey's other photos, because this photo proves the pair that the
    /// query names. While a chain is polished, a photo that was known before is not enough, because a further one is
    /// needed.
    fn is_enough(&self, survey: SurveyNumber, sight: PhotoSight, reference: EvidenceRef) -> bool {
        if sight.is_known && matches!(self.state, State::Polish { .. }) {
            return false;
        }
        let named = self.scheduler.survey(survey).map(Survey::named);
        match named {
            Some([one, other]) if self.facts.limits().pace == Pace::Frugal => {
                (self.facts.knowledge()).are_shown(*one, *other, reference)
            }
            _ => false,
        }
    }

    fn take_unrecognised(&mut self, answered: &AnsweredPhoto, failure: &Failure) -> Option<Move> {
        let (survey, photo) = (answered.survey, &answered.photo);
        match failure.kind {
            FailureKind::BadImage
            | FailureKind::TooLarge
            | FailureKind::Malformed
            | FailureKind::MalformedHandedOver => {
                let unreadable = PhotoFailure::Unreadable(failure.detail().to_owned());
                let digest = Some(&answered.fetched.digest);
                self.note_useless_photo(survey, photo, digest, &unreadable);
                if failure.kind == FailureKind::Malformed {
                    self.note_unreadable_answer(Provider::Recogniser, failure)
                } else {
                    None
                }
            }
            kind if kind == FailureKind::HandedOver
                || kind.is_transient() && answered.attempts_max < ATTEMPTS_MAX =>
            {
                // The budget, or another recogniser, left fewer attempts than usual for this photo. It does not count as looked at, so a later
                // search may take it up. The third such failure in a row ends the run.
                let number = photo.number;
                let line = format!("Photo {number} is left over: {}.", failure.detail());
                self.facts.knowledge_mut().close_hint(photo.url());
                self.status_of(survey, line);
                self.note_unreadable_answer(Provider::Recogniser, failure)
            }
            _ => Some(self.end_with_failure(Provider::Recogniser, failure)),
        }
    }

    fn note_useless_photo(
        &mut self,
        survey: SurveyNumber,
        photo: &SurveyPhoto,
        digest: Option<&Sha256Digest>,
        failure: &PhotoFailure,
    ) {
        let of = self.scheduler.survey(survey);
        if of.is_some_and(|survey| survey.list().is_recalled()) {
            self.facts.knowledge_mut().note_changed_photo(photo.url());
        }
        self.facts
            .knowledge_mut()
            .note_photo(photo.url(), digest, PhotoMemory::Useless);
        self.facts.note_unread_photo(failure);
        self.story.hints_mut().remove(photo.url());
        let number = photo.number;
        let line = match failure {
            PhotoFailure::Unfetchable(why) => {
                self.budget.count_unfetchable_photo();
                format!("Photo {number} could not be fetched: {why}.")
            }
            PhotoFailure::Unreadable(why) => {
                self.budget.count_unreadable_photo();
                format!("Photo {number} could not be read: {why}.")
            }
        };
        self.status_of(survey, line);
    }

    /// Takes the planner's advice, or notes that there was none. Then S3 chooses.
    pub fn take_advice(&mut self, answered: AnsweredAdvice) -> Option<Move> {
        // The advice is too late if a call in flight proved a chain while the planner was being asked.
        if !matches!(self.state, State::Choice { .. }) {
            return None;
        }
        let place = self.place();
        self.advice.take_answer(
            (&answered.table, &answered.allowed_queries),
            answered.result,
            self.facts,
            &mut Teller::new(self.story, self.facts, self.budget, place),
        );
        Some(Move::go(State::Choice {
            planner_answered: true,
        }))
    }

    /// Requests the capture of a page, or reports why the page is skipped.
    pub fn capture(&mut self, page: PhotoPage) {
        let url = match (&page.url, self.why_unopened()) {
            (None, _) => Err("The image search gave no address of a page."),
            (Some(_), Some(why)) => Err(why),
            (Some(url), None) => Ok(url.clone()),
        };
        match url {
            Ok(url) => {
                let photo = page
                    .photos
                    .first()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                let place = self.place();
                self.teller(place)
                    .status(format!("Taking a picture of the page that shows {photo}."));
                self.scheduler.capture(page, url, self.budget);
            }
            Err(why) => {
                let result = Err(why.to_owned());
                self.take_capture(CaptureReport { page, result });
            }
        }
    }

    /// Returns why no page may be opened now. The chain is reported without captures then.
    fn why_unopened(&self) -> Option<&'static str> {
        if self.facts.captures().are_stopped() {
            return Some("The run was stopped before the page was opened.");
        }
        Some(match self.budget.refusal(CallKind::Page)? {
            Reason::RuntimeBudget => "The run's time was over before the page was opened.",
            Reason::UsdBudget => "What is left of the run's dollars may not last for the page.",
            _ => "Pages were opened as often as a run may.",
        })
    }

    /// Takes the outcome of a page. The state then goes on with the next page or the last notice.
    pub fn take_capture(&mut self, report: CaptureReport) -> Option<Move> {
        self.facts.captures_mut().note(report.clone());
        let place = self.place();
        self.teller(place).tell(NoticeKind::PageCapture(report));
        None
    }

    /// Goes on without a call that was lost and cannot be repeated.
    pub fn do_without(&mut self, purpose: Purpose) -> Option<Move> {
        match purpose {
            Purpose::Plan {
                table,
                allowed_queries,
            } => self.take_advice(AnsweredAdvice {
                table,
                allowed_queries,
                result: Err(Failure::new(FailureKind::Down, "its answer was lost")),
            }),
            Purpose::Search { survey } => {
                self.lose_search(survey);
                None
            }
            Purpose::Fetch { survey, photo } | Purpose::Recognise { survey, photo, .. } => {
                self.lose_photo(survey, &photo);
                None
            }
            Purpose::Lives | Purpose::Recall => None,
            Purpose::Capture { page } => {
                self.capture(page);
                None
            }
        }
    }
}

/// Returns the line about a typed name that was matched to a person; `None` if the name is bound to the person as
/// usual.
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
        Binding::NotMeant(side) => {
            let number = facts.people().given_number(side)?;
            Some(format!(
                "Somebody named {} was recognised who is not {number}, as far as the recogniser \
                 says; they are kept apart.",
                facts.people().typed_name(side).as_str()
            ))
        }
        Binding::OneNumber(first, second) => {
            let number = facts.people().person(second)?.wikidata.as_ref()?;
            Some(format!(
                "The recogniser gives {} and {} the same Wikidata number, {number}; their names \
                 have nothing in common, and they are kept apart.",
                facts.people().name(first),
                facts.people().name(second)
            ))
        }
        Binding::Unnumbered(side) => {
            let number = facts.people().given_number(side)?;
            Some(format!(
                "Somebody named {} was recognised, and the recogniser does not say whether it is \
                 {number}; they are kept apart.",
                facts.people().typed_name(side).as_str()
            ))
        }
    }
}
