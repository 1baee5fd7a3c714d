//! The workflow's state machine. It takes one input at a time, and then visits node after node until it must wait. Only
//! this module changes the state.

use kernel::{Commands, LostCall, Millis};

use super::budget::{Budget, Refusal};
use super::checks::{CheckPass, has_checks};
use super::graph::{Node, NodeId, Routes, Workflow};
use super::interface::{Action, Answer, Command, Dialect, Input, Order, Outcome, Spent};
use super::nodes::{Caches, Fault};
use super::notice::{Ending, Notice, NoticeKind, Trace, Visit, WhyFailed};
use super::validation::{Finding, Surprise, validate};
use super::values::Variables;
use super::visit::{Asked, Attempt, LoopCounters, Progress, Surroundings};

/// One run of a workflow, as a state machine.
///
/// After each input, the walk continues until it must wait for an outcome: see [`kernel`] for how the machine is
/// driven.
#[derive(Debug, Clone)]
pub struct WorkflowRun {
    routes: std::rc::Rc<Routes>,
    order: OrderTerms,
    surprises: Vec<Surprise>,
    refused: Option<Finding>,
    variables: Variables,
    counters: LoopCounters,
    caches: Caches,
    budget: Budget,
    commands: Commands<Action>,
    trace: Trace,
    check_pass: CheckPass,
    is_stopping: bool,
    state: State,
}

/// The parts of the order that the run needs at each step.
#[derive(Debug, Clone)]
struct OrderTerms {
    entry: NodeId,
    dialect: Dialect,
}

#[derive(Debug, Clone)]
enum State {
    Fresh,
    /// The walk goes to this node next, or ends. The flag says that the node is a Loop, reached from the end of its own
    /// body.
    At(Option<NodeId>, bool),
    Executing(Box<Attempt>),
    /// The walk has ended like this, and a model is judging the checks of a node.
    Checking(Ending),
    Ended(Ending),
}

impl WorkflowRun {
    /// Makes a machine for this order. It does nothing before [`Input::Start`].
    pub fn new(order: Order) -> Result<Self, Finding> {
        let routes = Routes::new(order.workflow);
        let validated = validate(&routes, order.dialect)?;
        let entry = routes.node(validated.entry).map(|node| node.id);
        Ok(Self {
            order: OrderTerms {
                entry: entry.ok_or(Finding::NoEntryPoint)?,
                dialect: order.dialect,
            },
            surprises: validated.surprises,
            refused: validated.refused,
            variables: Variables::default(),
            counters: LoopCounters::default(),
            caches: Caches::default(),
            trace: Trace::new(order.limits.trace_events_max),
            budget: Budget::new(order.limits),
            commands: Commands::default(),
            check_pass: CheckPass::default(),
            is_stopping: false,
            state: State::Fresh,
            routes: std::rc::Rc::new(routes),
        })
    }

    /// Handles one input. Ignores an answer to a command that is not in flight.
    pub fn handle(&mut self, input: Input, now: Millis) {
        if self.is_ended() {
            return;
        }
        let passed_ms = self.budget.meter.advance(now);
        self.trace.notices.advance(now);
        match input {
            Input::Start => self.start(),
            Input::Answer(answer) => self.take(answer),
            Input::Stop { lost } => {
                self.is_stopping = true;
                let under_way = self.commands.under_way();
                if lost.iter().any(|call| Some(call.command) == under_way) {
                    self.commands.forget();
                    self.finish(Ending::Stopped);
                }
            }
            // This input reports calls that were in flight when the run ended. A workflow run never ends while a call
            // is in flight.
            Input::Withdrawn { .. } => {}
            Input::Remark(remark) => self.trace.tell(NoticeKind::Remark(remark)),
            Input::Resumed { lost } => {
                // The pause between two processes does not count as run time.
                self.budget.meter.pause(passed_ms);
                for call in &lost {
                    self.repeat(call);
                }
            }
        }
        self.go_on();
    }

