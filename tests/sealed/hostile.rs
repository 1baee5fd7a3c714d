//! The cost of malicious files: memory is bounded, time printed.

// Time is only printed.
#![allow(clippy::disallowed_methods)]

use std::time::Instant;

use domain::{Limits, Name};
use investigation::machine::Request;
use investigation::wire::Order;
use visual_degrees::sealed::{Difference, ReplayError, ReplayLimits, Report, replay};

use crate::counting_allocator::most_held;

/// The most memory beyond the text itself of 4 MiB, in bytes: under 20 MB in total.
const HELD_BYTES_MAX: usize = 12_000_000;

const START: &str = r#"{"input":{"now":0,"given":"start"}}"#;

fn order() -> String {
    let person = |name| Name::parse(name).unwrap().into();
    let order = Order::new(&Request {
        sources: Vec::new(),
        person_a: person("Ann"),
        person_b: person("Bob"),
        avoid: Vec::new(),
        limits: Limits::default(),
    });
    serde_json::to_string(&order).unwrap()
}

/// A file with these lists, each without its brackets.
fn file(journal: &str, decisions: &str, events: &str) -> String {
    let order = order();
    format!(
        r#"{{"format":"visual-degrees sealed run","version":2,"body":{{"run":"s.r","engine":"0","order":{order},"journal":[{journal}],"decisions":[{decisions}],"events":[{events}]}},"digest":""}}"#
    )
}

/// Returns this many bytes of a repeated piece, separated by commas.
fn of_bytes(piece: &str, bytes: usize) -> String {
    let count = bytes / (piece.len() + 1);
    let mut list = format!("{piece},").repeat(count);
    list.pop();
    list
}

/// Returns this many bytes of a piece in at most this many members.
fn spread(piece: &str, members: usize, bytes: usize) -> String {
    let inner = of_bytes(piece, bytes / members - 4);
    of_bytes(&format!("[{inner}]"), bytes)
}

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

const ROOM: usize = ReplayLimits::SERVER.bytes_max - 2_000;

/// Replays a file of nearly the largest size and measures.
#[track_caller]
fn check(what: &str, text: &str) -> Result<Report, ReplayError> {
    let (least, most) = (ROOM * 9 / 10, ReplayLimits::SERVER.bytes_max);
    assert!(
        (least..=most).contains(&text.len()),
        "{what}: {}",
        text.len()
    );
    let began = Instant::now();
    let (report, held) = most_held(|| replay(text, None, ReplayLimits::SERVER));
    let took = began.elapsed().as_secs_f64() * 1e3;
    println!("{what}: {:.2} MB, {took:.1} ms", held as f64 / 1e6);
    assert!(held < HELD_BYTES_MAX, "{what} holds {held} bytes");
    report
}

const TINY: [&str; 8] = [
    "{}",
    "[]",
    "0",
    "\"\"",
    "[[[[]]]]",
    START,
    r#"{"intent":{"command":1,"attempt":1,"request":""}}"#,
    r#"{"closed":{}}"#,
];

#[test]
fn a_list_of_too_many_members_is_refused_before_they_are_kept() {
    for piece in TINY {
        let list = of_bytes(piece, ROOM);
        for (where_, text) in [
            ("journal", file(&list, "", "")),
            ("decisions", file("", &list, "")),
            ("events", file("", "", &list)),
        ] {
            let report = check(&format!("{piece} in {where_}"), &text);
            assert!(
                matches!(
                    report,
                    Err(ReplayError::TooMany(_) | ReplayError::TooLarge(_))
                ),
                "{report:?}"
            );
        }
    }
}

#[test]
fn a_file_of_too_many_values_is_refused_before_it_is_read() {
    for piece in ["{}", "[]", "0", "1.50", "\"\"", "[[[[]]]]"] {
        let members = spread(piece, 9_000, ROOM);
        for (where_, text) in [
            ("entries", file(&members, "", "")),
            ("decisions", file(START, &members, "")),
            ("events", file(START, "", &members)),
        ] {
            let report = check(&format!("{where_} of {piece}"), &text);
            assert!(
                matches!(report, Err(ReplayError::TooLarge(_))),
                "{report:?}"
            );
        }
    }
}

