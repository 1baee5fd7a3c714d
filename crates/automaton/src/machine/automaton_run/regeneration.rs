//! States made by models: which questions are asked about the page, what the answers change, and whether a state is
//! kept.

use std::rc::Rc;

use domain::Failure;
use domain::chat::{ChatQuestion, ChatReply};
use domain::page::PageView;

use crate::machine::drift::Fault;
use crate::machine::interface::{
    Action, AskedAbout, Decision, Looked, NoticeKind, Proof, WhyFailed,
};
use crate::machine::states::{Check, Continuity, Prompt, State};
use crate::machine::synthesis::{
    ActionQuestion, Chosen, Goal, Making, PageDigest, PromptQuestion, Stage, TriggerQuestion, stays,
};

use super::look::look_queries;
use super::visit::Visit;
use super::{AutomatonRun, Phase};

/// The longest part of a model's answer that is emitted, in characters.
const SAYS_CHARS_MAX: usize = 300;

/// What a model has chosen. Each stage of making a state has its own variant.
enum Choice {
    Prompt(Option<usize>),
    Triggers(Vec<Check>),
    Action(Chosen),
}

impl AutomatonRun {
    /// Returns whether models can make a state, after the loop ended for this reason.
    pub(super) fn can_make(&self, why: &WhyFailed) -> bool {
        let is_missing = matches!(
            why,
            WhyFailed::NoStatesProvided | WhyFailed::NoStatesTimeout
        );
        is_missing && !self.terms.prompts.is_empty()
    }

    /// Begins to make a state for a page that matches no state.
    pub(super) fn begin_composing(&mut self, why: WhyFailed) {
        if let Err(refusal) = self.budget.begin_making() {
            return self.refuse(refusal);
        }
        self.tell(NoticeKind::Making { why });
        self.making = Some(Box::new(Making::begin(Goal::State, 0)));
        self.look_closely();
    }

    /// Looks at the page in order to ask a model about it, or to check a model's answer.
    pub(super) fn look_closely(&mut self) {
        let failed = self.making.as_ref().and_then(|making| match making.goal {
            Goal::Action { state, line, .. } => Some((state, Fault::Action { line })),
            Goal::State => None,
        });
        let action = Action::Look {
            queries: self.queries_for(failed.as_slice()),
            wants_elements: true,
            wants_picture: true,
        };
        self.begin(action, Phase::Composing);
    }

    /// Handles a look of [`Self::look_closely`].
    pub(super) fn compose(&mut self, looked: Looked) {
        let stage = self.making.as_ref().map(|making| making.stage);
        if stage == Some(Stage::Choosing) {
            let passed = self.passed(&looked);
            // The page has changed since the loop ended: a state matches it now, so none needs to be made.
            if !passed.states.is_empty() {
                self.making = None;
                return self.decide(&looked);
            }
        }
        self.tell_look(&looked, Vec::new(), Decision::Ask);
        let digest = PageDigest::of(&looked.view.signals);
        self.pages.note(digest.clone(), None);
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.view = looked.view;
        making.picture = looked.picture;
        match (stage, &making.goal) {
            (Some(Stage::Confirming), _) => self.confirm(&digest),
            (Some(Stage::Proving), _) => self.prove(&digest),
            (Some(Stage::Acting), Goal::Action { state, line, .. }) => {
                let failed = (*state, Fault::Action { line: *line });
                let view = making.view.clone();
                self.note_failure(&[failed], &view);
                self.ask();
            }
            _ => self.ask(),
        }
    }

    /// Asks a model the question of the current stage.
    fn ask(&mut self) {
        let Some((about, question)) = self.question() else {
            return self.give_up("there is nothing to ask");
        };
        let attempt = self.making.as_mut().map_or(1, |making| making.ask());
        self.tell(NoticeKind::Asked { about, attempt });
        self.begin(Action::Ask(question), Phase::Asking);
    }