    /// Returns the oldest pending notice.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.trace.notices.take_next()
    }

    /// Returns the oldest pending command.
    pub fn next_command(&mut self) -> Option<Command> {
        self.commands.take_next()
    }

    /// Returns whether the run has ended. Its last notice may still be pending.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        matches!(self.state, State::Ended(_))
    }

    /// Returns why a new run of this workflow must be refused, or `None` if it need not be. A stored run is executed in
    /// any case.
    #[must_use]
    pub fn refused(&self) -> Option<&Finding> {
        self.refused.as_ref()
    }

    /// Returns how the run ended, or `None` if it has not.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.state {
            State::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns what the run has spent up to the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// Returns the longest duration that the order allows, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.budget.meter.runtime_ms_max
    }

    /// Returns the variables with their current values.
    #[must_use]
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// Returns the workflow that the run executes.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        self.routes.workflow()
    }

    /// Returns the number of events that were counted but not emitted.
    #[must_use]
    pub fn events_left_out(&self) -> u64 {
        self.trace.notices.left_out()
    }

    fn start(&mut self) {
        if !matches!(self.state, State::Fresh) {
            return;
        }
        let nodes = self.routes.workflow().nodes.len();
        self.trace.tell(NoticeKind::Started { nodes });
        let routes = self.routes.clone();
        for surprise in &self.surprises {
            if let Some(node) = routes.node_of(surprise.node) {
                let warning = NoticeKind::Warning(surprise.says.to_owned());
                self.trace.tell_of(node, warning);
            }
        }
        self.state = State::At(Some(self.order.entry), false);
    }

    fn take(&mut self, answer: Answer) {
        let Some(command) = self.commands.settle(answer.command) else {
            return;
        };
        let outcome = answer.outcome;
        let kept = command.attempts_max;
        self.budget
            .settle(&command.action, kept, answer.attempts, answer.nano_usd);
        match std::mem::replace(&mut self.state, State::Fresh) {
            State::Executing(attempt) => {
                self.with_attempt(*attempt, |attempt, around| attempt.resume(outcome, around));
            }
            State::Checking(ending) => self.take_judgement(ending, &outcome),
            state => self.state = state,
        }
    }

    /// Visits node after node, until a command is in flight or the run has ended.
    fn go_on(&mut self) {
        while let State::At(next, is_way_back) = self.state {
            let Some(id) = next else {
                return self.finish(Ending::Completed);
            };
            if self.is_stopping {
                return self.finish(Ending::Stopped);
            }
            let routes = self.routes.clone();
            let at = routes.position(id);
            let Some((at, node)) = at.and_then(|at| Some((at, routes.node(at)?))) else {
                return self.finish(Ending::Completed);
            };
            if let Err(refusal) = self.budget.steps(1) {
                return self.refuse(refusal, Some(id));
            }
            self.visit(at, node, is_way_back);
        }
    }

    fn visit(&mut self, at: usize, node: &Node, is_way_back: bool) {
        let how = match (node.is_enabled, node.kind.is_control()) {
            (false, _) => Visit::Skipped,
            (true, true) => Visit::Control,
            (true, false) => Visit::Run,
        };
        let kind = node.kind.display_name();
        self.trace.tell_of(node, NoticeKind::Visited { how, kind });
        match how {
            Visit::Skipped => {
                self.state = State::At(self.routes.next_of_disabled(node), false);
            }
            Visit::Control => {
                let mut asked = Asked {
                    routes: &self.routes,
                    variables: &self.variables,
                    dialect: self.order.dialect,
                    is_way_back,
                    budget: &mut self.budget,
                    told_bytes_max: self.trace.compared_bytes_left(),
                };
                let decision = match self.counters.decide(node, &mut asked) {
                    Ok(decision) => decision,
                    Err(refusal) => return self.refuse(refusal, Some(node.id)),
                };
                if let Some(says) = decision.warning {
                    let warning = NoticeKind::Warning(says.to_owned());
                    self.trace.tell_of(node, warning);
                }
                if let Some(told) = decision.told {
                    self.trace.tell_of(node, told);
                }
                self.state = State::At(decision.next, decision.is_way_back);
            }
            Visit::Run => {
                let (attempt, progress) = Attempt::begin(at, &mut self.around(node));
                self.advance(attempt, node, progress);
            }
        }
    }

    fn around<'run>(&'run mut self, node: &'run Node) -> Surroundings<'run> {
        Surroundings {
            node,
            dialect: self.order.dialect,
            nano_usd_left: self.budget.meter.nano_usd_left(),
            caches: &mut self.caches,
            variables: &mut self.variables,
            now: self.trace.notices.now(),
            trace: &mut self.trace,
            is_stopping: self.is_stopping,
        }
    }

    fn with_attempt(
        &mut self,
        mut attempt: Attempt,
        go: impl FnOnce(&mut Attempt, &mut Surroundings<'_>) -> Progress,
    ) {
        let routes = self.routes.clone();
        let Some(node) = routes.node(attempt.at()) else {
            return self.finish(Ending::Completed);
        };
        let progress = go(&mut attempt, &mut self.around(node));
        self.advance(attempt, node, progress);
    }

    fn advance(&mut self, mut attempt: Attempt, node: &Node, mut progress: Progress) {
        loop {
            match progress {
                Progress::Do(action) => {
                    self.state = State::Executing(Box::new(attempt));
                    return self.begin(action, node);
                }
                Progress::Retry => {
                    if let Err(refusal) = self.budget.steps(1) {
                        return self.refuse(refusal, Some(node.id));
                    }
                    progress = attempt.try_it(&mut self.around(node));
                }
                Progress::Completed => {
                    if has_checks(node) {
                        self.check_pass.note(node.id, attempt.into_evidence());
                    }
                    self.state = State::At(self.routes.next(node.id, None), false);
                    return;
                }
                Progress::Failed(fault) => return self.fail(node, fault),
                Progress::Stopped => return self.finish(Ending::Stopped),
            }
        }
    }

    fn begin(&mut self, action: Action, node: &Node) {
        if let Err(refusal) = self.send(action) {
            self.refuse(refusal, Some(node.id));
        }
    }

    fn send(&mut self, action: Action) -> Result<(), Refusal> {
        let permission = self.budget.begin(&action)?;
        self.commands.begin(action, permission);
        Ok(())
    }

    /// Repeats a call whose answer was lost, under its number. Ends the run if the budget does not allow this.
    fn repeat(&mut self, lost: &LostCall) {
        let Some(command) = self.commands.settle(lost.command) else {
            return;
        };
        match self.budget.begin_again(&command, lost) {
            Ok(permission) => self.commands.begin_again(command, permission),
            Err(refusal) => {
                let node = self.node_under_way();
                self.refuse(refusal, node);
            }
        }
    }

    fn fail(&mut self, node: &Node, fault: Fault) {
        let error = fault.error.clone();
        self.trace.tell_of(node, NoticeKind::NodeFailed { error });
        let why = if fault.is_unknown {
            WhyFailed::UnknownOutcome
        } else {
            WhyFailed::Node
        };
        self.finish(Ending::Failed {
            why,
            node: Some(node.id),
            message: fault.error,
        });
    }

    fn node_under_way(&self) -> Option<NodeId> {
        match &self.state {
            State::Executing(attempt) => self.routes.node(attempt.at()).map(|node| node.id),
            _ => None,
        }
    }

    fn refuse(&mut self, refusal: Refusal, node: Option<NodeId>) {
        self.commands.forget();
        self.finish(Ending::Failed {
            why: refusal.why,
            node,
            message: refusal.message,
        });
    }

    /// Ends the walk. If any node has checks, these are judged before the run ends.
    fn finish(&mut self, ending: Ending) {
        let Some(question) = self.check_pass.question(&self.routes) else {
            return self.end(ending);
        };
        let chat = Action::Chat(question);
        match self.send(chat) {
            Ok(()) => self.state = State::Checking(ending),
            Err(refusal) => self.judge(ending, Err(&refusal.message)),
        }
    }

    fn take_judgement(&mut self, ending: Ending, outcome: &Outcome) {
        let reply = match outcome {
            Outcome::Chatted(Ok(reply)) => Ok(reply.text.as_str()),
            Outcome::Chatted(Err(failure)) => Err(failure.detail()),
            _ => Err("an answer came that fits no question"),
        };
        self.judge(ending, reply);
    }

    fn judge(&mut self, ending: Ending, reply: Result<&str, &str>) {
        let routes = self.routes.clone();
        let Some(node) = self.check_pass.node(&routes) else {
            return self.end(ending);
        };
        let judgement = self.check_pass.judge(node, reply);
        for verdict in judgement.verdicts {
            let told = NoticeKind::CheckEvaluated(verdict);
            self.trace.tell_of(node, told);
        }
        let counts = self.order.dialect == Dialect::Strict && ending == Ending::Completed;
        match judgement.failed {
            Some(check) if counts => self.end(Ending::Failed {
                why: WhyFailed::Check,
                node: Some(node.id),
                message: format!("The check \"{check}\" of node '{}' failed.", node.name),
            }),
            _ => self.finish(ending),
        }
    }

    fn end(&mut self, ending: Ending) {
        self.trace.tell(NoticeKind::Ended {
            ending: ending.clone(),
            spent: self.budget.spent(),
            events_left_out: self.trace.notices.left_out(),
        });
        self.state = State::Ended(ending);
    }
}
