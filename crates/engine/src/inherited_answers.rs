//! The answers of an earlier run, for a run that was forked from it.

use std::collections::BTreeMap;

use crate::Engine;

/// The successful answers of an earlier run, by what was asked.
#[derive(Debug, Clone)]
pub struct InheritedAnswers<E: Engine> {
    by_key: BTreeMap<E::Key, E::Outcome>,
}

impl<E: Engine> Default for InheritedAnswers<E> {
    fn default() -> Self {
        Self {
            by_key: BTreeMap::new(),
        }
    }
}

impl<E: Engine> InheritedAnswers<E> {
    /// Adds an answer that was a success.
    pub fn insert(&mut self, key: E::Key, outcome: E::Outcome) {
        self.by_key.insert(key, outcome);
    }

    /// Returns the answer to a call.
    #[must_use]
    pub fn answer(&self, key: &E::Key) -> Option<E::Outcome> {
        E::inherited(&self.by_key, key)
    }
}
