//! The heart: states S0 to S7 as a pure machine.
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
//!   the run, or a provider stays down. Once a chain is proven it is told, even if polishing fails.
//! ```
//!
//! Where it is wanted, the end of S6 has a picture taken of the page that shows the best photo of each edge.
//! It changes nothing of what was found: whatever ends the run meanwhile leaves pictures out.
//!
//! Two plans walk these states. `one_sided` is the specification to the letter. `both_ends`, the
//! default, uses every edge that any photo proves, so that any photo may end the search: S4 and S5
//! need no call there, and S6 may search on to make the chain shorter or surer. What each state
//! does in each plan stands on one screen: `states::next`.
//!
//! # How to drive it
//!
//! 1. [`Investigation::handle`] one [`Input`] with the time; first [`Input::Start`].
//! 2. Drain [`Investigation::next_notice`]: tell them in order.
//! 3. Drain [`Investigation::next_command`]: carry them out, at the same time where there are
//!    several, and hand each answer in as [`Input::Answer`], in the order of the commands' numbers.
//! 4. While [`Investigation::is_withdrawing`], hand in the answers that have come, one by one, and
//!    look again after each; then cancel the other calls and hand in [`Input::Withdrawn`].
//! 5. Repeat until [`Investigation::is_ended`]. The last notice is the only one of
//!    [`NoticeKind::is_last`].
//!
//! It keeps the contract of an engine: see [`kernel`].
//!
//! # Who owns what
//!
//! [`Investigation`] is the state and six parts, each a type with private fields: `facts` (the
//! question, and what was learned), `budget` (what may still be spent), `scheduler` (surveys and
//! calls under way), `plan` (what the plan remembers), `advice` (what the planner said) and, in the
//! room `telling`, `story` (what was told and kept). What a state or an answer does is a function
//! that borrows what it needs and returns a `Move`. [`Investigation`] alone writes the state, begins a
//! search and ends the run.
//!
//! One recognised photo goes this way: [`Investigation`] takes the answer; `scheduler::calls` settles
//! the call; `answers` gives it to `facts`, where `Knowledge::see` makes its edges (by
//! `domain::Edge::from_sighting`, the only way), and has it told by `telling::photo_line`;
//! `one_sided::after_photo` or `both_ends::after_photo`, whichever the run's plan is, says what it
//! changes; [`Investigation`] makes that happen.

mod advice;
mod answers;
mod both_ends;
mod budget;
mod facts;
mod hints;
mod interface;
mod one_sided;
mod plan;
mod scheduler;
mod states;
mod telling;

use domain::Hit;
use kernel::Millis;

use advice::Advice;
use answers::AnswerHandler;
use budget::{Budget, RunError};
use facts::{Facts, Place};
use plan::PlanMemory;
use scheduler::{AnsweredCall, Lost, Policy, Scheduler, SurveyStep};
use states::{End, Move, State, View};
use telling::{Story, Teller, frontier_records, page_urls, path_report};

