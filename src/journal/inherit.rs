//! Which answers of a run a fork of it gets.

use std::collections::BTreeMap;

use super::answer_entry::AnswerEntry;
use super::engine::Engine;
use super::entry::Entry;

/// The answers of a run for a fork of it: one for each call, successes only, and also those that
/// the run had itself from an earlier one.
#[must_use]
pub fn answers_to_inherit<E: Engine>(entries: Vec<Entry<E>>) -> Vec<AnswerEntry<E>> {
    let mut answers = BTreeMap::new();
    for entry in entries {
        if let Entry::Inherited(answer) | Entry::Answer(answer) = entry
            && answer.is_success()
        {
            answers.insert(answer.key().clone(), answer);
        }
    }
    answers.into_values().collect()
}
