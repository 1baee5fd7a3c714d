//! A whole automaton.

use domain::page::Query;

use crate::machine::grammar::Call;

use super::state::{Check, Line, State};

/// The most different elements that the browser is asked for at a look.
pub(super) const QUERIES_MAX: usize = 500;

/// A finite-state machine for web pages: states, of which the newest usually stands first. Where the
/// page goes from one to the next is not written; each look says where it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Automaton {
    /// The states, in the order in which they are written.
    pub states: Vec<State>,
}

impl Automaton {
    /// Returns the names of the parameters that the actions refer to, in order; a name may come again.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let lines = self.states.iter().flat_map(|state| &state.lines);
        let calls = lines.filter_map(|line| match line {
            Line::Call { call, .. } => Some(call),
            _ => None,
        });
        calls.flat_map(Call::parameters)
    }

    /// Returns the questions for the browser that the checks have, each once, in order.
    #[must_use]
    pub fn queries(&self) -> Vec<Query> {
        let mut queries: Vec<Query> = Vec::new();
        for check in self.states.iter().flat_map(|state| &state.checks) {
            if let Check::Query(query) = check
                && !queries.contains(query)
            {
                queries.push(query.clone());
                if queries.len() > QUERIES_MAX {
                    break;
                }
            }
        }
        queries
    }
}
