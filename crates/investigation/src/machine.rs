//! The state machine of an investigation, states S0 to S7. It does no I/O and reads no clock.
//!
//! # The states
//!
//! ```text
//!      Start
//!        |
//!   S0 start
//!        |
//!   S1 direct: a photo of both at once? ----------------- yes ----------------------+
//!        | no                                                                      |
//!   S2 discovery: who stands beside the frontier? <------------------+             |
//!        |                              ^                            |             |
//!   S3 choice: who is tried next? ------+ nobody: next frontier      |             |
//!        |            ^                                              |             |
//!        |            | not verified                                 |             |
//!   S4 verification: a photo of frontier and candidate?              |             |
//!        | verified                                                  |             |
//!   S5 bridge: from there straight to the target? -------- no -------+             |
//!        |                                                                         |
//!        +------- yes ----------------> S6 polish, then success <------------------+
//!
//!   From everywhere to S7: a budget or the time is used up, nobody is left to try, the user stops
//!   the run, or a provider stays down. A proven chain is reported, even if polishing fails.
//! ```
//!
//! On request, the end of S6 captures the page that shows each edge's best photo. Captures change no result: if the run
//! ends first, the missing ones are left out.
//!
//! Two plans walk these states. `one_sided` follows the specification to the letter. `both_ends`, the default, uses
//! every edge that any photo proves, so any photo may end the search: it makes no calls in S4 and S5, and S6 may go on
//! searching for a shorter or more certain chain. `states::next` lists what each state does in each plan.
//!
//! # How to drive it
//!
//! 1. [`Investigation::handle`] one [`Input`] with the time; first [`Input::Start`].
//! 2. Drain [`Investigation::next_notice`] and send the notices in order.
//! 3. Drain [`Investigation::next_command`] and execute the commands concurrently. Hand in each answer as
//!    [`Input::Answer`], in the order of the commands' numbers.
//! 4. While [`Investigation::is_withdrawing`], hand in the answers that have arrived, one by one, and check again after
//!    each; then cancel the open calls and hand in [`Input::Withdrawn`].
//! 5. Repeat until [`Investigation::is_ended`]. Only the last notice is [`NoticeKind::is_last`].
//!
//! [`Investigation`] fulfils the engine contract of [`kernel`].
//!
//! # Ownership
//!
//! [`Investigation`] holds the state and six parts, each a type with private fields: `facts` (the question and what was
//! learned), `budget` (what may still be spent), `scheduler` (surveys and calls in flight), `plan` (what the plan
//! remembers), `advice` (what the planner said) and, in the module `telling`, `story` (what was reported so far). What
//! a state or an answer does is a function that borrows what it needs and returns a `Move`. Only [`Investigation`]
//! changes the state, begins a search and ends the run.
//!
//! A recognised photo takes this path: [`Investigation`] takes the answer; `scheduler::calls` settles the call;
//! `answers` gives it to `facts`, where `Knowledge::see` makes its edges (only `domain::Edge::from_sighting` can), and
//! `telling::photo_line` reports it; `one_sided::after_photo` or `both_ends::after_photo`, depending on the plan,
//! returns the `Move` that follows; [`Investigation`] executes it.

mod advice;
mod answers;
mod both_ends;
mod budget;
mod candidates;
mod facts;
mod hints;
mod interface;
mod one_sided;
mod scheduler;
mod states;
mod telling;

use std::borrow::Cow;
use std::collections::BTreeMap;

use domain::{Candidate, EvidenceGraph, EvidenceRef, Hit, ListPage, Pair, PersonIndex, Plan, Side};
use kernel::Millis;

use crate::machine::advice::Advice;
use crate::machine::answers::AnswerHandler;
use crate::machine::budget::{Budget, RunError};
use crate::machine::candidates::candidates;
use crate::machine::facts::{Facts, Frontier, ListKey, NameUse, Place};
use crate::machine::scheduler::{AnsweredCall, Lost, Policy, Scheduler, SurveyStep};
use crate::machine::states::{End, Move, State, View};
use crate::machine::telling::{
    Story, Teller, frontier_records, graph_report, page_urls, path_report,
};

