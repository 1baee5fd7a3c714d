//! The investigation as an engine with stored forms, and the answers of an earlier run for a run that
//! was forked from it.

mod call_key;
mod hits;
mod order;
mod outcome;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use domain::{FoundHits, ListPage};
use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta};
use engine::{BrowserAddressForm, Engine, Machine, OrderError, OrderSummary};
use kernel::Millis;
use platform::events::{EventKinds, WireEvent};
use serde_json::Value;

use crate::events::{KINDS, interrupted_event, wire_event};
use crate::machine::{Action, Command, CommandId, Input, Investigation, Outcome};

use crate::record::{LastEvent, decisions_json, documents};

use call_key::PhotoSources;
use outcome::OutcomeForm;

pub use call_key::{CallKey, PhotoSource};
pub use order::Order;
pub use outcome::is_success;

/// The search for a chain between two people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvestigationEngine;

impl Machine for InvestigationEngine {
    type State = Investigation;
    type Order = Order;
    type Action = Action;
    type Outcome = Outcome;

    const STOP_ENDS_CALLS: bool = true;

    fn begin(order: &Order) -> Result<Investigation, OrderError> {
        order.request().map(Investigation::new)
    }

    fn handle(state: &mut Investigation, input: Input, now: Millis) {
        state.handle(input, now);
    }

    fn next_command(state: &mut Investigation) -> Option<Command> {
        state.next_command()
    }

    fn is_ended(state: &Investigation) -> bool {
        state.is_ended()
    }

    fn is_withdrawing(state: &Investigation) -> bool {
        state.is_withdrawing()
    }
}

impl Engine for InvestigationEngine {
    type Key = CallKey;
    type OutcomeForm = OutcomeForm;
    type Note = InvestigationNote;
    type Memory = PhotoSources;

    const ORDER_TAG: Option<&'static str> = None;
    /// An answer to a search has about a hundred kilobytes.
    const ENTRY_WEIGHT_MAX: usize = 1_000_000;
    /// An order may have two people and twenty names to avoid, all escaped.
    const ORDER_BYTES_MAX: usize = 64 * 1024;

    fn key(action: &Action, memory: &PhotoSources) -> CallKey {
        let digest = match action {
            Action::Recognise { fetched_by } => memory.photo(*fetched_by),
            _ => None,
        };
        CallKey::of(action, digest.map(PhotoSource::digest))
    }

    fn remember(memory: &mut PhotoSources, command: CommandId, action: Action, outcome: &Outcome) {
        memory.note(command, action, outcome);
    }

    fn form(outcome: &Outcome) -> OutcomeForm {
        OutcomeForm::of(outcome)
    }

    fn outcome(form: OutcomeForm) -> Option<Outcome> {
        form.read().ok()
    }

    fn is_success(form: &OutcomeForm) -> bool {
        form.is_success()
    }

    fn inherited(answers: &BTreeMap<CallKey, Outcome>, key: &CallKey) -> Option<Outcome> {
        inherited(answers, key)
    }

    const KINDS: EventKinds = KINDS;

    fn next_event(
        state: &mut Investigation,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = state.next_notice()?;
        Some(wire_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_event(run, number, now, stored)
    }

    fn documents(keys: &Keys, state: &Investigation, meta: &RunMeta, is_end: bool) -> Documents {
        documents(keys, state, meta, is_end)
    }

    fn paid_call(key: &CallKey) -> Option<(&'static str, &str)> {
        key.paid_call()
    }

    fn is_answered(outcome: &Outcome) -> bool {
        is_success(outcome)
    }

    fn runtime_ms_max(state: &Investigation) -> u64 {
        state.request().limits.runtime_ms_max
    }

    fn decisions(state: &Investigation, from: usize) -> Vec<Value> {
        let decisions = state.decisions().get(from..).unwrap_or_default();
        decisions_json(decisions)
    }

    /// Returns the number of people and edges that are known.
    fn steps(state: &Investigation) -> u64 {
        let knowledge = state.knowledge();
        let (people, _) = knowledge.people().iter().size_hint();
        let (edges, _) = knowledge.together().edges().size_hint();
        u64::try_from(people.saturating_add(edges)).unwrap_or(u64::MAX)
    }

    fn summary(order: &Order) -> OrderSummary {
        match order.request() {
            Ok(request) => OrderSummary {
                plan: request.limits.plan.as_str(),
                named: vec![
                    ("personA", request.person_a.as_str().to_owned()),
                    ("personB", request.person_b.as_str().to_owned()),
                ],
            },
            Err(_) => OrderSummary {
                plan: "unknown",
                named: Vec::new(),
            },
        }
    }

    /// Returns what a run has spent by its last event, where it ended by itself. That event counts
    /// every attempt that was sent, lost ones too.
    fn spent(last_event: &str) -> Option<Amount> {
        serde_json::from_str::<LastEvent>(last_event).ok()?.amount()
    }

    /// Returns whether the attempt was sent. Number 0 is a photo that is fetched again.
    fn may_cost(attempt: u32, _nano_usd: u64) -> bool {
        attempt > 0
    }
}

/// What another process needs to go on with an investigation, written down before anything is done by
/// it. All calls are asked again, but a browser is there only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InvestigationNote {
    /// The address of the run's browser, as far as it is known.
    Browser(BrowserAddressForm),
    /// The run's browser is gone; the next page begins another one.
    Gone,
}

