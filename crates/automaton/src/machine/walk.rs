//! The loop's own decisions: which state comes next, and which timer ends the run. It is told what
//! passes and at which time of the run, and knows nothing else.
//!
//! //= seed 001, Execution semantics

use super::interface::{Decision, Settings, WhyFailed};
use super::states::Automaton;

/// The states that ran, and the timers.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    /// The states that ran, in order.
    executed: Vec<usize>,
    /// The time of the run at which the state that ran last was first seen again, in milliseconds.
    repeated_since_ms: Option<u64>,
    /// The time of the run at which no state was first seen to pass, in milliseconds.
    none_since_ms: Option<u64>,
    /// Whether no state passed since the last one ran.
    has_gap: bool,
}

/// The decision that follows from a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// The state is executed.
    Run(usize),
    /// A state is waited for.
    Wait,
    /// The state that ran last is waited for to end. The words are a surprise, if it is one.
    Repeat(usize, Option<&'static str>),
    /// The run ends.
    End(WhyFailed),
}

impl Next {
    /// Returns the decision that is told.
    pub(super) fn decision(&self) -> Decision {
        match self {
            Self::Run(_) => Decision::Run,
            Self::Wait => Decision::Wait,
            Self::Repeat(..) => Decision::Repeat,
            Self::End(_) => Decision::End,
        }
    }
}

impl Walk {
    /// Returns the states that ran, in order.
    pub(super) fn executed(&self) -> &[usize] {
        &self.executed
    }

    /// Notes that a state has run.
    pub(super) fn note(&mut self, state: usize) {
        self.executed.push(state);
        self.none_since_ms = None;
        self.has_gap = false;
    }

    /// Notes that a state now stands before all others.
    pub(super) fn shift(&mut self) {
        for state in &mut self.executed {
            *state = state.saturating_add(1);
        }
    }

    /// Returns whether as many states ran as may run.
    pub(super) fn is_over(&self, settings: &Settings) -> bool {
        let limit = usize::try_from(settings.recursion_limit).unwrap_or(usize::MAX);
        self.executed.len() >= limit
    }

    /// Decides what follows from the states that pass, at this time of the run.
    pub(super) fn decide(
        &mut self,
        passed: &[usize],
        now_ms: u64,
        automaton: &Automaton,
        settings: &Settings,
    ) -> Next {
        let Some(&first) = passed.first() else {
            return self.decide_without(now_ms, settings);
        };
        self.none_since_ms = None;
        if passed.len() > 1 && !settings.allows_multiple_states {
            return Next::End(WhyFailed::MultipleStates {
                states: passed.to_vec(),
            });
        }
        if self.executed.last() != Some(&first) {
            self.repeated_since_ms = None;
            return Next::Run(first);
        }
        let first_state = automaton.states.get(first);
        if first_state.is_some_and(|state| state.continuity.holds()) {
            return Next::Run(first);
        }
        let is_first = self.repeated_since_ms.is_none();
        let since_ms = *self.repeated_since_ms.get_or_insert(now_ms);
        if is_over(since_ms, now_ms, settings.state_timeout_ms) {
            return Next::End(WhyFailed::StateTimeout { state: first });
        }
        Next::Repeat(first, (is_first && self.has_gap).then_some(AFTER_GAP))
    }

    fn decide_without(&mut self, now_ms: u64, settings: &Settings) -> Next {
        self.has_gap = true;
        if settings.no_states_timeout_ms == 0 {
            return Next::End(WhyFailed::NoStatesTimeout);
        }
        let since_ms = *self.none_since_ms.get_or_insert(now_ms);
        if is_over(since_ms, now_ms, settings.no_states_timeout_ms) {
            return Next::End(WhyFailed::NoStatesTimeout);
        }
        Next::Wait
    }
}

/// Returns whether more than a limit has gone by.
fn is_over(since_ms: u64, now_ms: u64, limit_ms: i64) -> bool {
    let passed_ms = now_ms.saturating_sub(since_ms);
    u64::try_from(limit_ms).map_or(true, |limit_ms| passed_ms > limit_ms)
}

const AFTER_GAP: &str =
    "it comes again after a time in which no state passed, and does not run again.";
