//! Forks do not pay again for what an earlier run has paid for.

use std::collections::BTreeSet;

use devtools::rehearsal::Simulation;
use domain::{Name, Plan};
use engine::journal::{answers_to_inherit, read_entries};
use investigation::machine::Request;
use serde_json::Value;
use visual_degrees::sealed::{ReplayLimits, Verdict, replay};

use crate::observed::ObservedRun;
use crate::search_forms::Fork;

use super::runs::{RunSetup, sealed};

fn run(setup: &RunSetup) -> ObservedRun {
    let mut simulation = setup.simulation();
    simulation.open(&setup.request(), None).unwrap();
    simulation.conduct_to_end().unwrap();
    ObservedRun::of(&simulation)
}

fn forked(setup: &RunSetup, from: &ObservedRun, request: &Request) -> (Simulation, ObservedRun) {
    let mut simulation = setup.simulation();
    let fork = Fork {
        run: "s1.earlier".into(),
        answers: answers_to_inherit(read_entries(&from.conducted.journal).unwrap(), None),
    };
    simulation.open(request, Some(fork)).unwrap();
    simulation.conduct_to_end().unwrap();
    let run = ObservedRun::of(&simulation);
    (simulation, run)
}

fn paid(run: &ObservedRun) -> usize {
    let calls = run.conducted.calls.iter();
    calls.filter(|(name, ..)| name != "image").count()
}

fn messages(run: &ObservedRun) -> Vec<&Value> {
    run.events.iter().map(|event| &event["message"]).collect()
}

#[test]
fn a_fork_with_nothing_changed_pays_nothing_and_tells_the_same() {
    for plan in Plan::ALL {
        let setup = RunSetup::new(plan).without_planner();
        let first = run(&setup);
        assert!(paid(&first) > 5);
        let (simulation, again) = forked(&setup, &first, &setup.request());
        assert_eq!(paid(&again), 0, "{}", plan.as_str());
        assert_eq!(messages(&again), messages(&first));
        assert_eq!(again.last()["path"], first.last()["path"]);
        let spent = &again.last()["spent"];
        for what in ["searchCalls", "rekognitionCalls", "llmCalls", "usd"] {
            assert_eq!(spent[what].as_f64(), Some(0.0), "{what}");
        }
        let report = replay(&sealed(&simulation), None, ReplayLimits::SERVER).unwrap();
        assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    }
}

#[test]
fn a_fork_pays_only_for_what_is_new_and_its_record_says_which() {
    let setup = RunSetup::new(Plan::BothEnds).without_planner();
    let short = {
        let mut short = setup.clone();
        short.limits.searches_max = 3;
        run(&short)
    };
    assert_eq!(short.last()["reason"], "search_budget");
    let (_, whole) = forked(&setup, &short, &setup.request());
    assert_eq!(whole.last()["type"], "final");
    let alone = run(&setup);
    assert_eq!(whole.last()["path"], alone.last()["path"]);
    // Choices depend on the remaining budget, so that a smaller one may lead to another question.
    assert!(paid(&whole) < paid(&alone));
    for (_, key, _) in &whole.conducted.calls {
        let mut before = short.conducted.calls.iter();
        let is_paid_twice = before.any(|(provider, known, _)| provider != "image" && known == key);
        assert!(!is_paid_twice, "{key} is paid twice");
    }
    assert_eq!(
        whole.last()["spent"]["searchCalls"],
        whole.calls_of("google")
    );
    let document = |name: &str| -> Value {
        let put = whole
            .conducted
            .puts
            .iter()
            .rev()
            .find(|put| put.key.ends_with(name));
        serde_json::from_str(&put.unwrap().document).unwrap()
    };
    let meta = document(":meta");
    assert_eq!(meta["forkedFrom"], "s1.earlier");
    let calls = document(":calls");
    let calls = calls["calls"].as_array().unwrap();
    let of = |state: &str| calls.iter().filter(|call| call["state"] == state).count();
    assert_eq!(of("answered"), paid(&whole));
    // Each call of an independent run is either paid here or was paid before.
    assert_eq!(of("answered") + of("reused"), paid(&alone));
    let reused = |kind: &str| {
        let reused = calls.iter().filter(|call| call["state"] == "reused");
        reused.filter(|call| call["kind"] == kind).count()
    };
    assert_eq!(meta["reused"]["searchCalls"], reused("search"));
    assert!(reused("search") >= 2, "{} searches", reused("search"));
    assert!(
        calls
            .iter()
            .all(|call| (call["attempts"] == 0) == (call["state"] == "reused"))
    );
}

#[test]
fn a_fork_may_avoid_somebody_and_change_the_threshold() {
    let setup = RunSetup::new(Plan::BothEnds).without_planner();
    let first = run(&setup);
    let on_the_path = first.last()["path"][1]["name"].as_str().unwrap().to_owned();
    let mut request = setup.request();
    request.avoid = vec![Name::parse(&on_the_path).unwrap()];
    let (_, around) = forked(&setup, &first, &request);
    let path = around.last()["path"].to_string();
    assert!(!path.contains(&on_the_path), "{path}");

    let events = first.events.iter();
    let best = events.filter_map(|event| event["edge"]["edgeConfidence"].as_f64());
    let lowest = best.fold(100.0, f64::min);
    let mut request = setup.request();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let above_the_lowest = lowest.floor() as u32 + 1;
    request.limits.threshold_percent = above_the_lowest;
    let (_, strict) = forked(&setup, &first, &request);
    assert_ne!(
        strict.last()["path"],
        first.last()["path"],
        "an edge below the threshold"
    );
    let keys = |run: &ObservedRun| -> BTreeSet<String> {
        let paid = run
            .conducted
            .calls
            .iter()
            .filter(|(name, ..)| name != "image");
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
    let setup = RunSetup::new(Plan::BothEnds);
    let first = run(&setup);
    assert!(first.calls_of("gemini") > 0);
    let (_, again) = forked(&setup, &first, &setup.request());
    assert_eq!(messages(&again), messages(&first));
    let failed = first.conducted.journal.iter();
    let failed = failed.filter(|entry| entry.contains(r#""planned":{"failed""#));
    assert_eq!(paid(&again), failed.count());
}

#[test]
fn a_fork_of_a_fork_has_the_answers_of_both() {
    let setup = RunSetup::new(Plan::OneSided).without_planner();
    let mut short = setup.clone();
    short.limits.searches_max = 2;
    let first = run(&short);
    short.limits.searches_max = 4;
    let (_, second) = forked(&short, &first, &short.request());
    let (_, third) = forked(&setup, &second, &setup.request());
    let alone = run(&setup);
    assert_eq!(paid(&first) + paid(&second) + paid(&third), paid(&alone));
    assert_eq!(third.last()["path"], alone.last()["path"]);
}