pub use crate::machine::advice::NARRATION_CHARS_MAX;
pub use crate::machine::facts::Knowledge;
pub use crate::machine::interface::{
    Action, Answer, CandidateRecord, CaptureReport, Captured, CertificateReport, Command, Decision,
    EdgeReport, ErrorCode, ErrorReport, EvidenceReport, FaceReport, FailedProvider, Fetched,
    FinalReport, FrontierRecord, GraphEdgeReport, GraphReport, Input, NoPathReport, NodeReport,
    Notice, NoticeKind, OtherPathReport, Outcome, PairReport, PathReport, PersonRef, PhotoCounts,
    PhotoPage, PhotoReport, ProvenPhotoReport, ProvenReport, Reason, Recognised, Remembered,
    Request, Spent, StateName, Status, YearsReport,
};
pub use kernel::{CommandId, LostCall};

/// One run of the search, from S0 to S6 or S7.
//= spec Worker State Machine
#[derive(Debug, Clone)]
pub struct Investigation {
    facts: Facts,
    budget: Budget,
    scheduler: Scheduler,
    plan: PlanMemory,
    advice: Advice,
    story: Story,
    state: State,
}

impl Investigation {
    /// Creates the machine for a question. Nothing happens before [`Input::Start`].
    #[must_use]
    pub fn new(request: Request) -> Self {
        let plan = PlanMemory::new(request.limits.plan);
        Self {
            budget: Budget::new(&request.limits),
            scheduler: Scheduler::default(),
            advice: Advice::new(plan.may_guess()),
            plan,
            story: Story::default(),
            state: State::Fresh,
            facts: Facts::new(request),
        }
    }

    /// Takes one input. Ignores an answer to a call that is not awaited.
    pub fn handle(&mut self, input: Input, now: Millis) {
        if self.is_ended() {
            return;
        }
        let elapsed_ms = self.budget.advance(now);
        match input {
            Input::Start => self.start(),
            Input::Stop { lost } => self.stop(&lost),
            Input::Answer(answer) => self.take_answer(answer),
            Input::Withdrawn { lost } => {
                if self.state.is_ending() {
                    self.scheduler.withdraw(&lost, &mut self.budget);
                }
            }
            Input::Remark(remark) => self.teller().status(remark),
            Input::Resumed { lost } => {
                // A pause does not count as the run's time.
                self.budget.pause(elapsed_ms);
                for call in &lost {
                    self.resume(call);
                }
            }
        }
        let mut rests = false;
        while self.step(&mut rests) {}
    }

