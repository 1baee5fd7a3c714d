//! Requests for countdowns: which bodies are recognised, who may start them, and the reservation.

use countdown::{CountdownEngine, PRICE_NANO_USD};
use engine::Requests as _;
use serde_json::json;
use settings::Caps;
use visual_degrees::engines::EngineName;

use super::bench::{RUN, beginning, simulation};

#[test]
fn the_registry_knows_it_by_its_row_alone() {
    let of_order = EngineName::of_order(r#"{"engine":"countdown"}"#).unwrap();
    assert!(of_order.is::<CountdownEngine>());
    let outline = json!({"engine": "countdown"});
    assert_eq!(EngineName::of_outline(&outline), Some(of_order));
    let kinds = of_order.event_kinds();
    assert!(kinds.ends.contains(&"landed"));
    assert!(EngineName::wrong_length().contains("countdown over 10000 bytes"));
    let record = json!({"meta": {"engine": "countdown"}});
    assert!(EngineName::has_whole_documents(&record));
}

#[test]
fn bodies_of_others_are_not_its_own() {
    let caps = Caps::default();
    for body in [
        r#"{"personA":"Ann","personB":"Bob"}"#,
        r#"{"workflow":{}}"#,
        "[",
        "",
    ] {
        assert!(
            CountdownEngine::read(body.as_bytes(), &caps).is_none(),
            "{body}"
        );
    }
    for wrong in [r#"{"countdown":"three"}"#, r#"{"countdown":3,"up":1}"#] {
        let read = CountdownEngine::read(wrong.as_bytes(), &caps).unwrap();
        assert_eq!(read.unwrap_err().status(), 400, "{wrong}");
    }
}

#[test]
fn a_long_one_is_the_operators() {
    let settings = devtools::rehearsal::sandbox_settings(&sandbox::SandboxOptions::default(), &[]);
    let wanted = |from: u32| {
        let body = json!({"countdown": from}).to_string();
        CountdownEngine::read(body.as_bytes(), &Caps::default())
            .unwrap()
            .unwrap()
    };
    let may = |is_operator, from| CountdownEngine::may_start(&settings, is_operator, &wanted(from));
    assert!(may(false, 99).is_ok());
    assert_eq!(may(false, 100).unwrap_err().status(), 403);
    assert!(may(true, 100).is_ok());
}

#[test]
fn a_fork_names_its_run_and_a_reservation_is_the_most_it_may_spend() {
    let body = json!({"countdown": 5, "fork": RUN, "before": "2"}).to_string();
    let wanted = CountdownEngine::read(body.as_bytes(), &Caps::default());
    let wanted = wanted.unwrap().unwrap();
    let terms = CountdownEngine::terms(&wanted);
    let fork = terms.fork.unwrap();
    assert_eq!(
        (fork.run.to_string(), fork.before),
        (RUN.to_owned(), Some("2".to_owned()))
    );

    let beginning = beginning(&simulation(Vec::new()), &json!({"countdown": 5}), None);
    assert_eq!(beginning.most.unwrap().nano_usd, 5 * 2 * PRICE_NANO_USD);
    assert_eq!(
        (beginning.entries.len(), beginning.artifact_source),
        (1, None)
    );
}

#[test]
fn secrets_reach_the_object_and_stand_in_nothing_that_it_keeps() {
    let simulation = simulation(Vec::new());
    let body = json!({"countdown": 1, "secrets": {"CODE": "hush-hush"}});
    let beginning = beginning(&simulation, &body, None);
    let code = beginning.secrets.get("CODE").unwrap();
    assert_eq!(code.reveal(), "hush-hush");
    assert!(!format!("{beginning:?}").contains("hush-hush"));
    simulation.begin(&beginning);
    simulation.conduct_to_end().unwrap();
    let conducted = simulation.conducted();
    assert!(!format!("{conducted:?}").contains("hush-hush"));
    assert!(conducted.events.last().unwrap().is_last);
}
