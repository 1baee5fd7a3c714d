//! Forks: what an earlier run has paid for is not paid for again.

use std::collections::BTreeSet;

use serde_json::Value;
use visual_degrees::domain::{Name, Plan};
use visual_degrees::investigation::Request;
use visual_degrees::journal::{answers_to_inherit, read_entries};
use visual_degrees::rehearsal::{SimulatedRun, Simulation};
use visual_degrees::sealed::{ReplayLimits, Verdict, replay};
use visual_degrees::session::Fork;

use super::runs::{Making, sealed};

fn run(making: &Making) -> SimulatedRun {
    let mut town = making.town();
    town.open(&making.request(), None).unwrap();
    town.conduct_to_end().unwrap();
    town.conducted()
}

fn forked(making: &Making, from: &SimulatedRun, request: &Request) -> (Simulation, SimulatedRun) {
    let mut town = making.town();
    let fork = Fork {
        run: "s1.earlier".into(),
        answers: answers_to_inherit(read_entries(&from.journal).unwrap()),
    };
    town.open(request, Some(fork)).unwrap();
    town.conduct_to_end().unwrap();
    let run = town.conducted();
    (town, run)
}

fn paid(run: &SimulatedRun) -> usize {
    run.calls
        .iter()
        .filter(|(name, ..)| name != "image")
        .count()
}

fn last(run: &SimulatedRun) -> Value {
    serde_json::from_str(&run.events.last().unwrap().json).unwrap()
}

fn messages(run: &SimulatedRun) -> Vec<Value> {
    run.events
        .iter()
        .map(|event| serde_json::from_str::<Value>(&event.json).unwrap()["message"].take())
        .collect()
}

#[test]
fn a_fork_with_nothing_changed_pays_nothing_and_tells_the_same() {
    for plan in Plan::ALL {
        let making = Making::new(plan).without_planner();
        let first = run(&making);
        assert!(paid(&first) > 5);
        let (town, again) = forked(&making, &first, &making.request());
        assert_eq!(paid(&again), 0, "{}", plan.as_str());
        assert_eq!(messages(&again), messages(&first));
        assert_eq!(last(&again)["path"], last(&first)["path"]);
        let spent = &last(&again)["spent"];
        for what in ["searchCalls", "rekognitionCalls", "llmCalls", "usd"] {
            assert_eq!(spent[what].as_f64(), Some(0.0), "{what}");
        }
        let report = replay(&sealed(&town), None, ReplayLimits::SERVER).unwrap();
        assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    }
}

#[test]
fn a_fork_pays_only_for_what_is_new_and_its_record_says_which() {
    let making = Making::new(Plan::BothEnds).without_planner();
    let short = {
        let mut short = making.clone();
        short.limits.searches_max = 3;
        run(&short)
    };
    assert_eq!(last(&short)["reason"], "search_budget");
    let (_, whole) = forked(&making, &short, &making.request());
    assert_eq!(last(&whole)["type"], "final");
    let alone = run(&making);
    assert_eq!(last(&whole)["path"], last(&alone)["path"]);
    assert_eq!(
        paid(&whole),
        paid(&alone) - paid(&short),
        "each call is paid once in all"
    );
    assert_eq!(
        last(&whole)["spent"]["searchCalls"],
        whole
            .calls
            .iter()
            .filter(|(name, ..)| name == "google")
            .count()
    );
    let document = |name: &str| -> Value {
        let put = whole.puts.iter().rev().find(|put| put.key.ends_with(name));
        serde_json::from_str(&put.unwrap().document).unwrap()
    };
    let meta = document(":meta");
    assert_eq!(meta["forkedFrom"], "s1.earlier");
    assert_eq!(meta["reused"]["searchCalls"], 3);
    let calls = document(":calls");
    let calls = calls["calls"].as_array().unwrap();
    let of = |state: &str| calls.iter().filter(|call| call["state"] == state).count();
    assert_eq!(of("answered"), paid(&whole));
    assert_eq!(of("reused"), paid(&short));
    assert!(
        calls
            .iter()
            .all(|call| (call["attempts"] == 0) == (call["state"] == "reused"))
    );
}

#[test]
fn a_fork_may_avoid_somebody_and_change_the_threshold() {
    let making = Making::new(Plan::BothEnds).without_planner();
    let first = run(&making);
    let on_the_path = last(&first)["path"][1]["name"].as_str().unwrap().to_owned();
    let mut request = making.request();
    request.avoid = vec![Name::parse(&on_the_path).unwrap()];
    let (_, around) = forked(&making, &first, &request);
    let path = last(&around)["path"].to_string();
    assert!(!path.contains(&on_the_path), "{path}");

    let best = first.events.iter().filter_map(|event| {
        let event: Value = serde_json::from_str(&event.json).unwrap();
        event["edge"]["edgeConfidence"].as_f64()
    });
    let lowest = best.fold(100.0, f64::min);
    let mut request = making.request();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let above_the_lowest = lowest.floor() as u32 + 1;
    request.limits.threshold_percent = above_the_lowest;
    let (_, strict) = forked(&making, &first, &request);
    assert_ne!(
        last(&strict)["path"],
        last(&first)["path"],
        "an edge below the threshold"
    );
    let keys = |run: &SimulatedRun| -> BTreeSet<String> {
        let paid = run.calls.iter().filter(|(name, ..)| name != "image");
        paid.map(|(name, key, _)| format!("{name} {key}")).collect()
    };
    let (first, strict) = (keys(&first), keys(&strict));
    let again: Vec<_> = first.intersection(&strict).collect();
    assert!(
        again.is_empty(),
        "answers serve at another threshold: {again:?}"
    );
}

#[test]
fn the_planners_advice_is_used_again_and_its_failures_are_asked_again() {
    let making = Making::new(Plan::BothEnds);
    let first = run(&making);
    assert!(first.calls.iter().any(|(name, ..)| name == "gemini"));
    let (_, again) = forked(&making, &first, &making.request());
    assert_eq!(messages(&again), messages(&first));
    let failed = first.journal.iter();
    let failed = failed.filter(|entry| entry.contains(r#""planned":{"failed""#));
    assert_eq!(paid(&again), failed.count());
}

#[test]
fn a_fork_of_a_fork_has_the_answers_of_both() {
    let making = Making::new(Plan::OneSided).without_planner();
    let mut short = making.clone();
    short.limits.searches_max = 2;
    let first = run(&short);
    short.limits.searches_max = 4;
    let (_, second) = forked(&short, &first, &short.request());
    let (_, third) = forked(&making, &second, &making.request());
    let alone = run(&making);
    assert_eq!(paid(&first) + paid(&second) + paid(&third), paid(&alone));
    assert_eq!(last(&third)["path"], last(&alone)["path"]);
}