/// Returns the answer to a call. A search for fewer photos is answered by one for more. Where one of
/// both does not say which image search is meant, as in the one-sided plan and before 0.8.0, any is.
fn inherited(by_key: &BTreeMap<CallKey, Outcome>, key: &CallKey) -> Option<Outcome> {
    if let Some(outcome) = by_key.get(key) {
        return Some(outcome.clone());
    }
    let (list, count) = list_of(key)?;
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    // The search for most photos comes last.
    by_key.iter().rev().find_map(|(known, outcome)| {
        let (known, known_count) = list_of(known)?;
        let Outcome::Searched(Ok(found)) = outcome else {
            return None;
        };
        let answered_by = found.part.source.as_ref().or(known.source);
        let is_same = (known.query, known.wikidata) == (list.query, list.wikidata)
            && is_one_source(known.source, list.source)
            && is_one_source(answered_by, list.source);
        // An answer with fewer hits than are wanted may be what is left of more, so that only one
        // with enough is an answer, or one that was asked for as many.
        let is_enough = known_count == count || found.hits.len() >= wanted;
        (is_same && is_enough).then(|| {
            let source = list.source.or(answered_by);
            Outcome::Searched(Ok(FoundHits {
                hits: found.hits.iter().take(wanted).cloned().collect(),
                part: ListPage {
                    source: source.cloned(),
                    page: 0,
                },
                has_more: found.has_more || found.hits.len() > wanted,
            }))
        })
    })
}

/// A list that an image search gives, whose beginning is asked for.
struct AskedList<'key> {
    query: &'key String,
    wikidata: &'key [String],
    source: Option<&'key String>,
}

/// Returns which list a search begins, and how many hits it asks for. Further pages begin where so
/// many hits end, so that they answer no other search.
fn list_of(key: &CallKey) -> Option<(AskedList<'_>, u32)> {
    let CallKey::Search {
        query,
        count,
        wikidata,
        source,
        page: 0,
    } = key
    else {
        return None;
    };
    let list = AskedList {
        query,
        wikidata,
        source: source.as_ref(),
    };
    Some((list, *count))
}

fn is_one_source(one: Option<&String>, other: Option<&String>) -> bool {
    one.is_none() || other.is_none() || one == other
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Hit;

    fn hits(count: usize) -> Vec<Hit> {
        let hit = |number: usize| Hit {
            image_url: format!("https://a.example/{number}.jpg"),
            ..Hit::default()
        };
        (0..count).map(hit).collect()
    }

    fn search(count: u32) -> CallKey {
        CallKey::Search {
            query: "A".into(),
            count,
            wikidata: Vec::new(),
            source: None,
            page: 0,
        }
    }

    fn known(count: u32, found: usize) -> BTreeMap<CallKey, Outcome> {
        BTreeMap::from([(search(count), Outcome::Searched(Ok(hits(found).into())))])
    }

    fn found(known: &BTreeMap<CallKey, Outcome>, count: u32) -> Option<usize> {
        match inherited(known, &search(count))? {
            Outcome::Searched(Ok(found)) => Some(found.hits.len()),
            _ => None,
        }
    }

    #[test]
    fn a_search_is_answered_by_one_for_more_photos_that_found_enough() {
        let full = known(5, 5);
        assert_eq!(
            [3, 5, 6].map(|count| found(&full, count)),
            [Some(3), Some(5), None]
        );
        let few = known(5, 2);
        assert_eq!(
            [1, 3, 5, 10].map(|count| found(&few, count)),
            [Some(1), None, Some(2), None]
        );
    }

    #[test]
    fn an_answer_of_nobody_in_particular_answers_for_any_and_one_of_another_does_not() {
        let of = |source: Option<&str>| CallKey::Search {
            query: "A".into(),
            count: 5,
            wikidata: Vec::new(),
            source: source.map(Into::into),
            page: 0,
        };
        let found_by = |source: Option<&str>| {
            Outcome::Searched(Ok(FoundHits {
                part: ListPage {
                    source: source.map(Into::into),
                    page: 0,
                },
                ..FoundHits::from(hits(5))
            }))
        };
        let answer = |known: CallKey, outcome: Outcome, key: CallKey| {
            let known = BTreeMap::from([(known, outcome)]);
            inherited(&known, &key).is_some()
        };
        let commons = Some("commons");
        assert!(answer(of(None), found_by(None), of(commons)));
        assert!(answer(of(commons), found_by(commons), of(None)));
        assert!(answer(of(None), found_by(commons), of(commons)));
        assert!(!answer(of(None), found_by(Some("brave")), of(commons)));
        assert!(!answer(
            of(Some("brave")),
            found_by(Some("brave")),
            of(commons)
        ));
    }
}
