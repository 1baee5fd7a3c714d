//! The critical path of a run: its duration if every call only waited for the calls that it needs.

use std::collections::BTreeMap;

use investigation::machine::{Action, Answer, Command};
use kernel::CommandId;

use super::call_schedule::duration_ms;

/// The length of the longest chain of dependent calls.
///
/// A call starts as soon as the calls that it needs have ended, and ends after its usual duration:
///
/// - A fetch starts when the search that found its photo's address has ended. If several searches found it, the last
///   answered one counts. The other photos of that search do not delay the fetch.
/// - A recognition starts at the end of its fetch.
/// - A search and a planner call start when all calls answered before the request have ended: the machine decided by
///   all of them.
///
/// The critical path is the latest end of all answered calls. It assumes unlimited concurrency, and omits calls that
/// were not requested. So it is the least time in which any scheduler could make the same calls.
#[derive(Debug, Default)]
pub(super) struct CriticalPath {
    /// The earliest possible end of each requested call, in milliseconds.
    ends: BTreeMap<CommandId, u64>,
    /// The end of the search that found each photo, by the photo's address.
    found: BTreeMap<String, u64>,
    /// The latest end of the calls answered so far.
    answered: u64,
}

impl CriticalPath {
    /// Records a command of the machine.
    pub(super) fn ask(&mut self, command: &Command) {
        let begin = match &command.action {
            Action::Search { .. }
            | Action::Plan(_)
            | Action::Capture { .. }
            | Action::Lives(_)
            | Action::Recall(_)
            | Action::Connect(_)
            | Action::FetchKnown { .. } => None,
            Action::Fetch { image_url, .. } => self.found.get(image_url).copied(),
            Action::Recognise { fetched_by } => self.ends.get(fetched_by).copied(),
        };
        let end = begin.unwrap_or(self.answered) + duration_ms(&command.action);
        self.ends.insert(command.id, end);
    }

    /// Records an answer to the machine.
    pub(super) fn answer(&mut self, answer: &Answer) {
        let end = self.ends.get(&answer.command).copied().unwrap_or(0);
        self.answered = self.answered.max(end);
        if let Some(Ok(found)) = answer.outcome.search_result() {
            let found = found.hits.into_iter().map(|hit| (hit.image_url, end));
            self.found.extend(found);
        }
    }

    /// Returns the length so far, in milliseconds.
    pub(super) fn length_ms(&self) -> u64 {
        self.answered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Hit, ListPage, NamedPerson, PhotoCopy, SearchQuestion, Sha256Digest, Wording};
    use investigation::machine::{Fetched, Outcome};

    /// Requests and answers a call before the next one is requested, as at the frugal pace.
    fn call(path: &mut CriticalPath, id: u32, action: Action) {
        let outcome = match &action {
            Action::Search { question, .. } => {
                let hits = question.people.iter().map(|person| Hit {
                    image_url: person.name.clone(),
                    ..Hit::default()
                });
                Outcome::Searched(Ok(hits.collect()))
            }
            Action::Fetch { .. } => Outcome::Fetched(Ok(Fetched {
                provenance: domain::Provenance::default(),
                remembered: None,
                sent: None,
                fingerprint: None,
                digest: Sha256Digest::new([0; 32]),
                copy: PhotoCopy::Image,
            })),
            _ => Outcome::Recognised(Ok(investigation::machine::Recognised::default())),
        };
        let command = CommandId(id);
        path.ask(&Command {
            id: command,
            attempts_max: 1,
            throttled_max: 0,
            time_left_ms: 1,
            silence_ms_max: 1,
            action,
        });
        path.answer(&Answer {
            command,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
            outcome,
            remarks: Vec::new(),
        });
    }

    fn search(path: &mut CriticalPath, id: u32, urls: &str) {
        let found = urls.split_whitespace().map(|url| NamedPerson {
            name: url.to_owned(),
            number: None,
        });
        let question = SearchQuestion {
            people: found.collect(),
            wording: Wording::Names,
        };
        let action = Action::Search {
            question,
            count: 5,
            part: ListPage::default(),
            asked_before: Vec::new(),
        };
        call(path, id, action);
    }

    fn look(path: &mut CriticalPath, id: u32, url: &str) {
        let image_url = url.to_owned();
        let fetch = Action::Fetch {
            image_url,
            original_url: None,
            thumbnail_url: None,
            may_convert: false,
        };
        call(path, id, fetch);
        let fetched_by = CommandId(id);
        call(path, id + 1, Action::Recognise { fetched_by });
    }

    #[test]
    fn photos_of_one_search_do_not_wait_for_each_other() {
        let mut path = CriticalPath::default();
        search(&mut path, 1, "one two three");
        assert_eq!(path.length_ms(), 300);
        look(&mut path, 2, "one");
        look(&mut path, 4, "two");
        look(&mut path, 6, "three");
        assert_eq!(path.length_ms(), 300 + 400 + 500);
    }

    #[test]
    fn a_search_waits_for_all_that_the_machine_knew() {
        let mut path = CriticalPath::default();
        search(&mut path, 1, "one two");
        look(&mut path, 2, "one");
        search(&mut path, 4, "three");
        assert_eq!(path.length_ms(), 1_200 + 300);
        look(&mut path, 5, "three");
        assert_eq!(path.length_ms(), 2_400);
        // This photo was found by the first search.
        look(&mut path, 7, "two");
        assert_eq!(path.length_ms(), 2_400);
    }
}