pub use advice::NARRATION_CHARS_MAX;
pub use facts::Knowledge;
pub use interface::{
    Action, Answer, CandidateRecord, CaptureReport, Captured, CertificateReport, Command, Decision,
    EdgeReport, ErrorCode, ErrorReport, EvidenceReport, FaceReport, FailedProvider, Fetched,
    FinalReport, FrontierRecord, GraphEdgeReport, GraphReport, Input, NoPathReport, NodeReport,
    Notice, NoticeKind, OtherPathReport, Outcome, PairReport, PathReport, PersonRef, PhotoCounts,
    PhotoPage, PhotoReport, ProvenReport, Reason, Recognised, Remembered, Request, Spent,
    StateName, Status,
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
    /// Makes a machine for this question. Nothing happens before [`Input::Start`].
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

    /// Takes one input. An answer that nobody waits for is ignored.
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
                // The pause is not the run's time.
                self.budget.pause(elapsed_ms);
                for call in &lost {
                    self.resume(call);
                }
            }
        }
        let mut rests = false;
        while self.step(&mut rests) {}
    }

    /// Returns the oldest notice not yet told.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.story.next_notice()
    }

    /// Returns the oldest command not yet carried out.
    pub fn next_command(&mut self) -> Option<Command> {
        self.scheduler.next_command()
    }

    /// Returns whether the last notice is out.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        matches!(self.state, State::Ended { .. })
    }

    /// Returns whether the end is decided and only waits for [`Input::Withdrawn`]: no open call is needed any more.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        self.state.is_ending() && self.scheduler.has_calls()
    }

    /// Returns whether the photo that this command fetched is still to be recognised.
    #[must_use]
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        self.scheduler.needs_photo(fetched_by)
    }

    /// Returns the photo that a command sends to the recogniser, as it was found and as it came.
    #[must_use]
    pub fn photo_to_recognise(&self, command: CommandId) -> Option<(&Hit, &Fetched)> {
        self.scheduler.photo_to_recognise(command)
    }

    /// Returns the question of the run.
    #[must_use]
    pub fn request(&self) -> &Request {
        self.facts.request()
    }

    /// Returns what was learned.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        self.facts.knowledge()
    }

    /// Returns every choice so far.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        self.story.decisions()
    }

    /// Returns the addresses of the pages that show the final chain's photos, while they are opened.
    #[must_use]
    pub fn pages_to_capture(&self) -> Vec<String> {
        match &self.state {
            State::Capture { chain } => page_urls(&self.facts, chain),
            _ => Vec::new(),
        }
    }

    /// Returns what was spent until the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// Returns the state by its name in the specification.
    #[must_use]
    pub fn state_name(&self) -> StateName {
        self.state.name()
    }

    /// Returns the path as of now: the chain that was told last; at the end the final one, or the
    /// one-sided plan's accepted one.
    #[must_use]
    pub fn path_report(&self) -> PathReport {
        match &self.state {
            State::Ended { path: Some(path) } => path_report(&self.facts, path),
            State::Ended { path: None } => path_report(&self.facts, &self.plan.path(&self.facts)),
            _ => path_report(&self.facts, self.story.path()),
        }
    }

    /// Returns the verified people and edges as of now.
    #[must_use]
    pub fn graph(&self) -> GraphReport {
        let people = match &self.state {
            State::Ended { path: Some(path) } => path.as_slice(),
            _ => &[],
        };
        self.plan.graph(&self.facts, people, self.story.joined())
    }

    /// Returns who was seen beside each frontier so far. The frontiers are in the order in which
    /// they were looked at.
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
        }
    }

    /// Ends the run for the user. Calls under way are not waited for; their attempts were made all
    /// the same.
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

    /// Goes on without the answer to a call, which was lost with the process that conducted the
    /// run.
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

    /// Makes one transition. Returns false where an answer is needed first, or the run is over.
    /// Transitions come to an end, since each uses up a photo, a query, a candidate or a step of
    /// the path.
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

    /// Asks for remembered photos, where there is a memory. Returns whether it is waited for.
    fn recall(&mut self) -> bool {
        let view = View::new(&self.facts, &self.budget, &self.scheduler);
        let recall = self.plan.next_recall(&self.state, view);
        let sent = recall.map(|action| self.scheduler.recall(action, &mut self.budget));
        sent.is_some() || (self.facts.is_told_late() && self.scheduler.looks_at_recalled())
    }

    /// Does what the state does, where it may go on.
    fn step_state(&mut self, rests: &mut bool) -> bool {
        // What is remembered comes within milliseconds, and may save all that is paid.
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

    /// Goes on with a survey that can. Returns false where each waits for an answer. A state that
    /// rests waits for what surveys bring, and a survey that is over ends its rest.
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

    /// Does what a state or an answer wants to happen.
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

    /// Decides the end, unless it is decided. A chain that is proven is told, whatever ends its
    /// polishing.
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

    /// Returns where in the search the machine is.
    fn place(&self) -> Place {
        self.plan.place(&self.state)
    }

    fn teller(&mut self) -> Teller<'_> {
        let place = self.place();
        Teller::new(&mut self.story, &self.facts, &self.budget, place)
    }
}
