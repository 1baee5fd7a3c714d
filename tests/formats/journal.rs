//! The journal's entries and the sealed file's report, pinned: what one version stores, others read.

use domain::{Hit, Limits, ListPage, Name, NamedPerson, SearchQuestion, Sha256Digest, Wording};
use engine::journal::{ENTRY_VERSION, RebuildError, read_entries, rebuild};
use investigation::machine::{Action, Answer, Input, Outcome, Request};
use investigation::wire::{CallKey, InvestigationEngine, Order};
use kernel::{CommandId, LostCall, Millis};
use providers::calls::{AnswerSource, SetAside};
use visual_degrees::sealed::{ReplayError, ReplayLimits, replay};

use crate::search_forms::{AnswerEntry, Entry, Opened};

fn request() -> Request {
    Request {
        sources: Vec::new(),
        person_a: Name::parse("Jean Valjean").unwrap().into(),
        person_b: Name::parse("Cosette").unwrap().into(),
        avoid: Vec::new(),
        limits: Limits::default(),
    }
}

fn opened() -> Opened {
    Opened {
        version: ENTRY_VERSION,
        engine: "0.1.0".into(),
        run: "s1.k3".into(),
        order: Order::new(&request()),
        expires_ms: 7,
        forked_from: None,
        host: None,
    }
}

pub(super) fn search() -> CallKey {
    let named = |name: &str| NamedPerson {
        name: name.into(),
        number: None,
    };
    let question = SearchQuestion {
        people: vec![named("Jean Valjean"), named("Cosette")],
        wording: Wording::Names,
    };
    let count = 10;
    let part = ListPage::default();
    let action = Action::Search {
        question,
        count,
        part,
        asked_before: Vec::new(),
    };
    CallKey::of(&action, None)
}

pub(super) fn answer() -> Answer {
    Answer {
        command: CommandId(1),
        attempts: 2,
        throttled: 0,
        nano_usd: 5_000_000,
        outcome: Outcome::Searched(Ok(vec![Hit {
            image_url: "https://a.example/1.jpg".into(),
            thumbnail_url: None,
            context_url: None,
            title: "Both".into(),
            ..Hit::default()
        }])),
        remarks: Vec::new(),
    }
}

fn entry_of(key: CallKey, source: AnswerSource) -> AnswerEntry {
    AnswerEntry::new(key, &answer(), source)
}

pub(super) fn answer_entry() -> Entry {
    Entry::Answer(entry_of(search(), AnswerSource::default()))
}

#[track_caller]
pub(super) fn check(entry: &Entry, json: &str) {
    assert_eq!(entry.to_json(), json);
    assert_eq!(Entry::from_json(json).unwrap(), *entry);
}

