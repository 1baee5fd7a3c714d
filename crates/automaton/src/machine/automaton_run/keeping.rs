//! A state that models made: how it comes into the automaton, and whether it is kept.

use std::rc::Rc;

use domain::page::PageView;

use crate::machine::interface::{Action, NoticeKind, Proof};
use crate::machine::making::{Chosen, Goal, PageDigest, Stage, TriggerQuestion, stays};
use crate::machine::states::{Continuity, State};
use crate::machine::visit::Visit;

use super::seen_elements::look_queries;
use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Remembers a page, and which state passes there, where models make states.
    pub(super) fn remember(&mut self, view: &PageView, owner: Option<usize>) {
        if self.terms.prompts.is_empty() {
            return;
        }
        let owner = owner.and_then(|at| self.automaton.states.get(at));
        let owner = owner.map(|state| state.name.as_str());
        self.pages.note(PageDigest::of(&view.signals), owner);
    }

    /// Takes a state for proven that models made and that passes again.
    pub(super) fn prove_again(&mut self, state: usize) {
        let known = self.automaton.states.get(state);
        if known.is_some_and(|state| state.is_unproven) {
            self.change(state, |state| state.is_unproven = false);
            self.tell_kept(state, Some(Proof::SecondVisit));
        }
    }

    /// Changes a state of the automaton.
    pub(super) fn change(&mut self, state: usize, change: impl FnOnce(&mut State)) {
        if let Some(state) = Rc::make_mut(&mut self.automaton).states.get_mut(state) {
            change(state);
            *state = state.clone().in_later_format();
        }
        self.queries = look_queries(&self.automaton);
    }

    pub(super) fn tell_kept(&mut self, state: usize, proof: Option<Proof>) {
        let known = self.automaton.states.get(state);
        let written = known.map(State::to_json).unwrap_or_default();
        self.trace.tell(NoticeKind::StateKept {
            state,
            proof,
            written,
        });
    }

    /// Takes the triggers for the state's checks, if they hold at a second look.
    pub(super) fn confirm(&mut self, now: &PageDigest) {
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

    /// Asks for triggers again, among those that the page offers now.
    fn identify_again(&mut self, why: &str) {
        let own = self.making.as_ref().and_then(|making| making.old);
        let own = own.and_then(|at| self.automaton.states.get(at));
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

    /// Tells why triggers that a model has chosen do not count, and asks for others.
    pub(super) fn refuse_triggers(&mut self, why: &str) {
        self.trace.warn(None, why);
        self.ask_again(why);
    }

    /// Puts the new state before all others, and asks for its first action.
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
        self.trace.tell(NoticeKind::StateMade { written });
        self.trace.tell(NoticeKind::StateEntered { state: 0, name });
        if has_actions {
            self.ask();
        } else {
            self.finish();
        }
    }

    /// Gives a state of the automaton the checks that were chosen.
    pub(super) fn change_checks(&mut self, state: usize) {
        let Some(making) = self.making.as_ref() else {
            return;
        };
        let checks = making.checks.clone();
        self.change(state, |state| {
            state.checks = checks;
            state.is_unproven = true;
        });
        let written = self.automaton.states.get(state).map(State::to_json);
        self.trace.tell(NoticeKind::StateChanged {
            state,
            written: written.unwrap_or_default(),
        });
    }

    /// Carries out what a model has chosen, or ends the state with it.
    pub(super) fn take_chosen(&mut self, chosen: Chosen) {
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

    /// Ends the new state, if it does what it should and its checks tell it from the page that follows.
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

    /// Loads the page anew where all that was done may be done again and the page is still there;
    /// otherwise the state stays unproven until it passes again.
    pub(super) fn reload_or_keep(&mut self) {
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

    /// Keeps the state if its checks held after the page was loaded anew.
    pub(super) fn prove(&mut self, now: &PageDigest) {
        let checks = self.making.as_ref().map(|making| &making.checks);
        if checks.is_some_and(|checks| now.holds_all(checks)) {
            return self.keep(Some(Proof::Reload));
        }
        self.identify_again("The triggers chosen did not hold after the page was loaded anew.");
    }

    /// Keeps the state that was made, and goes on with it.
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

    /// Takes out of the automaton what was not made to its end.
    pub(super) fn give_back_unfinished(&mut self) {
        let making = self.making.take();
        let has_new = making.is_some_and(|making| making.is_inserted);
        if has_new && !self.automaton.states.is_empty() {
            drop(Rc::make_mut(&mut self.automaton).states.remove(0));
            self.queries = look_queries(&self.automaton);
            self.trace.tell(NoticeKind::StateDropped);
        }
        self.give_back_tried();
    }
}