    /// Returns the oldest unsent notice.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.story.next_notice()
    }

    /// Returns the oldest command not yet executed.
    pub fn next_command(&mut self) -> Option<Command> {
        self.scheduler.next_command()
    }

    /// Returns whether the run has ended. Then no notices follow those in the queue.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        matches!(self.state, State::Ended { .. })
    }

    /// Returns whether the end is decided and waits only for [`Input::Withdrawn`], because no open call is needed any
    /// more.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        self.state.is_ending() && self.scheduler.has_calls()
    }

    /// Returns whether the photo fetched by this command must still be recognised.
    #[must_use]
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        self.scheduler.needs_photo(fetched_by)
    }

    /// Returns the photo that a command sends to the recogniser: the hit that found it, and the fetched image.
    #[must_use]
    pub fn photo_to_recognise(&self, command: CommandId) -> Option<(&Hit, &Fetched)> {
        self.scheduler.photo_to_recognise(command)
    }

    /// Returns whom the photo that a command fetches or recognises may show, the likeliest first.
    #[must_use]
    pub fn candidates(&self, command: CommandId) -> Vec<Candidate> {
        let hit = self.scheduler.hit_of(command);
        hit.map_or_else(Vec::new, |hit| candidates(&self.facts, hit))
    }

    /// Returns the question of the run.
    #[must_use]
    pub fn request(&self) -> &Request {
        self.facts.request()
    }

    /// Returns what was learned so far.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        self.facts.knowledge()
    }

    /// Returns every choice so far.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        self.story.decisions()
    }

    /// Returns the addresses of the pages that show the final chain's photos, while they are being captured.
    #[must_use]
    pub fn pages_to_capture(&self) -> Vec<String> {
        match &self.state {
            State::Capture { chain } => page_urls(&self.facts, chain),
            _ => Vec::new(),
        }
    }

    /// Returns what was spent up to the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// Returns the specification's name of the current state.
    #[must_use]
    pub fn state_name(&self) -> StateName {
        self.state.name()
    }

    /// Returns the current path: the chain reported last, or at the end of the run the final chain. In the one-sided
    /// plan, it is the accepted path.
    #[must_use]
    pub fn path_report(&self) -> PathReport {
        match &self.state {
            State::Ended { path: Some(path) } => path_report(&self.facts, path),
            State::Ended { path: None } => path_report(&self.facts, &self.plan.path(&self.facts)),
            _ => path_report(&self.facts, self.story.path()),
        }
    }

    /// Returns the verified people and edges so far.
    #[must_use]
    pub fn graph(&self) -> GraphReport {
        let people = match &self.state {
            State::Ended { path: Some(path) } => path.as_slice(),
            _ => &[],
        };
        self.plan.graph(&self.facts, people, self.story.joined())
    }

    /// Returns the people who were seen with each frontier so far. The frontiers are in the order of their surveys.
    #[must_use]
    pub fn candidate_records(&self) -> Vec<FrontierRecord> {
        frontier_records(&self.facts, self.story.frontiers())
    }

    //= spec S0
    fn start(&mut self) {
        if self.state == State::Fresh {
            self.budget.start();
            self.teller().status("Starting investigation...");
            self.state = State::Direct { asked: 0 };
            if self.facts.limits().asks_lives {
                let people = self.facts.request().given_numbers();
                self.scheduler.ask_lives(people, &mut self.budget);
            }
        }
    }

    /// Ends the run because the user stopped it, without waiting for calls in flight. Their attempts count as made.
    fn stop(&mut self, lost: &[LostCall]) {
        if self.state == State::Fresh {
            self.budget.start();
        }
        self.facts.captures_mut().stop();
        self.decide(End::Failure(Reason::Stopped));
        self.scheduler.withdraw(lost, &mut self.budget);
    }

    fn take_answer(&mut self, mut answer: Answer) {
        let remarks = std::mem::take(&mut answer.remarks);
        let answered = self.scheduler.close(answer, &mut self.budget);
        if answered.is_some() {
            for remark in remarks {
                self.teller().status(remark);
            }
        }
        let next = match answered {
            None => None,
            Some(AnsweredCall::Search(answered)) => self.answers().take_search(answered),
            Some(AnsweredCall::Fetch(answered)) => self.answers().take_fetched(answered),
            Some(AnsweredCall::Photo(answered)) => self.answers().take_photo(&answered),
            Some(AnsweredCall::Advice(answered)) => self.answers().take_advice(answered),
            Some(AnsweredCall::Capture(report)) => self.answers().take_capture(report),
            Some(AnsweredCall::Lives(lives)) => self.answers().take_lives(lives),
            Some(AnsweredCall::Recalled(photos)) => self.answers().take_recalled(photos),
            Some(AnsweredCall::Connected { sides, photos }) => {
                self.answers().take_connected(&sides, photos)
            }
            Some(AnsweredCall::Misfit) => {
                let error = RunError::internal("an answer did not fit its command");
                Some(Move::give_up(error))
            }
        };
        self.carry_out(next);
    }

    /// Goes on without the answer to a call that was lost when the process restarted.
    fn resume(&mut self, lost: &LostCall) {
        let is_awaited = !self.state.is_ending();
        match (self.scheduler).lose(lost, is_awaited, &mut self.budget) {
            Lost::NothingToDo => {}
            Lost::OutOfTime => self.decide(End::Failure(Reason::RuntimeBudget)),
            Lost::NotAgain(purpose) => {
                let next = self.answers().do_without(purpose);
                self.carry_out(next);
            }
        }
    }

    /// Makes one transition. Returns false if it needs an answer first or the run is over. Transitions terminate: each
    /// uses up a photo, a query, a candidate or a step of the path.
    fn step(&mut self, rests: &mut bool) -> bool {
        match self.state {
            State::Fresh | State::Ended { .. } => false,
            _ if self.state.is_decided() => {
                !self.scheduler.has_calls() && self.step_state(&mut false)
            }
            _ => {
                (self.scheduler.any_at_its_last() && self.step_state(rests))
                    || self.step_surveys(rests)
                    || self.step_state(rests)
            }
        }
    }

    /// Requests remembered photos, if there is a memory. Returns whether to wait for the answer.
    fn recall(&mut self) -> bool {
        let view = View::new(&self.facts, &self.budget, &self.scheduler);
        let recall = self.plan.next_recall(&self.state, view);
        let sent = recall.map(|action| self.scheduler.recall(action, &mut self.budget));
        sent.is_some() || (self.facts.is_told_late() && self.scheduler.looks_at_recalled())
    }

    /// Makes the current state's next move, if the state can go on.
    fn step_state(&mut self, rests: &mut bool) -> bool {
        // Nothing else begins before the memory's answer, which arrives within milliseconds and may save paid calls.
        if self.scheduler.is_recalling() || self.recall() {
            return false;
        }
        let may_go_on = !*rests
            && (self.state.is_decided()
                || (self.scheduler).may_go_on(&self.policy(), &self.budget));
        if !may_go_on {
            return false;
        }
        let place = self.place();
        let next = states::next(
            &self.state,
            &mut self.plan,
            View::new(&self.facts, &self.budget, &self.scheduler),
            &mut self.advice,
            &mut Teller::new(&mut self.story, &self.facts, &self.budget, place),
        );
        *rests = matches!(next, Move::Rest);
        self.carry_out(Some(next));
        !*rests
    }

    /// Goes on with a survey that need not wait. Returns false if every survey waits for an answer. A resting state
    /// waits for what surveys bring, so the end of a survey ends the state's rest.
    fn step_surveys(&mut self, rests: &mut bool) -> bool {
        let policy = self.policy();
        let next = match (self.scheduler).go_on(&policy, &self.facts, &mut self.budget) {
            SurveyStep::Wait => return false,
            SurveyStep::Sent => None,
            SurveyStep::Over(survey) => {
                *rests = false;
                self.answers().end_survey(&survey)
            }
            SurveyStep::Known {
                survey,
                photo,
                memory,
            } => self.answers().take_known(survey, &photo, memory),
            SurveyStep::Refused(reason) => Some(Move::fail(reason)),
        };
        self.carry_out(next);
        true
    }

    /// Executes the move of a state or an answer.
    fn carry_out(&mut self, next: Option<Move>) {
        match next {
            None | Some(Move::Rest) => {}
            Some(Move::Search {
                query,
                named,
                is_for_pair,
                part,
                to,
            }) => {
                self.state = to;
                let next = self.answers().search(&query, (named, is_for_pair), part);
                self.carry_out(next);
            }
            Some(Move::LookOn { photos, to }) => {
                self.state = to;
                let policy = self.policy();
                for (list, places) in photos {
                    self.answers().look_on(&list, &places, &policy);
                }
            }
            Some(Move::Ask { question, people }) => {
                self.scheduler.ask(*question, people, &mut self.budget);
            }
            Some(Move::Go {
                to,
                drops_searches,
                words,
            }) => {
                if drops_searches {
                    self.scheduler.drop_surveys();
                    self.story.hints_mut().clear();
                }
                self.state = to;
                if let Some(words) = words {
                    self.teller().status(words);
                }
            }
            Some(Move::Capture { page, chain }) => {
                self.state = State::Capture { chain };
                self.answers().capture(page);
            }
            Some(Move::End(end)) => self.decide(end),
        }
    }

    /// Decides the end, unless it is already decided. A proven chain is reported, whatever ends its polishing.
    fn decide(&mut self, end: End) {
        if self.state.is_ending() {
            return;
        }
        self.scheduler.drop_surveys();
        let placeholder = State::Ended { path: None };
        self.state = State::Ending(match std::mem::replace(&mut self.state, placeholder) {
            State::Polish { chain, .. } | State::Capture { chain } => End::Success(chain),
            _ => end,
        });
        self.scheduler.forget_unsent(&mut self.budget);
    }

    fn answers(&mut self) -> AnswerHandler<'_> {
        AnswerHandler::new(
            &mut self.facts,
            &mut self.budget,
            &mut self.scheduler,
            &mut self.plan,
            &mut self.advice,
            &mut self.story,
            &self.state,
        )
    }

    fn policy(&self) -> Policy {
        (self.plan).policy(&self.state, &self.facts, &self.budget, &self.advice)
    }

    /// Returns the machine's place in the search.
    fn place(&self) -> Place {
        self.plan.place(&self.state)
    }

    fn teller(&mut self) -> Teller<'_> {
        let place = self.place();
        Teller::new(&mut self.story, &self.facts, &self.budget, place)
    }
}

