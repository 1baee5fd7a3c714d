//! What in an automaton surprises, and is told before its run.

use crate::machine::states::{Automaton, Line, State};

/// Something in a state that does not do what it seems to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The surprise, in one sentence about the state.
    pub says: &'static str,
}

/// Returns what in an automaton surprises, by the order of its states.
#[must_use]
pub fn surprises(automaton: &Automaton) -> Vec<Surprise> {
    let mut found = Vec::new();
    for (at, state) in automaton.states.iter().enumerate() {
        let before = automaton.states.iter().take(at);
        let has_namesake = before.clone().any(|other| other.name == state.name);
        let says = surprises_of(state, has_namesake).into_iter().flatten();
        found.extend(says.map(|says| Surprise { state: at, says }));
    }
    found
}

fn surprises_of(state: &State, has_namesake: bool) -> [Option<&'static str>; 6] {
    let is_call = |line: &Line| matches!(line, Line::Terminate { is_call: true });
    let is_passed_over = |line: &Line| matches!(line, Line::PassedOver(_));
    [
        state
            .checks
            .is_empty()
            .then_some("it has no checks, so it never passes."),
        has_namesake.then_some("a state before it has its name; they count as two states."),
        state
            .continuity
            .misspelt
            .is_some()
            .then_some("`continous` is read as `continuous`."),
        (state.end.is_some() && !state.has_words_at_end())
            .then_some("its end is blank, and counts as none."),
        state
            .lines
            .iter()
            .any(is_call)
            .then_some("`terminate` is no function of the old format; its actions end there."),
        state
            .lines
            .iter()
            .any(is_passed_over)
            .then_some("an action would write a file, and is passed over."),
    ]
}
