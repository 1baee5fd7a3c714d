//! The machine: one input at a time, one transition after the other until it waits.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::{Chain, Name, Pair, PersonIndex, Plan, Side};
use crate::kernel::{Millis, Outbox};

use super::both_ends::BothEnds;
use super::calls::Call;
use super::command::{Action, Command, CommandId};
use super::guesses::Guesses;
use super::input::{Input, LostCall, Request};
use super::knowledge::Knowledge;
use super::notice::{ErrorReport, Notice, Reason, Spent, StateName};
use super::one_sided::OneSided;
use super::planner::Planner;
use super::record::Decision;
use super::side_by_side::Yield;
use super::spend::Spend;
use super::subject::Subject;
use super::survey::{Survey, SurveyNumber};

/// Where the machine is, with what the state needs to go on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// Before S0.
    Fresh,
    /// S1; so many direct queries were asked.
    Direct { asked: u32 },
    /// S2.
    Discovery,
    /// S3; the planner was asked about this table already.
    Choice { planner_answered: bool },
    /// S4; queries that may still verify the candidate.
    Verification {
        candidate: PersonIndex,
        queries: VecDeque<String>,
    },
    /// S5; the bridge to the target was searched for already.
    Bridge { reached: PersonIndex, asked: bool },
    /// S6, with a proven chain and so many searches left to polish it.
    Polish { chain: Box<Chain>, left: u32 },
    /// S6.
    Success(Box<Chain>),
    /// S7.
    Failure(Reason),
    /// The run could not go on.
    Broken(Box<ErrorReport>),
    /// After the last notice.
    Ended,
}

/// The plan's own memory.
#[derive(Debug, Clone)]
pub(super) enum Route {
    OneSided(OneSided),
    BothEnds(BothEnds),
}

/// One run of the search, from S0 to S6 or S7.
//= spec Worker State Machine
#[derive(Debug, Clone)]
pub struct Investigation {
    pub(super) request: Request,
    pub(super) knowledge: Knowledge,
    pub(super) spend: Spend,
    pub(super) state: State,
    pub(super) route: Route,
    /// Searches under way or with photos to look at, the oldest first.
    pub(super) surveys: Vec<Survey>,
    pub(super) last_survey: SurveyNumber,
    /// Commands under way.
    pub(super) calls: BTreeMap<CommandId, Call>,
    pub(super) planner: Planner,
    pub(super) guesses: Guesses,
    pub(super) decisions: Vec<Decision>,
    /// Whose surroundings were looked at, each once.
    pub(super) frontiers: Vec<Subject>,
    /// The answer, once there is one.
    pub(super) final_path: Option<Vec<PersonIndex>>,
    /// People proven to be connected with A or B, by the side that reached them first.
    pub(super) joined: BTreeMap<PersonIndex, Side>,
    /// Edges whose evidence was told.
    pub(super) told_edges: BTreeSet<Pair>,
    /// The chain that was told last.
    pub(super) told_path: Vec<PersonIndex>,
    /// Searches that named A and B.
    pub(super) searches_naming: [u32; 2],
    /// Unreadable answers in a row, of search and recogniser.
    pub(super) nonsense_in_a_row: [u32; 2],
    /// What its searches brought.
    pub(super) found: Yield,
    /// The folded names of people who may not be on the path.
    pub(super) avoided: BTreeSet<String>,
    pub(super) now: Millis,
    /// Nothing can be chosen before something is answered.
    pub(super) rests: bool,
    pub(super) outbox: Outbox<Command, Notice>,
    pub(super) last_command: u32,
}

impl Investigation {
    /// A machine for this question. Nothing happens before [`Input::Start`].
    #[must_use]
    pub fn new(request: Request) -> Self {
        let route = match request.limits.plan {
            Plan::OneSided => Route::OneSided(OneSided::new()),
            Plan::BothEnds => Route::BothEnds(BothEnds::new()),
        };
        Self {
            knowledge: Knowledge::new(&request),
            spend: Spend::new(&request.limits),
            state: State::Fresh,
            route,
            surveys: Vec::new(),
            last_survey: SurveyNumber(0),
            calls: BTreeMap::new(),
            planner: Planner::default(),
            guesses: Guesses::default(),
            decisions: Vec::new(),
            frontiers: Vec::new(),
            final_path: None,
            joined: BTreeMap::new(),
            told_edges: BTreeSet::new(),
            told_path: Vec::new(),
            searches_naming: [0; 2],
            nonsense_in_a_row: [0; 2],
            found: Yield::default(),
            avoided: request.avoid.iter().map(Name::folded).collect(),
            now: Millis::default(),
            rests: false,
            outbox: Outbox::new(),
            last_command: 0,
            request,
        }
    }

    /// Takes one input in at a time. An answer that nobody waits for is ignored.
    pub fn handle(&mut self, input: Input, now: Millis) {
        if self.is_ended() {
            return;
        }
        // The clock of a platform may step back; a run's time does not.
        let before = self.now;
        self.now = before.max(now);
        self.rests = false;
        match input {
            Input::Start => self.start(),
            Input::Stop { lost } => self.stop(&lost),
            Input::Answer(answer) => self.take_answer(answer),
            Input::Withdrawn { lost } => self.on_withdrawn(&lost),
            Input::Remark(remark) => self.status(remark),
            Input::Resumed { lost } => {
                // The pause is not the run's time.
                self.spend.pause(self.now.since(before));
                self.send_lost_again(&lost);
            }
        }
        while self.step() {}
    }

