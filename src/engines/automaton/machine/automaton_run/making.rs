//! A state that models make where no state passes, and the loop that begins anew with it.
//!
//! //= seed 001, Synthesis and Regeneration

use std::rc::Rc;

use crate::engines::automaton::machine::dialect::Dialect;
use crate::engines::automaton::machine::interface::{Action, MakeState, NoticeKind, WhyFailed};
use crate::engines::automaton::machine::synthesis::{Answers, MadeState, Offer, chosen, offers};
use crate::engines::automaton::machine::walk::Walk;
use crate::page::Signals;

use super::seen_elements::look_queries;
use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Returns whether a state can be made where the loop has ended so.
    pub(super) fn can_make(&self, why: &WhyFailed) -> bool {
        let is_missing = matches!(
            why,
            WhyFailed::NoStatesProvided | WhyFailed::NoStatesTimeout
        );
        is_missing && !self.terms.prompts.is_empty()
    }

    /// Looks at what the page offers.
    pub(super) fn begin_making(&mut self, why: WhyFailed) {
        if self.terms.dialect == Dialect::Strict {
            return self.begin_composing(why);
        }
        self.trace.tell(NoticeKind::Making { why });
        self.look(Phase::Offering);
    }

    /// Asks models for a state of a page.
    pub(super) fn make(&mut self, signals: &Signals) {
        let offers = offers(signals);
        self.trace.tell(NoticeKind::Offered {
            offers: offers.iter().map(ToString::to_string).collect(),
        });
        let action = Action::MakeState(MakeState {
            prompts: self.terms.prompts.clone(),
            offers: offers.clone(),
            history: self.history(),
        });
        self.begin(action, Phase::Making(offers));
    }

    /// Takes the models' answers in, and begins the loop anew with the state that becomes of them.
    pub(super) fn take_answers(&mut self, offers: &[Offer], result: Result<Answers, String>) {
        let answers = match result {
            Ok(answers) => answers,
            Err(says) => return self.fail(WhyFailed::Synthesis, says),
        };
        let Some(prompt) = chosen(&self.terms.prompts, &answers.choice) else {
            let says =
                "The answer chooses none of the prompts; the original would have broken here.";
            return self.fail(WhyFailed::Crash, says);
        };
        let end = prompt.has_words_at_end().then(|| prompt.end_state.clone());
        match MadeState::of(prompt, offers, &answers) {
            Ok(made) => {
                self.add(made);
                match end {
                    Some(message) => self.complete(message),
                    None => self.begin_round(true),
                }
            }
            Err(why) => self.fail(WhyFailed::Synthesis, format!("No state was made: {why}.")),
        }
    }

    /// Puts a state before all others. The loop forgets what ran.
    fn add(&mut self, made: MadeState) {
        let MadeState { state, written } = made;
        if state.checks.is_empty() {
            let says = "the state that was made has no checks, so it passes on every page.";
            self.trace.warn(Some(0), says);
        }
        self.history = self.history();
        self.history
            .push((state.name.clone(), state.description.clone()));
        self.walk = Walk::default();
        Rc::make_mut(&mut self.automaton).states.insert(0, state);
        self.queries = look_queries(&self.automaton, self.terms.dialect);
        self.trace.tell(NoticeKind::StateMade { written });
    }

    /// Returns the name and the description of each state that ran or was made, in order.
    pub(super) fn history(&self) -> Vec<(String, String)> {
        let ran = self.walk.executed().iter().filter_map(|at| {
            let state = self.automaton.states.get(*at)?;
            Some((state.name.clone(), state.description.clone()))
        });
        self.history.iter().cloned().chain(ran).collect()
    }
}
