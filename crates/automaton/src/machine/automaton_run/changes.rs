//! What of the automaton failed and was made during the run.

use std::rc::Rc;

use serde_json::{Value, json};

use crate::machine::drift::{Drift, difference};
use crate::machine::states::Automaton;

/// The most failures that are told.
const FAILURES_MAX: usize = 20;

/// What of the automaton failed and was made during the run.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    original: Rc<Automaton>,
    failures: Vec<Value>,
    made: Vec<String>,
    regenerated: Vec<String>,
}

impl Changes {
    pub(super) fn of(original: &Rc<Automaton>) -> Self {
        Self {
            original: Rc::clone(original),
            failures: Vec::new(),
            made: Vec::new(),
            regenerated: Vec::new(),
        }
    }

    /// Notes a check or an action that failed on a page.
    pub(super) fn add_failure(&mut self, drift: &Drift) {
        if self.failures.len() < FAILURES_MAX {
            self.failures.push(drift.to_json());
        }
    }

    /// Notes a state that was made.
    pub(super) fn add_made(&mut self, name: &str) {
        self.made.push(name.to_owned());
    }

    /// Notes a state of which a part was made anew.
    pub(super) fn add_regenerated(&mut self, name: &str) {
        if !self.regenerated.iter().any(|known| known == name) {
            self.regenerated.push(name.to_owned());
        }
    }

    /// Returns what failed and what was made, and in what the automaton differs from the one that the run
    /// began with. Returns `None` where nothing failed and nothing was made.
    pub(super) fn report(&self, now: &Automaton) -> Option<Value> {
        let is_empty =
            self.failures.is_empty() && self.made.is_empty() && self.regenerated.is_empty();
        (!is_empty).then(|| {
            json!({
                "failures": self.failures,
                "made": self.made,
                "regenerated": self.regenerated,
                "difference": difference(&self.original, now),
            })
        })
    }
}
