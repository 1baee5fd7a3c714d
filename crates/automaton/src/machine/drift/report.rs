//! The report of a page that has drifted.

use serde_json::{Value, json};

use domain::page::{PageView, Query};

use crate::machine::actions::Step;
use crate::machine::states::{Automaton, Line};

use super::gone::Gone;
use super::nearest::{Nearest, nearest};

/// The longest text of a page in a report, in characters.
const TEXT_CHARS_MAX: usize = 2_000;

/// The part of a state that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A check does not hold.
    Check {
        /// The position of the check in its state, from 0.
        position: usize,
    },
    /// An action failed.
    Action {
        /// The number of the action in its state, from 1.
        line: u32,
    },
}

/// A state that failed on a page, and what of the page is nearest to what it looks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    state: usize,
    name: String,
    fault: Fault,
    written: Value,
    url: Option<String>,
    title: String,
    gone: Option<Gone>,
    nearest: Option<Nearest>,
}

impl Drift {
    /// Compares a state that failed with the page, which was asked these questions. Returns `None` where the
    /// automaton has no such part.
    #[must_use]
    pub fn of(
        automaton: &Automaton,
        state: usize,
        fault: Fault,
        view: &PageView,
        queries: &[Query],
    ) -> Option<Self> {
        let (written, gone) = part_of(automaton, state, fault)?;
        let failed = automaton.states.get(state)?;
        // What is there is not gone, whatever else kept it from being found or acted on.
        let gone = gone.filter(|gone| {
            let query = gone.query();
            let at = queries
                .iter()
                .position(|asked| Some(asked) == query.as_ref());
            !at.is_some_and(|at| view.signals.found.contains(&at))
        });
        Some(Self {
            state,
            name: failed.name.clone(),
            fault,
            written,
            url: view.signals.url.clone(),
            title: view.title.clone(),
            nearest: gone.as_ref().and_then(|gone| nearest(gone, view)),
            gone,
        })
    }

    /// Returns the selector or the text that is gone, and the nearest one that is there.
    #[must_use]
    pub fn gone(&self) -> Option<(&str, Option<&Nearest>)> {
        let gone = self.gone.as_ref()?;
        Some((&gone.written, self.nearest.as_ref()))
    }

    /// Returns how alike the nearest part of the page is to what is gone, in thousandths.
    #[must_use]
    pub fn likeness_permille(&self) -> u32 {
        let nearest = self.nearest.as_ref();
        nearest.map_or(0, |nearest| nearest.likeness_permille)
    }

    /// Returns the report in the form in which it is told:
    /// `{state: {position, name}, check: {position, is} | action: {line, is}, page: {url, title}, gone,
    /// nearest: {selector, text, likeness_permille}}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let (word, part) = match self.fault {
            Fault::Check { position } => {
                ("check", json!({"position": position, "is": self.written}))
            }
            Fault::Action { line } => ("action", json!({"line": line, "is": self.written})),
        };
        let nearest = self.nearest.as_ref().map(|nearest| {
            json!({
                "selector": cut(&nearest.selector),
                "text": cut(&nearest.text),
                "likeness_permille": nearest.likeness_permille,
            })
        });
        json!({
            "state": {"position": self.state, "name": self.name},
            word: part,
            "page": {"url": self.url.as_deref().map(cut), "title": cut(&self.title)},
            "gone": self.gone.as_ref().map(|gone| cut(&gone.written)),
            "nearest": nearest,
        })
    }
}

/// Returns the question whether what a part of a state looks for is on the page, seen or not.
#[must_use]
pub fn presence(automaton: &Automaton, state: usize, fault: Fault) -> Option<Query> {
    part_of(automaton, state, fault)?.1?.query()
}

/// Returns a part of a state as it is written, and what it looks for on a page.
fn part_of(automaton: &Automaton, state: usize, fault: Fault) -> Option<(Value, Option<Gone>)> {
    let failed = automaton.states.get(state)?;
    Some(match fault {
        Fault::Check { position } => {
            let check = failed.checks.get(position)?;
            (check.to_json(), Gone::of_check(check))
        }
        Fault::Action { line } => {
            let at = usize::try_from(line).ok()?.checked_sub(1)?;
            let line = failed.lines.get(at)?;
            let action = match line {
                Line::Call {
                    step: Ok(Step::Act(action)),
                    ..
                } => Some(action),
                _ => None,
            };
            (line.to_json(), action.and_then(Gone::of_action))
        }
    })
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT_CHARS_MAX).collect()
}
