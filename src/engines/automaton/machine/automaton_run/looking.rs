//! What follows from a look at the page.

use crate::engines::automaton::machine::dialect::Dialect;
use crate::engines::automaton::machine::interface::{
    Action, Decision, Ending, Looked, NoticeKind, Pause, Unmet, WhyFailed,
};
use crate::engines::automaton::machine::matching::{Broken, Passed, passed};
use crate::engines::automaton::machine::walk::{Next, Walk};

use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Begins the loop. The strict dialect looks at once.
    pub(super) fn begin_loop(&mut self) {
        self.walk = Walk::default();
        if self.automaton.states.is_empty() {
            return self.end_loop(WhyFailed::NoStatesProvided, Vec::new());
        }
        let waits = self.terms.dialect == Dialect::NetgentBe8a03a;
        self.begin_round(waits);
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
        let looks = self.has_acted_unseen && self.terms.dialect == Dialect::Strict;
        let mut look = self.look_action();
        if let Action::Look { queries, .. } = &mut look {
            // Nothing is waited for any more.
            for query in queries {
                query.timeout_ms = 0;
            }
        }
        if looks && self.commands.begin(look, &mut self.budget).is_ok() {
            self.phase = Phase::Closing(message);
        } else {
            self.complete(message);
        }
    }

    /// Takes in what came of the last actions.
    pub(super) fn take_last_look(&mut self, message: String, looked: &Looked) {
        let signals = &looked.view.signals;
        let dialect = self.terms.dialect;
        let passed = passed(&self.automaton, signals, &self.queries, dialect);
        let passed = passed.map_or_else(|_| Vec::new(), |passed| passed.states);
        self.tell_look(looked, passed, Decision::End);
        self.complete(message);
    }

    pub(super) fn wait(&mut self, ms: u64, pause: Pause, phase: Phase) {
        self.trace.tell(NoticeKind::Waiting { ms, pause });
        self.begin(Action::Wait { ms }, phase);
    }

    /// Decides what follows from a look.
    pub(super) fn decide(&mut self, looked: &Looked) {
        let Some(passed) = self.passed(looked) else {
            return;
        };
        let terms = &self.terms;
        let next = self.walk.decide(
            &passed.states,
            self.budget.runtime_ms(),
            &self.automaton,
            &terms.settings,
            terms.dialect,
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
            return self.begin_making(why);
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

    /// Returns the states that a page passes. Returns `None` where the run has ended, since the original
    /// would have broken.
    pub(super) fn passed(&mut self, looked: &Looked) -> Option<Passed> {
        let signals = &looked.view.signals;
        match passed(&self.automaton, signals, &self.queries, self.terms.dialect) {
            Ok(passed) => Some(passed),
            Err(broken) => {
                self.tell_look(looked, Vec::new(), Decision::Crash);
                self.crash(broken);
                None
            }
        }
    }

    pub(super) fn tell_look(&mut self, looked: &Looked, passed: Vec<usize>, decision: Decision) {
        self.trace.tell(NoticeKind::Looked {
            url: looked.view.signals.url.clone(),
            picture: looked.picture.clone(),
            passed,
            decision,
        });
    }

    fn crash(&mut self, broken: Broken) {
        let what = if broken.is_script {
            "needs the page's script, which has failed"
        } else {
            "is of no known type"
        };
        let message = format!(
            "Check {} of state {} {what}; the original program would have broken here.",
            broken.check.saturating_add(1),
            broken.state.saturating_add(1),
        );
        self.end(Ending::Failed {
            why: WhyFailed::Crash,
            message,
            unmet: vec![Unmet {
                state: broken.state,
                check: Some(broken.check),
            }],
        });
    }
}
