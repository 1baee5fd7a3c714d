//! The automaton's state machine. It takes one input at a time, then looks, decides and acts until it must wait. Only
//! this module and its submodules change the state.

mod look;
mod regeneration;
mod visit;

use std::collections::BTreeSet;
use std::rc::Rc;

use domain::page::{BrowserGone, Query};
use kernel::{Commands, LostCall, Millis, Trace};
use serde_json::{Value, json};

use super::budget::{Budget, Refusal};
use super::drift::{Drift, Fault, difference};
use super::extracted::Extracted;
use super::grammar::Cause;
use super::interface::{
    Action, Answer, Command, Ending, Input, Looked, Notice, NoticeKind, OnUnknown, Order, Outcome,
    PageRead, Parameters, Place, Settings, Spent, WhyFailed,
};
use super::states::{Automaton, Line, Prompt};
use super::synthesis::{Making, Pages};
use super::validation::{Finding, check, check_prompts, surprises};
use super::walk::Walk;
use look::{SeenElements, look_queries};
use visit::Visit;

/// The most failures that the report at the end of the run lists.
const FAILURES_MAX: usize = 20;

/// One run of an automaton: see [`kernel`] for how it is driven.
#[derive(Debug, Clone)]
pub struct AutomatonRun {
    automaton: Rc<Automaton>,
    terms: Terms,
    queries: Vec<Query>,
    walk: Walk,
    budget: Budget,
    commands: Commands<Action>,
    trace: Trace<Notice>,
    /// The pages seen so far; empty unless models make states.
    pages: Pages,
    /// The state or action that models are making.
    making: Option<Box<Making>>,
    /// The last state that models completed, until another state runs. Its triggers may still be replaced.
    fresh: Option<Box<Making>>,
    /// The regenerated action that replaces a failed one, until it has been executed.
    tried: Option<Tried>,
    changes: Changes,
    /// Whether an action was sent that is not repeatable.
    has_sent_once: bool,
    /// Whether an action was sent since the last look.
    has_acted_unseen: bool,
    /// The locators of the elements that were found so far.
    seen_elements: SeenElements,
    /// The texts that the run has extracted.
    extracted: Extracted,
    /// The page's remarks since the last action was sent. Each is emitted only once.
    remarked: BTreeSet<String>,
    /// The number of browsers that were lost so far.
    lost_browsers: u32,
    /// The last look at the page. It is reused as the result of a look that finds the page unchanged.
    last_look: Option<Looked>,
    is_stopping: bool,
    phase: Phase,
}

/// The parts of the order that the run needs at each step.
#[derive(Debug, Clone)]
struct Terms {
    settings: Settings,
    parameters: Parameters,
    on_unknown: OnUnknown,
    keeps_pictures: bool,
    regenerates: bool,
    prompts: Vec<Prompt>,
}

impl AutomatonRun {
    /// Makes a machine for this order. It does nothing before [`Input::Start`].
    pub fn new(order: Order) -> Result<Self, Finding> {
        check(&order.automaton, &order.parameters)?;
        check_prompts(&order.prompts)?;
        let automaton = Rc::new(order.automaton);
        Ok(Self {
            queries: look_queries(&automaton),
            changes: Changes::of(&automaton),
            automaton,
            terms: Terms {
                settings: order.settings,
                parameters: order.parameters,
                on_unknown: order.on_unknown,
                keeps_pictures: order.keeps_pictures,
                regenerates: order.regenerates,
                prompts: order.prompts,
            },
            walk: Walk::default(),
            trace: Trace::new(order.limits.notices_max),
            budget: Budget::new(order.limits),
            commands: Commands::default(),
            pages: Pages::default(),
            making: None,
            fresh: None,
            tried: None,
            has_sent_once: false,
            has_acted_unseen: false,
            seen_elements: SeenElements::default(),
            extracted: Extracted::default(),
            remarked: BTreeSet::default(),
            lost_browsers: 0,
            last_look: None,
            is_stopping: false,
            phase: Phase::Fresh,
        })
    }

