//! The elements that were there in a run.

use crate::engines::automaton::machine::actions::{Locator, Step};
use crate::engines::automaton::machine::grammar::Text;
use crate::engines::automaton::machine::states::{Automaton, Line};
use crate::page::{By, Query, Signals};
use crate::sorted::SortedSet;

/// The elements that were there in a run, by how they are found.
#[derive(Debug, Clone, Default)]
pub(super) struct ElementsMet {
    /// Each way and selector as a file has them, with references instead of the values of parameters.
    locators: SortedSet<String>,
}

impl ElementsMet {
    pub(super) fn has(&self, locator: &Locator) -> bool {
        self.locators.contains(&locator.to_string())
    }

    pub(super) fn add(&mut self, locator: &Locator) {
        self.locators.insert(locator.to_string());
    }

    /// Adds the elements that a look has found: those that the browser was asked for, and those with a fallback
    /// that the page's script lists by their selectors.
    pub(super) fn add_seen(&mut self, automaton: &Automaton, queries: &[Query], signals: &Signals) {
        for query in signals.found.iter().filter_map(|at| queries.get(*at)) {
            self.add(&Locator {
                by: query.by,
                selector: Text::literal(query.selector.as_str()),
            });
        }
        let is_css = |locator: &&Locator| locator.by == By::CssSelector;
        let mut wanted = with_fallbacks(automaton).filter(is_css).peekable();
        if wanted.peek().is_none() {
            return;
        }
        let items = signals.items.iter().flatten();
        let listed: SortedSet<&str> = items.map(|item| item.selector.as_str()).collect();
        let is_listed = |selector: &str| !selector.is_empty() && listed.contains(selector);
        for locator in wanted {
            if locator.selector.as_literal().is_some_and(is_listed) {
                self.add(locator);
            }
        }
    }
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
