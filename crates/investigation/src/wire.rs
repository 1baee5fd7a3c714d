//! The investigation as an engine with stored forms, and the reuse of an earlier run's answers by a fork.

mod call_key;
mod order;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use domain::page::BrowserAddress;
use domain::{FoundHits, ListPage};
use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta};
use engine::{Engine, Machine, OrderError, OrderSummary};
use kernel::Millis;
use platform::events::{EventKinds, WireEvent};
use serde_json::Value;

use crate::events::{KINDS, interrupted_event, wire_event};
use crate::machine::{Action, Command, CommandId, Input, Investigation, Outcome};

use crate::record::{LastEvent, decisions_json, documents};

use call_key::PhotoSources;

pub use call_key::{CallKey, PhotoSource};
pub use order::Order;

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
    type Note = InvestigationNote;
    type Memory = PhotoSources;

    const ORDER_TAG: Option<&'static str> = None;
    /// The limit is far above what entries need: parsing the answer to a search takes about a hundred kilobytes.
    const ENTRY_WEIGHT_MAX: usize = 1_000_000;
    // The functions that read providers' answers accept only shorter strings.
    const ENTRY_STRING_BYTES_MAX: usize = 8_192;
    const ENTRY_LIST_MAX: usize = 1_000;
    /// The longest order: two people and twenty names to avoid, all escaped.
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

    fn is_success(outcome: &Outcome) -> bool {
        outcome.is_success()
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

    fn runtime_ms_max(state: &Investigation) -> u64 {
        state.request().limits.runtime_ms_max
    }

    fn decisions(state: &Investigation, from: usize) -> Vec<Value> {
        let decisions = state.decisions().get(from..).unwrap_or_default();
        decisions_json(decisions)
    }

    /// Returns the number of known people and edges.
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

    /// Returns what a run spent according to its last event; `None` if the run did not end by itself. The last event
    /// counts every attempt that was sent, including those whose answers were lost.
    fn spent(last_event: &str) -> Option<Amount> {
        serde_json::from_str::<LastEvent>(last_event).ok()?.amount()
    }

    /// Returns whether an attempt may have cost something. An attempt with number 0 is either a photo that is fetched
    /// again, which is free, or its conversion, which has a price.
    fn may_cost(attempt: u32, nano_usd: u64) -> bool {
        attempt > 0 || nano_usd > 0
    }
}

/// A note for another process that may take over the investigation. It is written before the browser is used, because
/// calls can be repeated, but a browser exists only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InvestigationNote {
    /// The address of the run's browser, as far as known.
    Browser(BrowserAddress),
    /// The run's browser was closed; the next page starts another one.
    Gone,
}

