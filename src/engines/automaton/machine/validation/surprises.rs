//! What in an automaton surprises, and is told before its run.

use crate::engines::automaton::machine::dialect::Dialect;
use crate::engines::automaton::machine::states::{Automaton, Check, CheckKind, Line, State};

/// Something in a state that does not do what it seems to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The surprise, in one sentence about the state.
    pub says: &'static str,
}

/// Returns what in an automaton surprises in a dialect, by the order of its states.
#[must_use]
pub fn surprises(automaton: &Automaton, dialect: Dialect) -> Vec<Surprise> {
    let mut found = Vec::new();
    for (at, state) in automaton.states.iter().enumerate() {
        let before = automaton.states.iter().take(at);
        let has_namesake = before.clone().any(|other| other.name == state.name);
        let says = match dialect {
            Dialect::NetgentBe8a03a => in_the_original(state, has_namesake).to_vec(),
            Dialect::Strict => strictly(state, has_namesake).to_vec(),
        };
        let says = says.into_iter().flatten();
        found.extend(says.map(|says| Surprise { state: at, says }));
    }
    found
}

fn in_the_original(state: &State, has_namesake: bool) -> [Option<&'static str>; 7] {
    let has_unread = |line: &Line| matches!(line, Line::Unread(_) | Line::Terminate { .. });
    let is_unknown = |check: &Check| {
        matches!(
            check,
            Check::Signal {
                kind: CheckKind::Unknown,
                ..
            }
        )
    };
    let has_no_text = |check: &Check| matches!(check, Check::Signal { kind, value: None } if *kind != CheckKind::Unknown);
    [
        state
            .checks
            .is_empty()
            .then_some("it has no checks, so it passes on every page."),
        has_namesake.then_some("a state before it has its name, so the one repeats the other."),
        state.checks.iter().any(is_unknown).then_some(
            "it has a check of no known type, at which the run breaks once anything is visible.",
        ),
        state
            .checks
            .iter()
            .any(has_no_text)
            .then_some("a check compares with something that is no text, so it never holds."),
        state.lines.iter().any(has_unread).then_some(
            "an action cannot be read; that is noticed only after the actions before it.",
        ),
        (state.continuity.spelt == Some(true) && !state.continuity.holds(Dialect::NetgentBe8a03a))
            .then_some("`continuous` is not read in this dialect, whose word is `continous`."),
        (state.end.is_some() && !state.has_words_at_end())
            .then_some("its end is blank, and counts as an end."),
    ]
}

fn strictly(state: &State, has_namesake: bool) -> [Option<&'static str>; 6] {
    let is_call = |line: &Line| matches!(line, Line::Terminate { unknown: Some(_) });
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