#[test]
fn entry_formats_unchanged() {
    check(
        &Entry::Opened(opened()),
        r#"{"opened":{"version":2,"engine":"0.1.0","run":"s1.k3","order":{"version":1,"personA":"Jean Valjean","personB":"Cosette","avoid":[],"plan":"both-ends","pace":"quick","hops":6,"threshold":80,"images":5,"searches":20,"polish":0,"recognitions":100,"llm":12,"runtimeMs":120000},"expiresMs":7}}"#,
    );
    let at_host = Opened {
        host: Some("degrees.example:8787".into()),
        ..opened()
    };
    let (before, end) = (Entry::Opened(opened()).to_json(), "}}");
    let before = before.strip_suffix(end).unwrap();
    check(
        &Entry::Opened(at_host),
        &format!(r#"{before},"host":"degrees.example:8787"{end}"#),
    );
    check(
        &Entry::intent(CommandId(1), 2, &search(), 0),
        r#"{"intent":{"command":1,"attempt":2,"request":"ec035eef20c3fd6627b4206639f70dd945c5248797626287cb0dc1b93c38dd71"}}"#,
    );
    let body = Sha256Digest::new([0xAB; 32]);
    let sha = "ab".repeat(32);
    let by_body = AnswerSource {
        body: Some(body),
        ..AnswerSource::default()
    };
    check(
        &Entry::Answer(entry_of(search(), by_body)),
        &format!(
            r#"{{"answer":{{"command":1,"asked":{{"search":{{"query":"Jean Valjean Cosette","count":10}}}},"attempts":2,"nanoUsd":5000000,"sha256":"{sha}","outcome":{{"searched":{{"ok":[{{"imageUrl":"https://a.example/1.jpg","title":"Both"}}]}}}}}}}}"#
        ),
    );
    let handed_over = AnswerSource {
        provider: Some("commons".into()),
        set_aside: vec![SetAside {
            provider: "brave".into(),
            until_ms: Some(7),
        }],
        ..AnswerSource::default()
    };
    let told = Answer {
        remarks: vec!["Commons is asked.".into()],
        ..answer()
    };
    check(
        &Entry::Answer(AnswerEntry::new(search(), &told, handed_over)),
        r#"{"answer":{"command":1,"asked":{"search":{"query":"Jean Valjean Cosette","count":10}},"attempts":2,"nanoUsd":5000000,"provider":"commons","setAside":[{"provider":"brave","untilMs":7}],"remarks":["Commons is asked."],"outcome":{"searched":{"ok":[{"imageUrl":"https://a.example/1.jpg","title":"Both"}]}}}}"#,
    );
    check(
        &Entry::intent(CommandId(1), 2, &search(), 5),
        r#"{"intent":{"command":1,"attempt":2,"request":"ec035eef20c3fd6627b4206639f70dd945c5248797626287cb0dc1b93c38dd71","nanoUsd":5}}"#,
    );
    let earlier = AnswerSource {
        is_reused: true,
        ..AnswerSource::default()
    };
    let reused = entry_of(search(), earlier);
    assert!(
        Entry::Inherited(reused)
            .to_json()
            .contains(r#""reused":true"#)
    );
    check(&Entry::Woken { now: 7 }, r#"{"woken":{"now":7}}"#);
    check(
        &Entry::Reading {
            command: CommandId(7),
        },
        r#"{"reading":{"command":7}}"#,
    );
    check(
        &Entry::Read {
            command: CommandId(7),
        },
        r#"{"read":{"command":7}}"#,
    );
    check(
        &Entry::Written { sequence: 7 },
        r#"{"written":{"sequence":7}}"#,
    );
    check(
        &Entry::Interrupted { now: 7 },
        r#"{"interrupted":{"now":7}}"#,
    );
    check(&Entry::Closed {}, r#"{"closed":{}}"#);
}

#[test]
fn input_formats_unchanged() {
    let lost = LostCall {
        command: CommandId(3),
        attempts: 1,
        throttled: 0,
        nano_usd: 5,
    };
    for (input, given) in [
        (Input::Start, r#""start""#),
        (Input::Answer(answer()), r#"{"answer":1}"#),
        (
            Input::Stop {
                lost: vec![lost.clone()],
            },
            r#"{"stop":{"lost":[{"command":3,"attempts":1,"nanoUsd":5}]}}"#,
        ),
        (
            Input::Withdrawn {
                lost: vec![lost.clone()],
            },
            r#"{"withdrawn":{"lost":[{"command":3,"attempts":1,"nanoUsd":5}]}}"#,
        ),
        (Input::Remark("So.".into()), r#"{"remark":"So."}"#),
        (
            Input::Resumed { lost: vec![lost] },
            r#"{"resumed":{"lost":[{"command":3,"attempts":1,"nanoUsd":5}]}}"#,
        ),
    ] {
        check(
            &Entry::input(&input, Millis(7)),
            &format!(r#"{{"input":{{"now":7,"given":{given}}}}}"#),
        );
    }
}

pub(super) fn entries(entries: &[Entry]) -> Vec<Entry> {
    [&[Entry::Opened(opened())], entries].concat()
}

#[test]
fn a_journal_that_fits_no_run_is_refused() {
    let start = Entry::input(&Input::Start, Millis(1));
    let stray = answer_entry();
    let rebuilt = |list: &[Entry]| rebuild(entries(list)).map(|_| ()).unwrap_err();
    // An answer before the machine has asked, and one to a question that it does not ask.
    assert_eq!(
        rebuilt(std::slice::from_ref(&stray)),
        RebuildError::Diverged(CommandId(1))
    );
    let other = CallKey::Search {
        query: "Javert".into(),
        count: 10,
        wikidata: Vec::new(),
        source: None,
        page: 0,
    };
    let other = Entry::Answer(entry_of(other, AnswerSource::default()));
    assert_eq!(
        rebuilt(&[start.clone(), other]),
        RebuildError::Diverged(CommandId(1))
    );
    // An answer that never came.
    let told = Entry::input(&Input::Answer(answer()), Millis(2));
    assert_eq!(
        rebuilt(&[start.clone(), told.clone()]),
        RebuildError::Diverged(CommandId(1))
    );
    assert!(rebuild(entries(&[start.clone(), stray.clone(), told])).is_ok());
    assert_eq!(rebuilt(&[Entry::Opened(opened())]), RebuildError::NotOpened);
    assert_eq!(
        rebuild(vec![start]).map(|_| ()).unwrap_err(),
        RebuildError::NotOpened
    );
    let old = Opened {
        version: 0,
        ..opened()
    };
    assert!(rebuild(vec![Entry::Opened(old)]).is_err());
    assert_eq!(
        read_entries::<InvestigationEngine>(["{}", r#"{"closed":{}}"#]).unwrap_err(),
        RebuildError::Unreadable(1)
    );
}

#[test]
fn what_is_under_way_and_what_has_arrived_are_told_apart() {
    let start = Entry::input(&Input::Start, Millis(1));
    let intent = Entry::intent(CommandId(1), 2, &search(), 0);
    let arrived = answer_entry();
    let asked = rebuild(entries(std::slice::from_ref(&start))).unwrap();
    assert_eq!(asked.in_flight().count(), 0, "nothing was sent yet");
    let sent = rebuild(entries(&[start.clone(), intent.clone()])).unwrap();
    let under_way: Vec<u32> = sent.in_flight().map(|call| call.attempts).collect();
    assert_eq!(under_way, [2]);
    let here = rebuild(entries(&[start.clone(), intent.clone(), arrived])).unwrap();
    assert_eq!(here.in_flight().count(), 0);
    assert_eq!(here.unhandled_answers(), [answer()]);
    let lost = vec![LostCall {
        command: CommandId(1),
        attempts: 2,
        throttled: 0,
        nano_usd: 5,
    }];
    let resumed = Entry::input(&Input::Resumed { lost }, Millis(2));
    let again = rebuild(entries(&[start, intent, resumed])).unwrap();
    assert_eq!(again.in_flight().count(), 0, "it is to be sent again");
    assert_eq!(again.state().pending().count(), 1, "under its number");
}

/// If viewers were not told that a provider is set aside, it is asked once more, so that they are.
#[test]
fn who_is_set_aside_stays_so_once_it_was_told() {
    let start = Entry::input(&Input::Start, Millis(1));
    let set_aside = |remarks: &[&str]| {
        let brave = SetAside {
            provider: "brave".into(),
            until_ms: None,
        };
        let source = AnswerSource {
            set_aside: vec![brave],
            ..AnswerSource::default()
        };
        let told = Answer {
            remarks: remarks.iter().map(ToString::to_string).collect(),
            ..answer()
        };
        Entry::Answer(AnswerEntry::new(search(), &told, source))
    };
    let rows = |list: &[Entry]| rebuild(entries(list)).unwrap().set_aside().len();
    let (silent, told) = (set_aside(&[]), set_aside(&["Commons is asked."]));
    assert_eq!(rows(&[start.clone(), silent.clone()]), 0);
    assert_eq!(rows(&[start.clone(), told.clone()]), 1);
    assert_eq!(rows(&[start, told, silent]), 2);
}

#[test]
fn an_answer_of_any_size_is_no_runs() {
    let of_length = |length: usize, count: usize| {
        let told = Answer {
            remarks: vec!["x".repeat(length); count],
            ..answer()
        };
        Entry::Answer(AnswerEntry::new(search(), &told, AnswerSource::default())).is_plausible()
    };
    assert!(of_length(500, 2));
    assert!(!of_length(1 << 20, 1));
    assert!(!of_length(1, 1_000));
}

#[test]
fn a_question_that_nobody_may_ask_is_not_replayed() {
    let file = |order: &str| {
        format!(
            r#"{{"format":"visual-degrees sealed run","version":2,"body":{{"run":"s.r","engine":"0","order":{order},"journal":[],"decisions":[],"events":[]}},"digest":""}}"#
        )
    };
    let good = serde_json::to_string(&Order::new(&request())).unwrap();
    assert!(replay(&file(&good), None, ReplayLimits::SERVER).is_ok());
    for (wrong, right) in [
        (r#""hops":9"#, r#""hops":6"#),
        (r#""threshold":0"#, r#""threshold":80"#),
        (r#""images":4000000000"#, r#""images":5"#),
        (r#""searches":4000000000"#, r#""searches":20"#),
        (r#""pace":"hasty""#, r#""pace":"quick""#),
        (r#""plan":"sideways""#, r#""plan":"both-ends""#),
        (r#""personA":"""#, r#""personA":"Jean Valjean""#),
        (r#""version":2"#, r#""version":1"#),
    ] {
        let bad = good.replace(right, wrong);
        assert_ne!(bad, good);
        let report = replay(&file(&bad), None, ReplayLimits::SERVER);
        assert!(
            matches!(report, Err(ReplayError::Question(_))),
            "{wrong}: {report:?}"
        );
    }
    for text in ["", "null", "[]", "{}", &file("{}"), &"[".repeat(100_000)] {
        assert!(matches!(
            replay(text, None, ReplayLimits::SERVER),
            Err(ReplayError::Unreadable(_))
        ));
    }
}

#[test]
fn a_hostile_file_is_refused_or_left_at_its_first_difference() {
    let order = serde_json::to_string(&Order::new(&request())).unwrap();
    let file = |journal: &str| {
        format!(
            r#"{{"format":"visual-degrees sealed run","version":2,"body":{{"run":"s.r","engine":"0","order":{order},"journal":[{journal}],"decisions":[],"events":[]}},"digest":""}}"#
        )
    };
    let start = r#"{"input":{"now":0,"given":"start"}}"#;
    let remarks = |count| {
        let remark = r#",{"input":{"now":0,"given":{"remark":""}}}"#;
        format!("{start}{}", remark.repeat(count))
    };
    let report = replay(&file(&remarks(9_000)), None, ReplayLimits::SERVER).unwrap();
    assert!(report.events < 10, "executed on after the first difference");
    let refused = |journal: &str| replay(&file(journal), None, ReplayLimits::SERVER).unwrap_err();
    let limits = ReplayLimits::SERVER;
    assert_eq!(refused(&remarks(11_000)), ReplayError::TooMany(limits));
    let too_large = "1,".repeat(3_000_000);
    assert_eq!(refused(&too_large), ReplayError::TooLarge(limits));
    let lost = r#"{"command":1,"attempts":1,"nanoUsd":0},"#.repeat(1_000);
    let lost = lost.trim_end_matches(',');
    let resumed =
        format!(r#"{start},{{"input":{{"now":0,"given":{{"resumed":{{"lost":[{lost}]}}}}}}}}"#);
    let report = replay(&file(&resumed), None, ReplayLimits::SERVER).unwrap();
    assert!(report.difference.is_some());
}
