//! The machine of an automaton: it takes one input at a time, looks, decides, and acts until it waits.
//! It alone writes the state.

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

/// The most failures that are told.
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
    /// The pages that were seen, where models make states.
    pages: Pages,
    /// The state or the action that models are making.
    making: Option<Box<Making>>,
    /// The state that was made last, until another one runs.
    fresh: Option<Box<Making>>,
    /// The action that was regenerated, until it has been carried out.
    tried: Option<Tried>,
    changes: Changes,
    /// Whether an action was sent that may not be repeated.
    has_sent_once: bool,
    /// Whether an action was sent since the page was last seen.
    has_acted_unseen: bool,
    /// The elements that were there.
    seen_elements: SeenElements,
    /// What was remarked since the last action was sent.
    remarked: BTreeSet<String>,
    /// The number of browsers that were lost.
    lost_browsers: u32,
    /// The page as it was seen last.
    last_look: Option<Looked>,
    is_stopping: bool,
    phase: Phase,
}

/// The parts of the order that count at each step.
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
    /// Makes a machine for this order. Nothing happens before [`Input::Start`].
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
            remarked: BTreeSet::default(),
            lost_browsers: 0,
            last_look: None,
            is_stopping: false,
            phase: Phase::Fresh,
        })
    }

    /// Takes one input in at a time. An answer that is not waited for is ignored.
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
            // The run never ends while something is under way.
            Input::Withdrawn { .. } => {}
            Input::Remark(remark) => self.tell(NoticeKind::Remark(remark)),
            Input::Resumed { lost } => {
                // The pause is not the run's time.
                self.budget.meter.pause(passed_ms);
                for call in &lost {
                    self.repeat(call);
                }
            }
        }
    }

    /// Returns the oldest notice not yet told.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.trace.take_next()
    }

    /// Returns the oldest command not yet carried out.
    pub fn next_command(&mut self) -> Option<Command> {
        self.commands.take_next()
    }

    /// Returns whether the last notice is out.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended(_))
    }

    /// Returns how the run ended. Returns `None` where it has not ended.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.phase {
            Phase::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns what was spent until the last input.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.budget.spent(self.walk.executed().len())
    }

    /// Returns how long the run may take, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.budget.meter.runtime_ms_max
    }

    /// Returns the positions of the states that were executed, in order.
    #[must_use]
    pub fn executed(&self) -> &[usize] {
        self.walk.executed()
    }

    /// Returns the names of the states that ran, in order.
    #[must_use]
    pub fn history_names(&self) -> Vec<String> {
        let ran = self.walk.executed().iter();
        let names = ran.filter_map(|at| self.automaton.states.get(*at));
        names.map(|state| state.name.clone()).collect()
    }

    /// Returns the automaton that is executed.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Returns the number of notices that were counted and not told.
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

    /// Ends the run at once: the call under way is ended by now, or never began.
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
            // What a page does again and again is told once after each action.
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
            (Phase::Acting(visit), Outcome::Acted(result)) => self.take_result(visit, result),
            (Phase::Acting(visit), Outcome::Investigated(result)) => self.take_chain(visit, result),
            _ => self.fail(
                WhyFailed::Browser,
                "An answer came that fits nothing that was asked.",
            ),
        }
    }

    /// Returns an outcome with the page of the last look where nothing has changed since.
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

    /// Asks for a lost call again, under its number. An action of the browser that may have been carried out is
    /// not asked for again.
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

    /// Ends the command that is under way, which is among the lost calls if it had begun. Returns whether
    /// it is an action of the browser that may have been carried out.
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

    /// Tells a surprise, of a state if it is one.
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

    /// Ends the run with the words of a state's end.
    fn complete(&mut self, message: String) {
        let last = self.last_look.as_ref();
        let read = last.map(|looked| PageRead::of(&looked.view));
        self.end(Ending::Completed { message, read });
    }

    fn end(&mut self, ending: Ending) {
        self.give_back_unfinished();
        self.tell(NoticeKind::Ended {
            drift: self.changes.report(&self.automaton),
            ending: ending.clone(),
            spent: self.budget.spent(self.walk.executed().len()),
            left_out: self.trace.left_out(),
        });
        self.phase = Phase::Ended(ending);
    }

    /// Returns the sentence about a failure of the loop.
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

    /// Returns the position of a state, from 1, and its name, for a sentence.
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

/// The phase of a run: what it waits for, and what it goes on with then.
#[derive(Debug, Clone)]
enum Phase {
    /// Nothing has begun.
    Fresh,
    /// The time before a look passes.
    Pausing,
    /// The page is looked at.
    Looking,
    /// The time before an action of a state passes.
    Spacing(Visit),
    /// An action of a state is carried out.
    Acting(Visit),
    /// The page is looked at, since it is unknown whether an action was carried out.
    Recovering(Visit),
    /// The page is looked at for a question to a model.
    Composing,
    /// A model is asked.
    Asking,
    /// The page is reloaded.
    Reloading,
    /// The page is looked at for what has failed, before the run ends.
    Examining(Examined),
    /// The page is looked at for what came of the last actions, before the run ends with these words.
    Closing(String),
    /// The run is over.
    Ended(Ending),
}

/// An action that failed.
struct Failed {
    place: Place,
    cause: Cause,
    message: String,
}

/// An action that was regenerated, until it has been carried out.
#[derive(Debug, Clone)]
struct Tried {
    place: Place,
    /// The action as it was.
    old: Line,
    /// The number of times that it was regenerated.
    times: u32,
}

/// A run that ends once the page was looked at.
#[derive(Debug, Clone)]
struct Examined {
    ending: Ending,
    /// The states that failed, and the part of each.
    failed: Vec<(usize, Fault)>,
}

/// What of the automaton failed and was made during the run.
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

    /// Notes a check or an action that failed on a page.
    fn add_failure(&mut self, drift: &Drift) {
        if self.failures.len() < FAILURES_MAX {
            self.failures.push(drift.to_json());
        }
    }

    /// Notes a state that was made.
    fn add_made(&mut self, name: &str) {
        self.made.push(name.to_owned());
    }

    /// Notes a state of which a part was regenerated.
    fn add_regenerated(&mut self, name: &str) {
        if !self.regenerated.iter().any(|known| known == name) {
            self.regenerated.push(name.to_owned());
        }
    }

    /// Returns what failed and what was made, and in what the automaton differs from the one that the run
    /// began with. Returns `None` where nothing failed and nothing was made.
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
