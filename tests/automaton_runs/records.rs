//! What is stored of a run: its pictures, its replay, its record.

use std::rc::Rc;

use automaton::machine::Outcome;
use automaton::wire::{AutomatonEngine, AutomatonNote};
use engine::Tools as _;
use serde_json::{Value, json};
use visual_degrees::engines::{EngineName, OpenedRun};

use visual_degrees::sealed::{ReplayLimits, Verdict, replay};

use super::bench::{conducted, events, request, sealed, shop};

#[test]
fn each_picture_that_is_told_is_kept_and_none_is_once_a_secret_was_typed() {
    let run = conducted(&request(2), shop(2), Vec::new());
    let told = events(&run);
    let is_typed = |event: &Value| event["payload"]["call"].to_string().contains("PASSWORD");
    let typed_at = told.iter().position(is_typed).unwrap();
    let looks = |events: &[Value]| -> Vec<Value> {
        let looks = events.iter().filter(|event| event["type"] == "looked");
        looks
            .map(|look| look["payload"]["picture"].clone())
            .collect()
    };
    let pictures = looks(&told[..typed_at]);
    assert_eq!(pictures.len(), 2);
    for digest in pictures {
        let bytes = run.artifact(digest.as_str().unwrap()).unwrap();
        assert!(bytes.starts_with(b"A picture of"));
    }
    let later = looks(&told[typed_at..]);
    assert!(
        later.len() >= 3 && later.iter().all(Value::is_null),
        "{later:?}"
    );
    let is_told = |event: &&Value| {
        event["payload"]["message"]
            .to_string()
            .contains("no picture is kept")
    };
    assert_eq!(told.iter().filter(is_told).count(), 1);
}

#[test]
fn a_run_that_is_replayed_out_of_its_journal_tells_the_same() {
    let file = sealed(&conducted(&request(3), shop(3), Vec::new()));
    let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    let forged = file.replace("Thank you", "Thank me!");
    assert_ne!(forged, file);
    let report = replay(&forged, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Different, "{}", report.says);
}

#[test]
fn the_record_says_what_was_asked_and_never_a_secret() {
    let run = conducted(&request(1), shop(1), Vec::new()).conducted();
    let opened = OpenedRun::of_first_entry(&run.journal[0]).unwrap();
    assert!(opened.engine().is::<AutomatonEngine>());
    let opened = opened.as_engine::<AutomatonEngine>().unwrap();
    let events: Vec<Rc<str>> = run
        .events
        .iter()
        .map(|event| event.json.as_str().into())
        .collect();
    let record = AutomatonEngine::outline(&opened, &events, true);
    assert_eq!(record["status"], "completed");
    assert_eq!(record["secrets"], json!(["PASSWORD"]));
    assert_eq!(record["parameters"], json!({"NAME": "ada"}));
    assert_eq!(record["origins"], json!(["https://shop.example"]));
    let document = AutomatonEngine::RUN_DOCUMENT.unwrap();
    assert_eq!((document.make)(&opened, &events), request(1)["automaton"]);
    assert_eq!(EngineName::paths().run_documents, ["automaton"]);
}

#[test]
fn stored_forms_stay_as_they_are() {
    let forms = [
        r#"{"looked":{"ok":{"url":"https://a.example/","title":"A","items":[["Hi","h1"]],"found":[0],"picture":"abababababababababababababababababababababababababababababababab"}}}"#,
        r#"{"looked":{"failed":"gone"}}"#,
        r#""unchanged""#,
        r#"{"acted":{"ok":{"point":[1.5,2.0],"hasFallenBack":true}}}"#,
        r#"{"acted":{"failed":{"unknownOutcome":"x"}}}"#,
        r#"{"reloaded":{"ok":null}}"#,
        r#""waited""#,
    ];
    for form in forms {
        let outcome: Outcome = serde_json::from_str(form).unwrap();
        let written = serde_json::to_string(&outcome).unwrap();
        assert_eq!(written, form);
    }
    for note in [
        r#"{"browser":{"session":"s","context":"c","target":"t"}}"#,
        r#"{"browser":{"session":"s"}}"#,
        r#""gone""#,
        r#"{"typed":{"secret":"PASSWORD"}}"#,
    ] {
        let read: AutomatonNote = serde_json::from_str(note).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), note);
    }
    let unknown: Result<Outcome, _> = serde_json::from_value(Value::Null);
    assert!(unknown.is_err());
}
