//! What follows from a look at the page.

use crate::machine::interface::{
    Action, Decision, Ending, Looked, NoticeKind, Pause, Unmet, WhyFailed,
};
use crate::machine::matching::{Passed, passed};
use crate::machine::walk::{Next, Walk};

use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Begins the loop, with a look at once.
    pub(super) fn begin_loop(&mut self) {
        self.walk = Walk::default();
        if self.automaton.states.is_empty() {
            return self.end_loop(WhyFailed::NoStatesProvided, Vec::new());
        }
        self.begin_round(false);
    }

    /// Begins the next round: the time before the look, if it has one, and the look.
    pub(super) fn begin_round(&mut self, waits: bool) {
        if self.walk.is_over(&self.terms.settings) {
            let limit = self.terms.settings.recursion_limit;
            let message = format!("The run has executed all of its {limit} states.");
            return self.fail(WhyFailed::RecursionLimit, message);
        }
        let ms = self.terms.settings.transition_period_ms;
        if waits && ms > 0 {
            self.wait(ms, Pause::Transition, Phase::Pausing);
        } else {
            self.look(Phase::Looking);
        }
    }

    pub(super) fn look(&mut self, phase: Phase) {
        let look = self.look_action();
        self.begin(look, phase);
    }

    fn look_action(&self) -> Action {
        Action::Look {
            queries: self.queries.clone(),
            wants_elements: false,
            wants_picture: self.terms.keeps_pictures,
        }
    }

    /// Ends the run with the words of a state's end. What came of its last actions is looked at before,
    /// where the budget allows it.
    pub(super) fn close(&mut self, message: String) {
        let mut look = self.look_action();
        if let Action::Look { queries, .. } = &mut look {
            // Nothing is waited for any more.
            for query in queries {
                query.timeout_ms = 0;
            }
        }
        if self.has_acted_unseen && self.commands.begin(look, &mut self.budget).is_ok() {
            self.phase = Phase::Closing(message);
        } else {
            self.complete(message);
        }
    }

    /// Takes in what came of the last actions.
    pub(super) fn take_last_look(&mut self, message: String, looked: &Looked) {
        let signals = &looked.view.signals;
        let passed = passed(&self.automaton, signals, &self.queries);
        self.tell_look(looked, passed.states, Decision::End);
        self.complete(message);
    }

    pub(super) fn wait(&mut self, ms: u64, pause: Pause, phase: Phase) {
        self.trace.tell(NoticeKind::Waiting { ms, pause });
        self.begin(Action::Wait { ms }, phase);
    }

    /// Decides what follows from a look.
    pub(super) fn decide(&mut self, looked: &Looked) {
        let passed = self.passed(looked);
        let terms = &self.terms;
        let next = self.walk.decide(
            &passed.states,
            self.budget.runtime_ms(),
            &self.automaton,
            &terms.settings,
        );
        self.remember(&looked.view, passed.states.first().copied());
        self.tell_look(looked, passed.states, next.decision());
        match next {
            Next::Run(state) => {
                self.prove_again(state);
                self.enter(state);
            }
            Next::Wait => self.begin_round(true),
            Next::Repeat(state, surprise) => {
                if let Some(surprise) = surprise {
                    self.trace.warn(Some(state), surprise);
                }
                self.begin_round(true);
            }
            Next::End(why) => {
                if !self.reviews(&why, looked) {
                    self.end_loop(why, passed.unmet);
                }
            }
        }
    }

    /// Ends the loop, and the run with it unless a state can be made.
    pub(super) fn end_loop(&mut self, why: WhyFailed, unmet: Vec<Unmet>) {
        if self.can_make(&why) {
            return self.begin_composing(why);
        }
        let message = self.says(&why);
        let is_missing = why == WhyFailed::NoStatesTimeout;
        let ending = Ending::Failed {
            why,
            message,
            unmet,
        };
        if is_missing {
            self.examine(ending, None);
        } else {
            self.end(ending);
        }
    }

    pub(super) fn passed(&self, looked: &Looked) -> Passed {
        passed(&self.automaton, &looked.view.signals, &self.queries)
    }

    pub(super) fn tell_look(&mut self, looked: &Looked, passed: Vec<usize>, decision: Decision) {
        self.trace.tell(NoticeKind::Looked {
            url: looked.view.signals.url.clone(),
            picture: looked.picture.clone(),
            passed,
            decision,
        });
    }
}