#[test]
fn as_many_members_as_are_allowed_cost_little_whatever_is_in_them() {
    // The smallest possible in a file of the largest size.
    let word = format!("\"{}\"", r"\n\u00e9".repeat(2));
    for piece in [
        "12345678901234",
        "1.500000000001",
        &word,
        "\"a word of some\"",
    ] {
        let members = spread(piece, 9_000, ROOM);
        let report = check(&format!("entries of {piece}"), &file(&members, "", "")).unwrap();
        let none_of_a_run = Some(Difference::Answer { command: 0 });
        assert_eq!(report.difference, none_of_a_run, "entries of {piece}");
        for (where_, text) in [
            ("decisions", file(START, &members, "")),
            ("events", file(START, "", &members)),
        ] {
            let report = check(&format!("{where_} of {piece}"), &text).unwrap();
            assert!(report.difference.is_some());
        }
    }
}

#[test]
fn one_huge_member_costs_little() {
    let words = format!("[{}]", of_bytes(r#""a word of some""#, ROOM - 4_000));
    let hits = of_bytes(r#"{"imageUrl":"","title":""}"#, ROOM - 4_000);
    let answer = |outcome: &str| {
        let asked = r#""asked":{"fetch":{"imageUrl":""}}"#;
        format!(
            r#"{START},{{"answer":{{"command":1,{asked},"attempts":1,"nanoUsd":0,"outcome":{outcome}}}}}"#
        )
    };
    let too_large = [
        ("an entry", file(&words, "", "")),
        (
            "hits",
            file(
                &answer(&format!(r#"{{"searched":{{"ok":[{hits}]}}}}"#)),
                "",
                "",
            ),
        ),
        (
            "faces",
            file(
                &answer(&format!(r#"{{"recognised":{{"ok":{words}}}}}"#)),
                "",
                "",
            ),
        ),
        (
            "an order",
            file("", "", "").replace(r#""avoid":[]"#, &format!(r#""avoid":{words}"#)),
        ),
    ];
    for (what, text) in too_large {
        let report = check(what, &text);
        assert!(
            matches!(report, Err(ReplayError::TooLarge(_))),
            "{what}: {report:?}"
        );
    }
    for (what, text) in [
        ("an event", file(START, "", &words)),
        ("a decision", file(START, &words, "")),
        (
            "a member that nobody knows",
            file(START, "", "").replace(r#""run""#, &format!(r#""x":{words},"run""#)),
        ),
    ] {
        let report = check(what, &text).unwrap();
        let shown = serde_json::to_string(&report).unwrap().len();
        assert!(shown < 10_000, "{what}: a report of {shown} bytes");
    }
    let long = format!("\"{}\"", "\\n".repeat(ROOM / 2));
    for word in [r#""visual-degrees sealed run""#, r#""s.r""#, r#""0""#] {
        let text = file("", "", "").replacen(word, &long, 1);
        let report = check(word, &text);
        assert!(
            matches!(report, Err(ReplayError::Unreadable(_))),
            "{report:?}"
        );
    }
}

#[test]
fn words_in_the_place_of_anything_else_cost_little() {
    let long = format!("\"{}\"", "a".repeat(ROOM));
    let with = |member: &str| file("", "", "").replacen(member, &long, 1);
    let body = format!(
        r#"{{"format":"visual-degrees sealed run","version":2,"digest":"","body":{long}}}"#
    );
    for (what, text) in [
        ("a file", long.clone()),
        ("a body", body),
        ("a journal", with("[]")),
        ("an order", with(&order())),
    ] {
        assert!(check(&format!("{what} that is a word"), &text).is_err());
    }
}

#[test]
fn deep_nesting_costs_little() {
    let depth = ROOM / 2;
    for (what, text) in [
        ("a deep entry", file(&nested(depth), "", "")),
        ("a deep event", file(START, "", &nested(depth))),
        ("a deep file", nested(depth + 500)),
        ("a file that never closes", "[".repeat(ROOM)),
        ("objects that never close", r#"{"body":"#.repeat(ROOM / 8)),
    ] {
        assert!(check(what, &text).is_err(), "{what}");
    }
}

#[test]
fn what_a_reader_says_of_a_file_is_cut() {
    let hops = format!(r#""hops":"{}""#, "x".repeat(20_000));
    let text = file("", "", "").replace(r#""hops":6"#, &hops);
    let Err(error) = replay(&text, None, ReplayLimits::SERVER) else {
        panic!("executed");
    };
    assert!(error.to_string().len() < 400, "{error}");
}

#[test]
fn a_run_of_too_many_steps_is_left() {
    let run = super::runs::RunSetup::new(domain::Plan::BothEnds).sealed();
    let limits = |steps_max| ReplayLimits {
        steps_max,
        ..ReplayLimits::SERVER
    };
    assert!(replay(&run, None, limits(ReplayLimits::SERVER.steps_max / 1_000)).is_ok());
    assert_eq!(
        replay(&run, None, limits(10)),
        Err(ReplayError::TooLong(limits(10)))
    );
}
