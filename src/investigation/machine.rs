//! The machine: one input at a time, one transition after the other until it waits.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::{Chain, Hit, Name, Pair, PersonIndex, Plan, Side};
use crate::kernel::{Millis, Outbox};

use super::both_ends::BothEnds;
use super::command::{Action, Command, CommandId};
use super::input::{Answer, Fetched, Input, Outcome, Request};
use super::knowledge::Knowledge;
use super::notice::{Notice, Reason, Spent, StateName, Status, Told};
use super::one_sided::OneSided;
use super::planner::Planner;
use super::record::Decision;
use super::report;
use super::spend::{ATTEMPTS_MAX, PLAN_ATTEMPTS_MAX, Spend};
use super::subject::Subject;
use super::survey::Survey;

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
    /// S6.
    Success(Box<Chain>),
    /// S7.
    Failure(Reason),
    /// After the last notice.
    Ended,
}

/// The command whose answer is awaited.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    pub(super) id: CommandId,
    pub(super) action: Action,
    pub(super) purpose: Purpose,
}

/// What its answer is for.
#[derive(Debug, Clone)]
pub(super) enum Purpose {
    Search {
        query: String,
        named: Vec<Subject>,
    },
    Fetch {
        hit: Hit,
    },
    Recognise {
        hit: Hit,
        fetched: Fetched,
    },
    Plan {
        table: Vec<PersonIndex>,
        allowed_queries: Vec<String>,
    },
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
    pub(super) survey: Option<Survey>,
    pub(super) waiting: Option<Waiting>,
    pub(super) planner: Planner,
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
    /// The folded names of people who may not be on the path.
    avoided: BTreeSet<String>,
    pub(super) now: Millis,
    outbox: Outbox<Command, Notice>,
    last_command: u32,
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
            survey: None,
            waiting: None,
            planner: Planner::default(),
            decisions: Vec::new(),
            frontiers: Vec::new(),
            final_path: None,
            joined: BTreeMap::new(),
            told_edges: BTreeSet::new(),
            told_path: Vec::new(),
            searches_naming: [0; 2],
            nonsense_in_a_row: [0; 2],
            avoided: request.avoid.iter().map(Name::folded).collect(),
            now: Millis::default(),
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
        match input {
            Input::Start => self.start(),
            Input::Stop { attempts, nano_usd } => self.stop(attempts, nano_usd),
            Input::Answer(answer) => self.take_answer(answer),
            Input::Remark(remark) => self.status(remark),
            Input::Resumed { lost } => self.resume(before, &lost),
        }
        self.advance();
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
            State::Success(_) => StateName::S6,
            State::Ended if self.final_path.is_some() => StateName::S6,
            State::Failure(_) | State::Ended => StateName::S7,
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

    /// The call under way is not waited for; its attempts were made all the same.
    fn stop(&mut self, attempts: u32, nano_usd: u64) {
        if self.state == State::Fresh {
            self.spend.start(self.now);
        }
        if let Some(waiting) = self.waiting.take() {
            self.settle(&waiting.action, attempts);
            self.spend.nano_usd = self.spend.nano_usd.saturating_add(nano_usd);
        }
        self.survey = None;
        self.outbox.withdraw_commands();
        self.state = State::Failure(Reason::Stopped);
    }

    fn take_answer(&mut self, answer: Answer) {
        let Some(waiting) = self.waiting.take_if(|waiting| waiting.id == answer.command) else {
            return;
        };
        self.settle(&waiting.action, answer.attempts);
        self.spend.nano_usd = self.spend.nano_usd.saturating_add(answer.nano_usd);
        match (waiting.purpose, answer.outcome) {
            (Purpose::Search { query, named }, Outcome::Searched(result)) => {
                self.on_searched(&query, named, result);
            }
            (Purpose::Fetch { hit }, Outcome::Fetched(result)) => {
                self.on_fetched(waiting.id, hit, result);
            }
            (Purpose::Recognise { hit, fetched }, Outcome::Recognised(result)) => {
                self.on_recognised(&hit, &fetched, result);
            }
            (
                Purpose::Plan {
                    table,
                    allowed_queries,
                },
                Outcome::Planned(result),
            ) => {
                self.on_planned(&table, &allowed_queries, result);
            }
            _ => self.end_with_internal_error("an answer did not fit its command"),
        }
    }

    /// One transition after the other until an answer is needed or the run is over. Ends, since
    /// each transition uses up a photo, a query, a candidate or a step of the path.
    fn advance(&mut self) {
        while self.waiting.is_none() {
            match self.state.clone() {
                State::Fresh | State::Ended => return,
                State::Success(chain) => self.finish_with_chain(&chain),
                State::Failure(reason) => self.finish_without_chain(reason),
                _ if self.survey.is_some() => self.step_survey(),
                State::Direct { asked } => self.step_direct(asked),
                State::Discovery => self.step_discovery(),
                State::Choice { planner_answered } => self.step_choice(planner_answered),
                State::Verification { candidate, queries } => {
                    self.step_verification(candidate, queries);
                }
                State::Bridge { reached, asked } => self.step_bridge(reached, asked),
            }
        }
    }

    /// Sends a command and waits for its answer. The caller checked the budget.
    pub(super) fn send(&mut self, action: Action, purpose: Purpose) {
        let attempts_max = match action {
            Action::Search { .. } | Action::Recognise { .. } => ATTEMPTS_MAX,
            Action::Plan(_) => PLAN_ATTEMPTS_MAX,
            Action::Fetch { .. } => 1,
        };
        let allowance = self.spend.allowance_mut(&action);
        let attempts_max = allowance.map_or(attempts_max, |allowance| {
            let attempts_max = allowance.left().min(attempts_max);
            // Noted before it is sent: whatever happens to the answer, the call was made.
            allowance.note(1);
            attempts_max
        });
        self.last_command = self.last_command.saturating_add(1);
        let id = CommandId(self.last_command);
        let time_left_ms = self.spend.time_left_ms(self.now);
        self.outbox.command(Command {
            id,
            attempts_max,
            time_left_ms,
            action: action.clone(),
        });
        self.waiting = Some(Waiting {
            id,
            action,
            purpose,
        });
    }

    /// So many attempts were really made of a call.
    pub(super) fn settle(&mut self, action: &Action, attempts: u32) {
        if let Some(allowance) = self.spend.allowance_mut(action) {
            allowance.settle(attempts.min(ATTEMPTS_MAX));
        }
    }

    pub(super) fn tell(&mut self, told: Told) {
        self.outbox.notice(Notice { at: self.now, told });
    }

    pub(super) fn status(&mut self, message: impl Into<String>) {
        let (frontier, side, hop) = self.frontier();
        let status = Status {
            state: self.state_name(),
            message: message.into(),
            hop,
            frontier: frontier.map(|subject| report::subject_ref(&self.knowledge, subject)),
            side,
            spent: self.spent(),
            limits: self.request.limits.clone(),
        };
        self.tell(Told::Status(status));
    }

    /// Whose surroundings are looked at, from which side, how far from its start.
    fn frontier(&self) -> (Option<Subject>, Option<Side>, u32) {
        match &self.route {
            Route::OneSided(route) => (
                Some(route.frontier().subject),
                Some(Side::A),
                route.accepted_edges(),
            ),
            Route::BothEnds(route) => match &route.frontier {
                Some(frontier) => (Some(frontier.subject), Some(frontier.side), frontier.depth),
                None => (None, None, 0),
            },
        }
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
