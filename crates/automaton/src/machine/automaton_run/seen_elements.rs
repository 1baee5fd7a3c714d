//! The elements that were there in a run.

use std::collections::BTreeSet;

use domain::page::{Query, Signals};

use crate::machine::actions::{Locator, Step};
use crate::machine::grammar::Text;
use crate::machine::states::{Automaton, Line};

/// The most actions with a fallback whose elements looks ask for.
const FALLBACKS_MAX: usize = 200;
/// The elements that were there in a run, by how they are found.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenElements {
    /// Each way and selector as a file has them, with references instead of the values of parameters.
    locators: BTreeSet<String>,
}

impl SeenElements {
    pub(super) fn has(&self, locator: &Locator) -> bool {
        self.locators.contains(&locator.to_string())
    }

    pub(super) fn add(&mut self, locator: &Locator) {
        self.locators.insert(locator.to_string());
    }

    /// Adds the elements that a look has found, which asked these questions.
    pub(super) fn add_seen(&mut self, queries: &[Query], signals: &Signals) {
        for query in signals.found.iter().filter_map(|at| queries.get(*at)) {
            self.add(&Locator {
                by: query.by,
                selector: Text::literal(query.selector.as_str()),
            });
        }
    }
}

/// Returns the questions of each look: those of the checks, and whether the elements with a fallback are
/// there.
pub(super) fn look_queries(automaton: &Automaton) -> Vec<Query> {
    let mut queries = automaton.queries();
    for locator in with_fallbacks(automaton).take(FALLBACKS_MAX) {
        let Some(selector) = locator.selector.as_literal() else {
            continue;
        };
        let query = Query {
            by: locator.by,
            selector: selector.to_owned(),
            is_visible: false,
            timeout_ms: 0,
        };
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}

/// Returns how the elements are found that have a fallback.
fn with_fallbacks(automaton: &Automaton) -> impl Iterator<Item = &Locator> {
    let lines = automaton.states.iter().flat_map(|state| &state.lines);
    lines.filter_map(|line| match line {
        Line::Call {
            step: Ok(Step::Act(action)),
            ..
        } => {
            let target = action.target()?;
            target.fallback.as_ref().map(|_| &target.locator)
        }
        _ => None,
    })
}