pub(crate) fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Returns an earlier run's answer to a call. The answer to a search for more photos also answers a search for fewer.
/// If either key names no image search, as in the one-sided plan and before 0.8.0, the image search is not compared.
fn inherited(by_key: &BTreeMap<CallKey, Outcome>, key: &CallKey) -> Option<Outcome> {
    if let Some(outcome) = by_key.get(key) {
        return Some(outcome.clone());
    }
    let (list, count) = list_of(key)?;
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    // Keys are in ascending order of their counts, so the search for the most photos is tried first.
    by_key.iter().rev().find_map(|(known, outcome)| {
        let (known, known_count) = list_of(known)?;
        let found = outcome.search_result()?.ok()?;
        let answered_by = found.part.source.as_ref().or(known.source);
        let is_same = (known.query, known.wikidata) == (list.query, list.wikidata)
            && is_one_source(known.source, list.source)
            && is_one_source(answered_by, list.source);
        // An answer counts if it has enough hits, or if the same number was requested. Otherwise the request may have
        // cut it short.
        let is_enough = known_count == count || found.hits.len() >= wanted;
        (is_same && is_enough).then(|| {
            let source = list.source.or(answered_by);
            Outcome::from(Ok(FoundHits {
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

/// An image search's list, requested from its beginning.
struct AskedList<'key> {
    query: &'key String,
    wikidata: &'key [String],
    source: Option<&'key String>,
}

/// Returns the list that a search begins, and how many hits it requests. `None` for a further page: it begins after as
/// many hits as were requested before, so it answers no other search.
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
    use crate::machine::{Captured, Fetched, Recognised, Remembered};
    use domain::{
        CalendarDate, CollageCheck, Confidence, Credit, Face, FaceBox, Failure, FailureKind, Hints,
        Hit, PhotoCopy, PhotoFailure, PlanAnswer, Portrait, Provenance, RecalledPerson,
        RecalledPhoto, RecognisedBy, RememberedAnswer, Sha256Digest, Veto,
    };

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
        BTreeMap::from([(search(count), Outcome::Searched(Ok(hits(found))))])
    }

    fn found(known: &BTreeMap<CallKey, Outcome>, count: u32) -> Option<usize> {
        let found = inherited(known, &search(count))?.search_result()?;
        Some(found.ok()?.hits.len())
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
            Outcome::from(Ok(FoundHits {
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

    #[track_caller]
    fn check(outcome: &Outcome, json: &str) {
        assert_eq!(serde_json::to_string(outcome).unwrap(), json);
        let read: Outcome = serde_json::from_str(json).unwrap();
        assert_eq!(&read, outcome);
    }

    #[track_caller]
    fn check_refused(json: &str) {
        let read: Result<Outcome, _> = serde_json::from_str(json);
        assert!(read.is_err(), "{json}");
    }

    #[test]
    fn answers_are_read_back_as_they_were_kept() {
        let found = r#"{"found":{"hits":[{"imageUrl":"https://a.example/1.jpg","contextUrl":"https://a.example/","title":"Both"}],"source":"commons","page":2,"hasMore":true}}"#;
        check(
            &Outcome::Found(FoundHits {
                hits: vec![Hit {
                    image_url: "https://a.example/1.jpg".into(),
                    thumbnail_url: None,
                    context_url: Some("https://a.example/".into()),
                    title: "Both".into(),
                    ..Hit::default()
                }],
                part: ListPage {
                    source: Some("commons".into()),
                    page: 2,
                },
                has_more: true,
            }),
            found,
        );
        check_refused(&found.replace(r#""page":2"#, r#""page":100"#));
        let whole = Outcome::from(Ok(FoundHits::default()));
        check(&whole, r#"{"searched":{"ok":[]}}"#);
        let failure = Failure::new(FailureKind::Throttled, "slow down").after(Some(1_500));
        check(
            &Outcome::Searched(Err(failure)),
            r#"{"searched":{"failed":{"kind":"throttled","detail":"slow down","retryAfterMs":1500}}}"#,
        );
        check(
            &Outcome::Planned(Ok(PlanAnswer {
                next_candidates: vec!["X".into()],
                ..PlanAnswer::default()
            })),
            r#"{"planned":{"ok":{"nextCandidates":["X"],"searchQueries":[],"narration":""}}}"#,
        );
        check(&Outcome::Connected(30), r#"{"connected":30}"#);
        check_refused(r#"{"connected":31}"#);
    }

    #[test]
    fn what_a_provider_says_of_a_photo_is_kept() {
        let hit = Hit {
            image_url: "https://a.example/1.jpg".into(),
            title: "Both".into(),
            credit: Credit {
                author: Some("Ann".into()),
                license: Some("CC0".into()),
                license_url: Some("https://a.example/cc0".into()),
            },
            hints: Hints {
                description: Some("At a gala".into()),
                categories: vec!["Galas".into()],
                depicts: vec!["Q1".into()],
                taken: CalendarDate::new(2009, Some(5), None),
                generated: Some("Template:PD-algorithm".into()),
            },
            ..Hit::default()
        };
        let json = r#"{"imageUrl":"https://a.example/1.jpg","title":"Both","author":"Ann","license":"CC0","licenseUrl":"https://a.example/cc0","description":"At a gala","categories":["Galas"],"depicts":["Q1"],"taken":"2009-05","generated":"Template:PD-algorithm""#;
        check(
            &Outcome::Searched(Ok(vec![hit.clone()])),
            &format!(r#"{{"searched":{{"ok":[{json}}}]}}}}"#),
        );
        let sha = "ab".repeat(32);
        let person = RecalledPerson {
            id: "c1".into(),
            name: "A".into(),
            number: None,
            confidence: Confidence::clamped(99.5),
        };
        let photo = RecalledPhoto {
            digest: Sha256Digest::new([0xAB; 32]),
            hit,
            people: vec![person],
        };
        let json = json.trim_start_matches('{');
        check(
            &Outcome::Recalled(vec![photo]),
            &format!(r#"{{"recalled":[{{"sha256":"{sha}",{json},"people":[["c1","A",99.5]]}}]}}"#),
        );
    }

    #[test]
    fn a_picture_of_a_page_is_named_by_its_digest() {
        let sha = "ab".repeat(32);
        let captured = |size| {
            Outcome::Captured(Ok(Captured {
                digest: Sha256Digest::new([0xAB; 32]),
                media_type: "image/jpeg".into(),
                size,
                at: Millis(5),
            }))
        };
        let begins = format!(r#"{{"captured":{{"ok":{{"sha256":"{sha}","mediaType":"image/jpeg""#);
        check(
            &captured(Some((1_280, 800))),
            &format!(r#"{begins},"size":[1280,800],"at":5}}}}}}"#),
        );
        let json = format!(r#"{begins},"at":5}}}}}}"#);
        check(&captured(None), &json);
        check_refused(&json.replace("abab", "ABAB"));
        check(
            &Outcome::Captured(Err("Why.".into())),
            r#"{"captured":{"failed":"Why."}}"#,
        );
    }

    #[test]
    fn photos_are_named_by_their_digest() {
        let sha = "ab".repeat(32);
        let fetched = |copy, remembered| {
            Outcome::Fetched(Ok(Fetched {
                provenance: Provenance::default(),
                sent: None,
                fingerprint: None,
                remembered,
                digest: Sha256Digest::new([0xAB; 32]),
                copy,
            }))
        };
        check(
            &fetched(PhotoCopy::Thumbnail, None),
            &format!(r#"{{"fetched":{{"ok":{{"sha256":"{sha}","isThumbnail":true}}}}}}"#),
        );
        let answer = RememberedAnswer {
            faces: Vec::new(),
            by: RecognisedBy {
                recogniser: "rekognition".into(),
                model: None,
            },
            candidates: None,
            at_ms: 7,
            body: None,
        };
        let remembered = Remembered::new(answer, CollageCheck::Passed);
        check(
            &fetched(PhotoCopy::Original, Some(Box::new(remembered))),
            &format!(
                r#"{{"fetched":{{"ok":{{"sha256":"{sha}","isThumbnail":false,"isOriginal":true,"remembered":{{"recogniser":"rekognition","at":7,"recognised":{{"faces":[],"by":{{"recogniser":"rekognition"}}}}}}}}}}}}"#
            ),
        );
        check(
            &Outcome::Fetched(Err(PhotoFailure::Unreadable("it is empty".into()))),
            r#"{"fetched":{"failed":{"unreadable":"it is empty"}}}"#,
        );
    }

    #[test]
    fn every_kind_of_failure_has_a_name_of_its_own() {
        for kind in FailureKind::ALL {
            check(
                &Outcome::Recognised(Err(Failure::new(*kind, ""))),
                &format!(
                    r#"{{"recognised":{{"failed":{{"kind":"{}","detail":""}}}}}}"#,
                    kind.as_str()
                ),
            );
        }
        check_refused(r#"{"planned":{"failed":{"kind":"bored","detail":""}}}"#);
    }

    const FACE: &str = r#"{"id":"c1","name":"A","confidence":99.99800109863281,"box":[-0.1,0.2,1.0,0.12345678901234568],"urls":["www.wikidata.org/wiki/Q1"]}"#;

    fn recognised(collage_check: CollageCheck) -> Outcome {
        let face = Face {
            id: "c1".into(),
            name: "A".into(),
            confidence: Confidence::clamped(99.998_001_098_632_81),
            face_box: FaceBox::of_sides([-0.1, 0.2, 1.0, 0.123_456_789_012_345_68]),
            urls: vec!["www.wikidata.org/wiki/Q1".into()],
            portrait: None,
        };
        Outcome::Recognised(Ok(Recognised {
            faces: vec![face],
            collage_check,
            by: None,
        }))
    }

    #[test]
    fn who_recognised_a_face_and_by_which_portrait_stands_beside_it() {
        let stored = r#"{"recognised":{"ok":{"faces":[{"id":"Q1","name":"A","confidence":99.0,"box":[0.1,0.2,0.3,0.4],"portrait":{"imageUrl":"https://a.example/p.jpg","sha256":"4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a","box":{"left":0.5,"top":0.25,"width":0.25,"height":0.5},"author":"B"}}],"by":{"recogniser":"references","model":"m 1"}}}}"#;
        let face = Face {
            id: "Q1".into(),
            name: "A".into(),
            confidence: Confidence::clamped(99.0),
            face_box: FaceBox::of_sides([0.1, 0.2, 0.3, 0.4]),
            urls: Vec::new(),
            portrait: Some(Box::new(Portrait {
                image_url: "https://a.example/p.jpg".into(),
                context_url: None,
                digest: Sha256Digest::of(&[1]),
                face_box: Some(FaceBox::of_sides([0.5, 0.25, 0.25, 0.5])),
                credit: Credit {
                    author: Some("B".into()),
                    ..Credit::default()
                },
            })),
        };
        let by = RecognisedBy {
            recogniser: "references".into(),
            model: Some("m 1".into()),
        };
        let recognised = Recognised {
            by: Some(by),
            ..vec![face].into()
        };
        check(&Outcome::Recognised(Ok(recognised)), stored);
    }

    #[test]
    fn faces_are_a_plain_list_and_a_veto_stands_beside_them() {
        let whole = |seen: &str| format!(r#"{{"recognised":{{"ok":{seen}}}}}"#);
        let with = |word: &str| whole(&format!(r#"{{"faces":[{FACE}],"veto":"{word}"}}"#));
        check(
            &recognised(CollageCheck::Passed),
            &whole(&format!("[{FACE}]")),
        );
        check(
            &recognised(CollageCheck::Doubtful),
            &with(CollageCheck::DOUBTFUL),
        );
        for veto in Veto::ALL {
            check(
                &recognised(CollageCheck::Vetoed(*veto)),
                &with(veto.as_str()),
            );
        }
        check(
            &Outcome::Recognised(Ok(Recognised::default())),
            &whole("[]"),
        );
        for unknown in ["mood", "passed", "vetoed"] {
            check_refused(&with(unknown));
        }
    }

    /// An entry may come from a stranger's file, so its strings and lists are bounded.
    #[test]
    fn an_entry_of_a_longer_string_or_list_than_any_run_makes_is_refused() {
        let entry = |title: usize, categories: usize| {
            let hit = format!(
                r#"{{"imageUrl":"","title":"{}","categories":[{}]}}"#,
                "a".repeat(title),
                vec!["0"; categories].join(",").replace('0', r#""c""#),
            );
            let json = format!(
                r#"{{"answer":{{"command":1,"asked":{{"search":{{"query":"a","count":10}}}},"attempts":1,"nanoUsd":0,"outcome":{{"searched":{{"ok":[{hit}]}}}}}}}}"#
            );
            engine::journal::Entry::<InvestigationEngine>::from_json(&json)
        };
        assert!(entry(8_192, 1_000).is_ok());
        assert!(entry(8_193, 1).is_err());
        assert!(entry(1, 1_001).is_err());
    }
}