/// The memory of a run's plan.
#[derive(Debug, Clone)]
enum PlanMemory {
    OneSided(one_sided::Path),
    BothEnds(both_ends::Memory),
}

/// The extent of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    /// The most hits that are requested.
    count: u32,
    /// The image search, and the page of the image search's list.
    part: ListPage,
}

impl PlanMemory {
    fn new(plan: Plan) -> Self {
        match plan {
            Plan::OneSided => Self::OneSided(one_sided::Path::new()),
            Plan::BothEnds => Self::BothEnds(both_ends::Memory::new()),
        }
    }

    /// Returns whether a planner may guess people who were not seen yet.
    fn may_guess(&self) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(_) => true,
        }
    }

    /// Returns the person whose surroundings are searched.
    fn frontier(&self) -> Option<Frontier> {
        match self {
            Self::OneSided(path) => Some(path.frontier()),
            Self::BothEnds(memory) => memory.frontier(),
        }
    }

    /// Returns this plan's place in the search while it is in `state`.
    fn place(&self, state: &State) -> Place {
        Place {
            state: state.name(),
            frontier: self.frontier(),
        }
    }

    /// Returns the accepted path, if the plan has one before its end.
    fn path(&self, facts: &Facts) -> Vec<PersonIndex> {
        match self {
            Self::OneSided(path) => path.people(facts),
            Self::BothEnds(_) => Vec::new(),
        }
    }

    /// Returns the edges that this plan counts as verified: the accepted ones in the one-sided plan, all in the
    /// both-ends plan.
    fn verified<'facts>(&self, facts: &'facts Facts) -> Cow<'facts, EvidenceGraph> {
        match self {
            Self::OneSided(path) => Cow::Owned(path.verified(facts)),
            Self::BothEnds(_) => Cow::Borrowed(facts.together()),
        }
    }

    /// Returns whether a second photo of a link was searched for, once the chain was found.
    fn is_checked_link(&self, link: Pair) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(memory) => memory.is_checked_link(link),
        }
    }

    /// Returns the verified edges around these people, or around A and B if none are given.
    fn graph(
        &self,
        facts: &Facts,
        people: &[PersonIndex],
        joined: &BTreeMap<PersonIndex, Side>,
    ) -> GraphReport {
        let verified = self.verified(facts);
        if people.is_empty() {
            let typed = [Side::A, Side::B]
                .into_iter()
                .filter_map(|side| facts.people().bound(side));
            graph_report(facts, &verified, &typed.collect::<Vec<_>>(), joined)
        } else {
            graph_report(facts, &verified, people, joined)
        }
    }

    /// Returns how far the search has reached, in edges: in the one-sided plan the length of the longest accepted path,
    /// in the both-ends plan the farthest distance from a side's start.
    fn hops_reached(&self, facts: &Facts) -> u32 {
        match self {
            Self::OneSided(path) => path.hops_reached(),
            Self::BothEnds(_) => {
                let farthest = |side: Side| {
                    let reached = facts.reach(facts.people().bound(side)?);
                    let people = reached.order().iter();
                    people.filter_map(|person| reached.distance(*person)).max()
                };
                let sides = [Side::A, Side::B].into_iter();
                sides.filter_map(farthest).max().unwrap_or(0)
            }
        }
    }

    /// Returns what calls and searches may be in flight at the same time, as of now.
    fn policy(&self, state: &State, facts: &Facts, budget: &Budget, advice: &Advice) -> Policy {
        match self {
            Self::OneSided(_) => Policy::one_at_a_time(facts.limits()),
            Self::BothEnds(memory) => both_ends::policy(memory, state, facts, budget, advice),
        }
    }

    /// Decides what a new or remembered photo changes.
    fn after_photo(
        &mut self,
        state: &State,
        reference: EvidenceRef,
        view: View,
        advice: &mut Advice,
        teller: &mut Teller,
    ) -> Option<Move> {
        match self {
            Self::OneSided(path) => {
                one_sided::after_photo(path, state, reference, view, advice, teller)
            }
            Self::BothEnds(memory) => both_ends::after_photo(memory, state, view, teller),
        }
    }

    /// Returns the lists of hits, ordered by the worth of one more of their photos. Empty in a plan that does not look
    /// at photos left over from earlier searches.
    fn lists_by_worth(&self, facts: &Facts) -> Vec<ListKey> {
        match self {
            Self::OneSided(_) => Vec::new(),
            Self::BothEnds(memory) => both_ends::lists_by_worth(memory, facts),
        }
    }

    /// Returns the next request to the memory; `None` in the one-sided plan, because the specification knows no memory.
    fn next_recall(&mut self, state: &State, view: View) -> Option<Action> {
        match self {
            Self::OneSided(_) => None,
            Self::BothEnds(memory) => both_ends::next_recall(memory, state, view),
        }
    }

    /// Returns how many new photos a search wants of an answer.
    //= spec S2 "num=5"
    fn photos_per_answer(&self, facts: &Facts) -> u32 {
        let photos = facts.limits().images_per_search;
        match self {
            Self::BothEnds(_) => both_ends::photos_per_answer(facts),
            Self::OneSided(_) => photos,
        }
    }

    /// Returns the hints by which an answer's photos are weighed; `None` if the photos keep the answer's order: in the
    /// one-sided plan, and where names are not used for it.
    fn photo_worth(&self, facts: &Facts) -> Option<both_ends::HintedSides> {
        match self {
            Self::OneSided(_) => None,
            Self::BothEnds(_) => {
                let is_used = facts.name_use() == NameUse::Order;
                is_used.then(|| both_ends::HintedSides::of(facts))
            }
        }
    }

    /// Returns the extent of a search, for an image search at this place and a page of the image search's list. The
    /// one-sided plan leaves the choice of the image search to the operator's order.
    //= spec S2 "num=5"
    fn wanted(&self, facts: &Facts, (place, page): (usize, u32)) -> Wanted {
        let count = facts.limits().images_per_search;
        match (self, facts.source(place)) {
            (Self::OneSided(_), _) => Wanted {
                count,
                part: ListPage::default(),
            },
            (Self::BothEnds(_), source) => Wanted {
                count: both_ends::hits_per_search(source, facts.limits()),
                part: ListPage {
                    source: source.map(|source| source.id.clone()),
                    page,
                },
            },
        }
    }

    /// Returns whether a person of the request may still be seen: either an image search was not asked for this person,
    /// or few of the photos found for the person were looked at. The one-sided plan decides by the number of searches
    /// alone.
    fn may_still_show(&self, side: Side, view: View) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(_) => both_ends::may_still_show(side, view),
        }
    }

    /// Decides the end again after a late photo, for the one-sided plan. `None` for the both-ends plan, where
    /// `after_photo` has already done so.
    fn renewed_end(&self, facts: &Facts) -> Option<End> {
        match self {
            Self::OneSided(path) => Some(one_sided::renewed_end(path, facts)),
            Self::BothEnds(_) => None,
        }
    }
}
