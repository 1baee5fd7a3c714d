//! Which answers of a run a fork of it gets.

use super::answer_entry::AnswerEntry;
use super::engine::Engine;
use super::entry::Entry;
use crate::sorted::SortedMap;

/// The answers of a run for a fork of it: one for each call, successes only, and also those that
/// the run had itself from an earlier one.
#[must_use]
pub fn answers_to_inherit<E: Engine>(entries: Vec<Entry<E>>) -> Vec<AnswerEntry<E>> {
    let answers = entries.into_iter().filter_map(|entry| match entry {
        Entry::Inherited(answer) | Entry::Answer(answer) => Some(answer),
        _ => None,
    });
    let answers = answers.filter(AnswerEntry::is_success);
    let by_key: SortedMap<E::Key, AnswerEntry<E>> = answers
        .map(|answer| (answer.key().clone(), answer))
        .collect();
    by_key.into_values().collect()
}