    fn question(&self) -> Option<(AskedAbout, ChatQuestion)> {
        let making = self.making.as_ref()?;
        let (picture, complaint) = (making.picture.as_ref(), making.complaint());
        Some(match making.stage {
            Stage::Choosing => {
                let history = self.history_names();
                let question = self.prompt_question(making, &history);
                (AskedAbout::Prompt, question.chat(picture, &complaint))
            }
            Stage::Identifying => {
                let question = making.triggers.as_ref()?;
                let prompt = self.prompt(making)?;
                (
                    AskedAbout::Triggers,
                    question.chat(prompt, picture, &complaint),
                )
            }
            _ => {
                let question = self.action_question(making)?;
                (AskedAbout::Action, question.chat(picture, &complaint))
            }
        })
    }

    fn prompt(&self, making: &Making) -> Option<&Prompt> {
        self.terms.prompts.get(making.prompt)
    }

    fn prompt_question<'run>(
        &'run self,
        making: &'run Making,
        history: &'run [String],
    ) -> PromptQuestion<'run> {
        PromptQuestion {
            prompts: &self.terms.prompts,
            history,
            view: &making.view,
        }
    }

    fn action_question<'run>(&'run self, making: &'run Making) -> Option<ActionQuestion<'run>> {
        Some(ActionQuestion {
            prompt: self.prompt(making)?,
            parameters: &self.terms.parameters,
            view: &making.view,
            done: &making.done,
            failed: match &making.goal {
                Goal::State => None,
                Goal::Action { failed, .. } => Some(failed),
            },
        })
    }

    /// Handles a model's answer to the question of the current stage.
    pub(super) fn take_reply(&mut self, result: Result<ChatReply, Failure>) {
        let reply = match result {
            Ok(reply) => reply,
            Err(failure) => {
                return self.give_up(&format!("no model answers: {}", failure.detail()));
            }
        };
        let Some((about, choice)) = self.read(&reply) else {
            return self.give_up("there is nothing to ask");
        };
        self.tell(NoticeKind::Answered {
            about,
            says: reply.text.chars().take(SAYS_CHARS_MAX).collect(),
            model: reply.model.chars().take(SAYS_CHARS_MAX).collect(),
            refused: choice.as_ref().err().cloned(),
        });
        match choice {
            Err(why) => self.ask_again(&why),
            Ok(Choice::Prompt(None)) => self.give_up("none of the prompts fits the page"),
            Ok(Choice::Prompt(Some(prompt))) => self.identify(prompt),
            Ok(Choice::Triggers(checks)) => self.take_triggers(checks),
            Ok(Choice::Action(chosen)) => self.take_chosen(chosen),
        }
    }

    fn read(&self, reply: &ChatReply) -> Option<(AskedAbout, Result<Choice, String>)> {
        let making = self.making.as_ref()?;
        let about = match making.stage {
            Stage::Choosing => AskedAbout::Prompt,
            Stage::Identifying => AskedAbout::Triggers,
            _ => AskedAbout::Action,
        };
        if !reply.calls.is_empty() {
            let why = "The answer called a tool, and there is none.";
            return Some((about, Err(why.to_owned())));
        }
        let text = reply.text.as_str();
        let choice = match about {
            AskedAbout::Prompt => self
                .prompt_question(making, &[])
                .read(text)
                .map(Choice::Prompt),
            AskedAbout::Triggers => making.triggers.as_ref()?.read(text).map(Choice::Triggers),
            AskedAbout::Action => self.action_question(making)?.read(text).map(Choice::Action),
        };
        Some((about, choice))
    }

    /// Repeats the question and adds what was wrong with the answer. Gives up after too many attempts.
    fn ask_again(&mut self, why: &str) {
        let Some(making) = self.making.as_mut() else {
            return;
        };
        match making.complain(why) {
            Ok(()) => self.ask(),
            Err(()) => self.give_up(&format!(
                "a model was asked often enough, and its last answer did not count: {why}"
            )),
        }
    }

    /// Asks which triggers of the current page identify the state of a prompt.
    fn identify(&mut self, prompt: usize) {
        let name = self.terms.prompts.get(prompt).map(|prompt| &prompt.name);
        let mut states = self.automaton.states.iter();
        let old = states
            .position(|state| Some(&state.name) == name)
            .filter(|_| self.terms.regenerates);
        let own_name = old.and(name).map(String::as_str);
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.first = PageDigest::of(&making.view.signals);
        let others = self.pages.others(&making.first, own_name);
        let view = old.map(|_| making.view.clone());
        let triggers = TriggerQuestion::of(&making.view, others);
        let offers = triggers.lines();
        making.triggers = Some(triggers);
        making.prompt = prompt;
        making.old = old;
        making.go_to(Stage::Identifying);
        self.tell(NoticeKind::Offered { offers });
        if let (Some(state), Some(view)) = (old, view) {
            self.note_unmet(state, &view);
        }
        self.ask();
    }

    fn take_triggers(&mut self, checks: Vec<Check>) {
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.checks = checks;
        if making.is_inserted {
            self.change_checks(0);
            return self.reload_or_keep();
        }
        if making.is_review {
            return self.end_review();
        }
        making.stage = Stage::Confirming;
        self.look_closely();
    }

    /// Gives up making a state or an action, which ends the run.
    fn give_up(&mut self, why: &str) {
        let goal = self.making.as_ref().map(|making| making.goal.clone());
        if let Some(Goal::Action {
            state,
            line,
            failed,
        }) = goal
        {
            return self.fail_unmended(state, line, &failed, why);
        }
        let making = self
            .making
            .as_ref()
            .filter(|making| making.stage == Stage::Choosing);
        if let Some(view) = making.map(|making| making.view.clone()) {
            self.note_failure(&self.nearest_faults(&view), &view);
        }
        let message = format!("No state was made for the page: {why}.");
        self.fail(WhyFailed::Synthesis, message);
    }

    /// Stores a page, with the state that matches it if any. Does nothing unless models make states.
    pub(super) fn remember(&mut self, view: &PageView, owner: Option<usize>) {
        if self.terms.prompts.is_empty() {
            return;
        }
        let owner = owner
            .and_then(|at| self.automaton.states.get(at))
            .map(|state| state.name.as_str());
        self.pages.note(PageDigest::of(&view.signals), owner);
    }

    /// Marks a model-made state as proven, since it has matched again.
    pub(super) fn prove_again(&mut self, state: usize) {
        let known = self.automaton.states.get(state);
        if known.is_some_and(|state| state.is_unproven) {
            self.change(state, |state| state.is_unproven = false);
            self.tell_kept(state, Some(Proof::SecondVisit));
        }
    }

    /// Changes a state of the automaton, and updates the queries of the looks.
    pub(super) fn change(&mut self, state: usize, change: impl FnOnce(&mut State)) {
        if let Some(state) = Rc::make_mut(&mut self.automaton).states.get_mut(state) {
            change(state);
            *state = state.clone().in_later_format();
        }
        self.queries = look_queries(&self.automaton);
    }

    fn tell_kept(&mut self, state: usize, proof: Option<Proof>) {
        let known = self.automaton.states.get(state);
        let written = known.map(State::to_json).unwrap_or_default();
        self.tell(NoticeKind::StateKept {
            state,
            proof,
            written,
        });
    }

    /// Accepts the chosen triggers as the state's checks if they also hold at a second look; otherwise asks again.
    fn confirm(&mut self, now: &PageDigest) {
        let Some(making) = self.making.as_ref() else {
            return;
        };
        if !now.holds_all(&making.checks) {
            return self.identify_again("The triggers chosen did not hold at a second look.");
        }
        match making.old {
            None => self.insert(),
            Some(state) => {
                self.change_checks(state);
                self.reload_or_keep();
            }
        }
    }

    /// Asks again which triggers identify the state, and offers those of the current page.
    fn identify_again(&mut self, why: &str) {
        let own = self
            .making
            .as_ref()
            .and_then(|making| making.old)
            .and_then(|at| self.automaton.states.get(at));
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.first = PageDigest::of(&making.view.signals);
        let own_name = own.map(|state| state.name.as_str());
        let others = self.pages.others(&making.first, own_name);
        making.triggers = Some(TriggerQuestion::of(&making.view, others));
        making.stage = Stage::Identifying;
        self.refuse_triggers(why);
    }

    /// Emits why the chosen triggers are refused, and asks for other triggers.
    fn refuse_triggers(&mut self, why: &str) {
        self.warn(None, why);
        self.ask_again(why);
    }

    /// Inserts the new state before all other states, and asks for its first action.
    fn insert(&mut self) {
        let Some(making) = self.making.as_mut() else {
            return;
        };
        let Some(prompt) = self.terms.prompts.get(making.prompt) else {
            return;
        };
        let state = State {
            name: prompt.name.clone(),
            description: prompt.description.clone(),
            checks: making.checks.clone(),
            lines: Vec::new(),
            end: prompt.has_words_at_end().then(|| prompt.end_state.clone()),
            continuity: Continuity::default(),
            is_later_format: false,
            is_unproven: true,
            each: None,
        };
        let (state, name) = (state.in_later_format(), prompt.name.clone());
        let has_actions = !prompt.actions.is_empty();
        making.is_inserted = true;
        self.fresh = None;
        making.go_to(Stage::Acting);
        let written = state.to_json();
        Rc::make_mut(&mut self.automaton).states.insert(0, state);
        self.walk.shift();
        self.queries = look_queries(&self.automaton);
        self.tell(NoticeKind::StateMade { written });
        self.tell(NoticeKind::StateEntered { state: 0, name });
        if has_actions {
            self.ask();
        } else {
            self.finish();
        }
    }

    /// Replaces the checks of an existing state by the chosen triggers.
    fn change_checks(&mut self, state: usize) {
        let Some(making) = self.making.as_ref() else {
            return;
        };
        let checks = making.checks.clone();
        self.change(state, |state| {
            state.checks = checks;
            state.is_unproven = true;
        });
        let written = self.automaton.states.get(state).map(State::to_json);
        self.tell(NoticeKind::StateChanged {
            state,
            written: written.unwrap_or_default(),
        });
    }

    /// Executes the action that a model has chosen, or ends the state if the model chose to stop.
    fn take_chosen(&mut self, chosen: Chosen) {
        let goal = self.making.as_ref().map(|making| making.goal.clone());
        match (goal, chosen) {
            (Some(Goal::Action { state, line, .. }), Chosen::Act(new, _)) => {
                self.replace(state, line, *new);
            }
            (Some(Goal::Action { .. }), Chosen::Terminate) => {
                self.give_up("the model knows no other action");
            }
            (_, Chosen::Terminate) => self.finish(),
            (_, Chosen::Act(line, words)) => {
                let begun = self
                    .making
                    .as_mut()
                    .map(|making| making.begin_action(words));
                if let Some(Err(why)) = begun {
                    return self.give_up(&why);
                }
                self.change(0, |state| state.lines.push(*line));
                let lines = self.automaton.states.first().map_or(0, |it| it.lines.len());
                self.go_on(Visit::at(0, lines.saturating_sub(1)));
            }
        }
    }

    /// Ends the new state. Asks again if no action was executed although there are some to choose from, or if the
    /// state's checks also hold on the page that follows its actions.
    fn finish(&mut self) {
        let (Some(state), Some(making)) = (self.automaton.states.first(), self.making.as_mut())
        else {
            return;
        };
        let prompt = self.terms.prompts.get(making.prompt);
        let has_actions = prompt.is_some_and(|prompt| !prompt.actions.is_empty());
        if state.lines.is_empty() && has_actions {
            return self.ask_again("Nothing was done yet of the state's actions.");
        }
        let now = PageDigest::of(&making.view.signals);
        let goes_on = !state.has_words_at_end() && !state.lines.is_empty();
        if goes_on && now != making.first && now.holds_all(&state.checks) {
            making.go_to(Stage::Identifying);
            if let Some(triggers) = making.triggers.as_mut() {
                triggers.tell_from(now);
            }
            return self.refuse_triggers(
                "The triggers chosen also hold on the page that follows the state's actions.",
            );
        }
        self.reload_or_keep();
    }

    /// Reloads the page to prove the state's checks, if every executed action is repeatable and stays on the page.
    /// Otherwise keeps the state as unproven until it matches again.
    fn reload_or_keep(&mut self) {
        let Some(making) = self.making.as_mut() else {
            return;
        };
        let state = self.automaton.states.get(making.old.unwrap_or(0));
        let may_reload = state.is_some_and(|state| state.lines.iter().all(stays));
        if may_reload && !self.has_sent_once {
            making.stage = Stage::Proving;
            self.begin(Action::Reload, Phase::Reloading);
        } else {
            self.keep(None);
        }
    }

    /// Keeps the state if its checks hold after the reload; otherwise asks for other triggers.
    fn prove(&mut self, now: &PageDigest) {
        let checks = self.making.as_ref().map(|making| &making.checks);
        if checks.is_some_and(|checks| now.holds_all(checks)) {
            return self.keep(Some(Proof::Reload));
        }
        self.identify_again("The triggers chosen did not hold after the page was loaded anew.");
    }

    /// Keeps the complete state, and continues with it.
    fn keep(&mut self, proof: Option<Proof>) {
        let Some(making) = self.making.take() else {
            return;
        };
        let state = making.old.unwrap_or(0);
        let is_new = making.old.is_none();
        self.fresh = Some(making);
        self.change(state, |state| state.is_unproven = proof.is_none());
        let kept = self.automaton.states.get(state);
        let (name, lines) =
            kept.map_or_else(Default::default, |it| (it.name.clone(), it.lines.len()));
        self.tell_kept(state, proof);
        if is_new {
            self.changes.add_made(&name);
            self.leave(Visit::at(state, lines), None);
        } else {
            self.changes.add_regenerated(&name);
            self.enter(state);
        }
    }

    /// Removes the unfinished state from the automaton, and restores the original of a regenerated action that was not
    /// executed.
    pub(super) fn give_back_unfinished(&mut self) {
        let making = self.making.take();
        let has_new = making.is_some_and(|making| making.is_inserted);
        if has_new && !self.automaton.states.is_empty() {
            drop(Rc::make_mut(&mut self.automaton).states.remove(0));
            self.queries = look_queries(&self.automaton);
            self.tell(NoticeKind::StateDropped);
        }
        self.give_back_tried();
    }

    /// Asks again for the triggers of the last model-made state if the loop would otherwise end, because this state has
    /// run but still matches on the page that followed. Returns whether it asks.
    pub(super) fn reviews(&mut self, why: &WhyFailed, looked: &Looked) -> bool {
        let passes = |state: usize| match why {
            WhyFailed::StateTimeout { state: known } => *known == state,
            WhyFailed::MultipleStates { states } => states.contains(&state),
            _ => false,
        };
        let last = self.walk.executed().last().copied();
        let now = PageDigest::of(&looked.view.signals);
        let is_fresh = |making: &mut Box<Making>| {
            let state = making.old.unwrap_or(0);
            last == Some(state) && passes(state) && now != making.first
        };
        let Some(mut making) = self.fresh.take_if(is_fresh) else {
            return false;
        };
        making.old = making.old.or(Some(0));
        making.is_inserted = false;
        making.is_review = true;
        if let Some(triggers) = making.triggers.as_mut() {
            triggers.tell_from(now);
        }
        making.go_to(Stage::Identifying);
        self.making = Some(making);
        self.refuse_triggers("The triggers chosen also hold on the page that follows the state.");
        true
    }

    /// Replaces the checks of the reviewed state by the newly chosen triggers, and continues the loop.
    fn end_review(&mut self) {
        let state = self
            .making
            .as_ref()
            .and_then(|making| making.old)
            .unwrap_or(0);
        self.change_checks(state);
        self.making = None;
        self.tell_kept(state, None);
        self.begin_round(false);
    }
}