    /// Handles one input. Ignores an answer to a command that is not in flight.
    pub fn handle(&mut self, input: Input, now: Millis) {
        if self.is_ended() {
            return;
        }
        let passed_ms = self.budget.meter.advance(now);
        self.trace.advance(now);
        match input {
            Input::Start => self.start(),
            Input::Answer(answer) => self.take(answer),
            Input::Stop { lost } => self.stop(&lost),
            // This input reports calls that were in flight when the run ended. An automaton run has none at its end.
            Input::Withdrawn { .. } => {}
            Input::Remark(remark) => self.tell(NoticeKind::Remark(remark)),
            Input::Resumed { lost } => {
                // The pause between two processes does not count as run time.
                self.budget.meter.pause(passed_ms);
                for call in &lost {
                    self.repeat(call);
                }
            }
        }
    }

    /// Returns the oldest pending notice.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.trace.take_next()
    }

    /// Returns the oldest pending command.
    pub fn next_command(&mut self) -> Option<Command> {
        self.commands.take_next()
    }

    /// Returns whether the run has ended. Its last notice may still be pending.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended(_))
    }

    /// Returns how the run ended, or `None` if it has not.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.phase {
            Phase::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns what the run has spent up to the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent(self.walk.executed().len())
    }

    /// Returns the longest duration that the order allows, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.budget.meter.runtime_ms_max
    }

    /// Returns the positions of the executed states, in the order of execution.
    #[must_use]
    pub fn executed(&self) -> &[usize] {
        self.walk.executed()
    }

    /// Returns the names of the executed states, in the order of execution.
    #[must_use]
    pub fn history_names(&self) -> Vec<String> {
        let ran = self.walk.executed().iter();
        let names = ran.filter_map(|at| self.automaton.states.get(*at));
        names.map(|state| state.name.clone()).collect()
    }

    /// Returns the automaton in its current form, with the states that models have made or changed.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Returns the number of notices that were counted but not emitted.
    #[must_use]
    pub fn notices_left_out(&self) -> u64 {
        self.trace.left_out()
    }

    fn start(&mut self) {
        if !matches!(self.phase, Phase::Fresh) {
            return;
        }
        let states = self.automaton.states.len();
        self.tell(NoticeKind::Started { states });
        for surprise in surprises(&self.automaton) {
            self.warn(Some(surprise.state), surprise.says);
        }
        if self.is_stopping {
            return self.end(Ending::Stopped);
        }
        self.begin_loop();
    }

    /// Ends the run at once. `lost` contains the call that was in flight, if it was sent.
    fn stop(&mut self, lost: &[LostCall]) {
        self.is_stopping = true;
        if matches!(self.phase, Phase::Fresh) {
            return;
        }
        let has_lost_action = self.end_command(lost);
        if let (&Phase::Acting(visit), true) = (&self.phase, has_lost_action) {
            let line = visit.place().line;
            let message = format!("action {line} was under way, and may have been carried out.");
            self.warn(Some(visit.state), message);
        }
        self.end(Ending::Stopped);
    }

    fn take(&mut self, answer: Answer) {
        let Some(command) = self.commands.settle(answer.command) else {
            return;
        };
        let outcome = answer.outcome;
        let kept = command.attempts_max;
        self.budget
            .settle(&command.action, kept, answer.attempts, answer.nano_usd);
        for remark in answer.remarks {
            // A page may repeat a remark, which is emitted at most once after each action.
            if self.remarked.insert(remark.clone()) {
                self.warn(None, remark);
            }
        }
        self.has_acted_unseen &= !matches!(outcome, Outcome::Looked(Ok(_)));
        let outcome = self.remembered(outcome);
        match (self.phase.clone(), outcome) {
            (Phase::Pausing, Outcome::Waited) => self.look(Phase::Looking),
            (Phase::Looking, Outcome::Looked(Ok(looked))) => self.decide(&looked),
            (Phase::Recovering(visit), Outcome::Looked(Ok(looked))) => {
                self.take_up(visit, &looked);
            }
            (Phase::Composing, Outcome::Looked(Ok(looked))) => self.compose(looked),
            (Phase::Asking, Outcome::Asked(result)) => self.take_reply(result),
            (Phase::Reloading, Outcome::Reloaded(Ok(()))) => self.look_closely(),
            (Phase::Examining(examined), Outcome::Looked(result)) => {
                self.conclude(examined, result);
            }
            (Phase::Closing(message), Outcome::Looked(Ok(looked))) => {
                self.take_last_look(message, &looked);
            }
            (Phase::Closing(message), Outcome::Looked(Err(BrowserGone(says)))) => {
                let words = format!("what came of the last actions could not be seen: {says}");
                self.warn(None, words);
                self.complete(message);
            }
            (
                _,
                Outcome::Looked(Err(BrowserGone(says))) | Outcome::Reloaded(Err(BrowserGone(says))),
            ) => self.lose_browser(says),
            (Phase::Spacing(visit), Outcome::Waited) => self.act(visit),
            (Phase::Acting(visit), Outcome::Waited) => match self.budget.take_cut() {
                None => self.go_on(visit.pass()),
                Some(refusal) => self.refuse(refusal),
            },
            (Phase::Counting(state), Outcome::Acted(result)) => self.take_count(state, result),
            (Phase::Acting(visit), Outcome::Acted(result)) => self.take_result(visit, result),
            (Phase::Acting(visit), Outcome::Investigated(result)) => self.take_chain(visit, result),
            _ => self.fail(
                WhyFailed::Browser,
                "An answer came that fits nothing that was asked.",
            ),
        }
    }

    /// Returns the outcome. If it says that the page is unchanged since the last look, returns that look instead.
    fn remembered(&mut self, outcome: Outcome) -> Outcome {
        match (outcome, &self.last_look) {
            (Outcome::Unchanged, Some(last)) => Outcome::Looked(Ok(last.clone())),
            (Outcome::Looked(Ok(looked)), _) => {
                let signals = &looked.view.signals;
                self.seen_elements.add_seen(&self.queries, signals);
                self.last_look = Some(looked.clone());
                Outcome::Looked(Ok(looked))
            }
            (outcome, _) => outcome,
        }
    }

    fn begin(&mut self, action: Action, phase: Phase) {
        match self.send(action) {
            Ok(()) => self.phase = phase,
            Err(refusal) => self.refuse(refusal),
        }
    }

    fn send(&mut self, action: Action) -> Result<(), Refusal> {
        let permission = self.budget.begin(&action)?;
        self.commands.begin(action, permission);
        Ok(())
    }

    /// Repeats a lost call under its number. After a lost browser action that may have been executed, looks at the page
    /// instead.
    fn repeat(&mut self, lost: &LostCall) {
        let Some(command) = self.commands.settle(lost.command) else {
            return;
        };
        let (action, kept) = (&command.action, command.attempts_max);
        if matches!(action, Action::Act { .. }) && lost.attempts > 0 {
            self.budget.lose(action, kept, lost);
            return self.recover();
        }
        match self.budget.begin_again(action, kept, lost) {
            Ok(permission) => self.commands.begin_again(command, permission),
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Gives up the command in flight, which is among the lost calls if it was sent. Returns whether it is a browser
    /// action that may have been executed.
    fn end_command(&mut self, lost: &[LostCall]) -> bool {
        let Some(command) = self.commands.forget() else {
            return false;
        };
        let never_began = LostCall::unsent(command.id);
        let mut calls = lost.iter();
        let call = calls
            .find(|call| call.command == command.id)
            .unwrap_or(&never_began);
        self.budget
            .lose(&command.action, command.attempts_max, call);
        matches!(command.action, Action::Act { .. }) && call.attempts > 0
    }

    fn tell(&mut self, kind: NoticeKind) {
        let at = self.trace.now();
        let bounded = |notices| Notice {
            at,
            kind: NoticeKind::Bounded { notices },
        };
        self.trace
            .tell(kind.is_always_told(), Notice { at, kind }, bounded);
    }

    /// Emits a warning about the given state, or about the run.
    fn warn(&mut self, state: Option<usize>, message: impl Into<String>) {
        let message = message.into();
        self.tell(NoticeKind::Warning { state, message });
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.commands.forget();
        self.fail(refusal.why, refusal.message);
    }

    fn fail(&mut self, why: WhyFailed, message: impl Into<String>) {
        self.end(Ending::Failed {
            why,
            message: message.into(),
            unmet: Vec::new(),
        });
    }

    /// Ends the run successfully, with the message of a state's end.
    fn complete(&mut self, message: String) {
        let last = self.last_look.as_ref();
        let read = last.map(|looked| PageRead::of(&looked.view));
        self.end(Ending::Completed { message, read });
    }

    fn end(&mut self, ending: Ending) {
        self.give_back_unfinished();
        self.tell(NoticeKind::Ended {
            drift: self.changes.report(&self.automaton),
            extracted: self.extracted.to_json(),
            ending: ending.clone(),
            spent: self.budget.spent(self.walk.executed().len()),
            left_out: self.trace.left_out(),
        });
        self.phase = Phase::Ended(ending);
    }

    /// Returns the sentence for viewers when the loop of looks and states fails.
    fn says(&self, why: &WhyFailed) -> String {
        let Settings {
            state_timeout_ms,
            no_states_timeout_ms,
            ..
        } = self.terms.settings;
        match why {
            WhyFailed::NoStatesProvided => "The automaton has no state.".to_owned(),
            WhyFailed::NoStatesTimeout => {
                format!("No state has passed for more than {no_states_timeout_ms} ms.")
            }
            WhyFailed::MultipleStates { states } => {
                let names: Vec<String> = states.iter().map(|at| self.name(*at)).collect();
                format!("Several states pass: {}.", names.join(", "))
            }
            WhyFailed::StateTimeout { state } => {
                let name = self.name(*state);
                format!("State {name} has passed for more than {state_timeout_ms} ms.")
            }
            _ => "The run cannot go on.".to_owned(),
        }
    }

    /// Returns a state's position, from 1, and its name, to be used in a sentence.
    fn name(&self, at: usize) -> String {
        let name = self
            .automaton
            .states
            .get(at)
            .map(|state| &state.name)
            .map_or("", String::as_str);
        format!("{} {name:?}", at.saturating_add(1))
    }
}

/// The phase of a run: what it waits for, and how it continues.
#[derive(Debug, Clone)]
enum Phase {
    /// The run has not started.
    Fresh,
    /// Waiting before the next look.
    Pausing,
    /// Looking at the page.
    Looking,
    /// Waiting before an action of a state.
    Spacing(Visit),
    /// Counting the elements that the state with this position goes through.
    Counting(usize),
    /// Executing an action of a state.
    Acting(Visit),
    /// Looking at the page, since it is unknown whether an action was executed.
    Recovering(Visit),
    /// Looking at the page in order to ask a model about it, or to check a model's answer.
    Composing,
    /// Asking a model about the page.
    Asking,
    /// Reloading the page in order to check a model-made state.
    Reloading,
    /// Looking at the page for the cause of a failure before the run ends.
    Examining(Examined),
    /// Looking at the result of the last actions before the run ends with this message.
    Closing(String),
    /// The run has ended.
    Ended(Ending),
}

/// An action that failed, and why.
struct Failed {
    place: Place,
    cause: Cause,
    message: String,
}

/// A regenerated action that has not been executed yet.
#[derive(Debug, Clone)]
struct Tried {
    place: Place,
    /// The original action, which is restored if the run goes on without the regenerated one.
    old: Line,
    /// How often the action was regenerated.
    times: u32,
}

/// A run that ends after one more look, which reports what failed.
#[derive(Debug, Clone)]
struct Examined {
    ending: Ending,
    /// The positions of the states that failed, each with the part that failed.
    failed: Vec<(usize, Fault)>,
}

/// What failed on pages during the run, and what models have made or regenerated.
#[derive(Debug, Clone)]
struct Changes {
    original: Rc<Automaton>,
    failures: Vec<Value>,
    made: Vec<String>,
    regenerated: Vec<String>,
}

impl Changes {
    fn of(original: &Rc<Automaton>) -> Self {
        Self {
            original: Rc::clone(original),
            failures: Vec::new(),
            made: Vec::new(),
            regenerated: Vec::new(),
        }
    }

    /// Records a check or an action that failed on a page, up to the limit.
    fn add_failure(&mut self, drift: &Drift) {
        if self.failures.len() < FAILURES_MAX {
            self.failures.push(drift.to_json());
        }
    }

    /// Records the name of a state that models have made.
    fn add_made(&mut self, name: &str) {
        self.made.push(name.to_owned());
    }

    /// Records the name of a state with a regenerated part.
    fn add_regenerated(&mut self, name: &str) {
        if !self.regenerated.iter().any(|known| known == name) {
            self.regenerated.push(name.to_owned());
        }
    }

    /// Returns the failures, the changed states, and the difference from the original automaton to `now`. Returns
    /// `None` if nothing failed and nothing was made.
    fn report(&self, now: &Automaton) -> Option<Value> {
        let is_empty =
            self.failures.is_empty() && self.made.is_empty() && self.regenerated.is_empty();
        (!is_empty).then(|| {
            json!({
                "failures": self.failures,
                "made": self.made,
                "regenerated": self.regenerated,
                "difference": difference(&self.original, now),
            })
        })
    }
}
