//! Journal entries and sealed files that are short enough, but would take far more memory than their length. All were
//! found by tests/fuzz.

use domain::{Limits, Name};
use investigation::machine::Request;
use investigation::wire::Order;
use visual_degrees::sealed::{Difference, ReplayError, ReplayLimits, Verdict, replay};

use crate::search_forms::Entry;

fn order() -> String {
    let request = Request {
        sources: Vec::new(),
        person_a: Name::parse("Jean Valjean").unwrap().into(),
        person_b: Name::parse("Cosette").unwrap().into(),
        avoid: Vec::new(),
        limits: Limits::default(),
    };
    serde_json::to_string(&Order::new(&request)).unwrap()
}

/// A file with these lists.
fn file(journal: &str, decisions: &str, events: &str) -> String {
    let order = order();
    format!(
        r#"{{"format":"visual-degrees sealed run","version":2,"body":{{"run":"s.r","engine":"0","order":{order},"journal":[{journal}],"decisions":[{decisions}],"events":[{events}]}},"digest":""}}"#
    )
}

#[test]
fn an_entry_of_many_small_values_is_unreadable() {
    let entry = |hits: usize| {
        let hits = vec![r#"{"imageUrl":"","title":""}"#; hits].join(",");
        format!(
            r#"{{"answer":{{"command":1,"asked":{{"search":{{"query":"a","count":10}}}},"attempts":1,"nanoUsd":0,"outcome":{{"searched":{{"ok":[{hits}]}}}}}}}}"#
        )
    };
    assert!(Entry::from_json(&entry(30)).is_ok());
    assert!(Entry::from_json(&entry(10_000)).is_err());
}

#[test]
fn a_file_of_too_many_events_or_decisions_is_refused() {
    let many = "0,".repeat(100_000) + "0";
    for file in [
        file("", &many, ""),
        file("", "", &many),
        file(&many, "", ""),
    ] {
        let refused = replay(&file, None, ReplayLimits::SERVER);
        assert_eq!(
            refused.unwrap_err(),
            ReplayError::TooMany(ReplayLimits::SERVER)
        );
    }
}

#[test]
fn a_long_text_in_the_place_of_a_short_one_is_not_repeated() {
    let long = "a".repeat(1_000_000);
    let good = file("", "", "");
    for (short, part) in [
        (r#""version":2"#, "version"),
        (r#""run":"s.r""#, "run"),
        (r#""digest":"""#, "digest"),
    ] {
        let wrong = good.replacen(short, &format!(r#""{part}":"{long}""#), 1);
        assert_ne!(wrong, good);
        let refused = replay(&wrong, None, ReplayLimits::SERVER).unwrap_err();
        assert!(refused.to_string().len() < 300, "{part}");
    }
    for text in [
        format!("\"{long}\""),
        file("", "", "").replace(&order(), &format!("\"{long}\"")),
    ] {
        let refused = replay(&text, None, ReplayLimits::SERVER).unwrap_err();
        assert!(refused.to_string().len() < 300);
    }
}

#[test]
fn an_event_that_no_run_tells_is_shown_in_short() {
    let start = r#"{"input":{"now":0,"given":"start"}}"#;
    let heavy = format!("[{}]", vec![r#"{"":0}"#; 100_000].join(","));
    let report = replay(&file(start, "", &heavy), None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Different);
    let Some(Difference::Event {
        number: 1,
        sealed: Some(shown),
        ..
    }) = report.difference
    else {
        panic!("{:?}", report.says);
    };
    assert!(shown.is_string());
}
