//! The choice of a run's answers that a fork of it gets.

use std::collections::BTreeMap;

use crate::Engine;

use super::answer_entry::AnswerEntry;
use super::entry::Entry;
use super::rebuild::RebuiltRun;

/// Returns the answers of a run for a fork of it: one for each call, successes only, and also those that
/// the run itself has from an earlier one. Where a point is named, these are the answers that came before
/// the run [reached](crate::Stored::reaches) it; all of them where it never did.
#[must_use]
pub fn answers_to_inherit<E: Engine>(
    entries: Vec<Entry<E>>,
    point: Option<&str>,
) -> Vec<AnswerEntry<E>> {
    let entries = match point {
        Some(point) => before(entries, point),
        None => entries,
    };
    let answers = entries.into_iter().filter_map(|entry| match entry {
        Entry::Inherited(answer) | Entry::Answer(answer) => Some(answer),
        _ => None,
    });
    let answers = answers.filter(AnswerEntry::is_success);
    let by_key: BTreeMap<E::Key, AnswerEntry<E>> = answers
        .map(|answer| (answer.key().clone(), answer))
        .collect();
    by_key.into_values().collect()
}

fn before<E: Engine>(entries: Vec<Entry<E>>, point: &str) -> Vec<Entry<E>> {
    let mut before = Vec::new();
    let mut rebuilt: Option<RebuiltRun<E>> = None;
    for entry in entries {
        before.push(entry.clone());
        match (&mut rebuilt, entry) {
            (None, Entry::Opened(opened)) => rebuilt = RebuiltRun::new(opened).ok(),
            (Some(rebuilt), entry) => {
                if rebuilt.apply(entry).is_err() || reaches(rebuilt, point) {
                    break;
                }
            }
            (None, _) => {}
        }
    }
    before
}

/// Returns whether one of the events since the last look tells of the point.
fn reaches<E: Engine>(rebuilt: &mut RebuiltRun<E>, point: &str) -> bool {
    let events = rebuilt.take_events();
    events.iter().any(|event| E::reaches(event, point))
}
