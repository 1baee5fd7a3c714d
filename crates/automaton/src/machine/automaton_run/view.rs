//! The view of a run: what can be seen of it without changing it.

use crate::machine::interface::{Ending, Settings, Spent, WhyFailed};
use crate::machine::states::Automaton;

use super::{AutomatonRun, Phase};

impl AutomatonRun {
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
        self.budget.runtime_ms_max()
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

    /// Returns the sentence about a failure of the loop.
    pub(super) fn says(&self, why: &WhyFailed) -> String {
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
    pub(super) fn name(&self, at: usize) -> String {
        let name = self.automaton.states.get(at).map(|state| &state.name);
        let name = name.map_or("", String::as_str);
        format!("{} {name:?}", at.saturating_add(1))
    }
}