    /// The oldest notice not yet told.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.outbox.next_notice()
    }

    /// The oldest command not yet carried out.
    pub fn next_command(&mut self) -> Option<Command> {
        self.outbox.next_command()
    }

    /// Whether the last notice is out.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Whether the end is decided and only waits for [`Input::Withdrawn`]: what is not answered yet
    /// is not needed any more.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        self.is_ending() && !self.calls.is_empty()
    }

    /// Whether the photo that this command fetched is still to be recognised.
    #[must_use]
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        let mut calls = self.calls.values();
        let is_sent = |call: &Call| call.action == Action::Recognise { fetched_by };
        calls.any(is_sent)
            || self
                .surveys
                .iter()
                .any(|survey| survey.has_photo(fetched_by))
    }

    /// The question.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What was learned.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Every choice so far.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// What was spent until the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.spend.snapshot(self.now)
    }

    /// The state by its name in the specification.
    #[must_use]
    pub fn state_name(&self) -> StateName {
        match self.state {
            State::Fresh => StateName::S0,
            State::Direct { .. } => StateName::S1,
            State::Discovery => StateName::S2,
            State::Choice { .. } => StateName::S3,
            State::Verification { .. } => StateName::S4,
            State::Bridge { .. } => StateName::S5,
            State::Polish { .. } | State::Success(_) => StateName::S6,
            State::Ended if self.final_path.is_some() => StateName::S6,
            State::Failure(_) | State::Broken(_) | State::Ended => StateName::S7,
        }
    }

    //= spec S0
    fn start(&mut self) {
        if self.state != State::Fresh {
            return;
        }
        self.spend.start(self.now);
        self.status("Starting investigation...");
        self.state = State::Direct { asked: 0 };
    }

    fn on_withdrawn(&mut self, lost: &[LostCall]) {
        if self.is_ending() {
            self.withdraw(lost);
        }
    }

    /// The end is decided; only what is under way stands before it.
    pub(super) fn is_ending(&self) -> bool {
        matches!(
            self.state,
            State::Success(_) | State::Failure(_) | State::Broken(_)
        )
    }

    /// Decides the end. Only a photo that is here by then changes it; and a chain that is proven is
    /// told, whatever ends its polishing.
    pub(super) fn end_as(&mut self, state: State) {
        if !self.is_ending() {
            self.drop_surveys();
            self.state = match std::mem::replace(&mut self.state, State::Ended) {
                State::Polish { chain, .. } => State::Success(chain),
                _ => state,
            };
            self.forget_unsent();
        }
    }

    /// One transition; false where an answer is needed first or the run is over. That comes, since
    /// each transition uses up a photo, a query, a candidate or a step of the path.
    fn step(&mut self) -> bool {
        match self.state.clone() {
            State::Fresh | State::Ended => false,
            State::Success(_) | State::Failure(_) | State::Broken(_) if !self.calls.is_empty() => {
                false
            }
            State::Success(chain) => self.finish_with_chain(&chain),
            State::Failure(reason) => self.finish_without_chain(reason),
            State::Broken(report) => self.finish_with_error(*report),
            state => {
                // The next search is sent before photos that were held back: it takes longer to
                // bear fruit.
                let search_first = (self.surveys.iter()).any(|survey| self.is_at_its_last(survey));
                (search_first && self.may_go_on() && self.step_state(state.clone()))
                    || self.step_surveys()
                    || (self.may_go_on() && self.step_state(state))
            }
        }
    }

    /// What the state does.
    fn step_state(&mut self, state: State) -> bool {
        match state {
            State::Direct { asked } => self.step_direct(asked),
            State::Discovery => self.step_discovery(),
            State::Choice { planner_answered } => self.step_choice(planner_answered),
            State::Verification { candidate, queries } => {
                self.step_verification(candidate, queries);
            }
            State::Bridge { reached, asked } => self.step_bridge(reached, asked),
            State::Polish { chain, left } => self.step_polish(chain, left),
            _ => return false,
        }
        !self.rests
    }

    /// Notes whose surroundings are looked at from now on.
    pub(super) fn note_frontier(&mut self, subject: Subject) {
        // The one looked at is the last: see `candidate_records`.
        self.frontiers.retain(|known| *known != subject);
        self.frontiers.push(subject);
    }

    /// Whether a person may be on the path: under no name that the recogniser gives them avoided,
    /// or one of the two typed people themselves.
    pub(super) fn may_be_on_path(&self, person: PersonIndex) -> bool {
        if let Subject::Typed(_) = self.knowledge.subject_of(person) {
            return true;
        }
        self.knowledge.people.person(person).is_some_and(|person| {
            !person
                .folded_names
                .iter()
                .any(|name| self.avoided.contains(name))
        })
    }

    /// The two typed people, once both are recognised.
    pub(super) fn typed_pair(&self) -> Option<(PersonIndex, PersonIndex)> {
        Some((
            self.knowledge.people.bound(Side::A)?,
            self.knowledge.people.bound(Side::B)?,
        ))
    }
}
