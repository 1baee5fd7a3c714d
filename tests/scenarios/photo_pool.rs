//! Memory for photos is bounded across all runs of an isolate: a run waits for it instead of failing.

use devtools::rehearsal::Simulation;
use domain::{Limits, Plan};
use platform::isolate::PhotoPool;
use sandbox::{Latency, SandboxProvider};

use crate::observed::ObservedRun;

use super::scenario::Scenario;

/// So many concurrent runs keep the pool full.
const RUNS: u8 = 6;

fn scenario(plan: Plan) -> Scenario {
    let mut scenario = Scenario::new();
    scenario.limits = Limits {
        plan,
        runtime_ms_max: 300_000,
        ..Limits::default()
    };
    scenario.options.latency = Latency {
        google_ms: 30,
        image_ms: 40,
        rekognition_ms: 50,
        ..Latency::NONE
    };
    scenario
}

fn together(scenario: &Scenario, pool: PhotoPool) -> Vec<ObservedRun> {
    let runs = scenario.simulations_with(RUNS, Some(pool));
    Simulation::conduct_together(&runs).unwrap();
    runs.iter().map(ObservedRun::of).collect()
}

/// The chain with its photos.
fn result(run: &ObservedRun) -> (String, Vec<String>) {
    let edges = run.last()["edges"].as_array().into_iter().flatten();
    let edges = edges.map(|edge| {
        let photos = edge["evidence"].as_array().into_iter().flatten();
        let photos: Vec<&str> = photos.filter_map(|photo| photo["ref"].as_str()).collect();
        format!("{} {} {photos:?}", edge["fromName"], edge["toName"])
    });
    (run.ending(), edges.collect())
}

fn took_ms(run: &ObservedRun) -> u64 {
    run.last()["spent"]["runtimeMs"].as_u64().unwrap()
}

#[test]
fn runs_that_share_the_memory_of_one_photo_find_what_each_finds_alone_only_later() {
    for plan in [Plan::BothEnds, Plan::OneSided] {
        let scenario = scenario(plan);
        let alone = scenario.run();
        let ample = together(&scenario, PhotoPool::default());
        for run in &ample {
            assert_eq!(result(run), result(&alone));
            assert_eq!(took_ms(run), took_ms(&alone), "nobody waited");
        }
        // The sandbox counts the calls of all runs.
        let fetches = |runs: &[ObservedRun]| runs[0].calls_of("image");
        let crowded = together(&scenario, PhotoPool::of_one_photo());
        for run in &crowded {
            assert_eq!(result(run), result(&alone));
            assert!(took_ms(run) > took_ms(&alone), "it waited");
        }
        assert!(
            fetches(&crowded) > fetches(&ample),
            "photos are fetched again"
        );
        let paid = |runs: &[ObservedRun]| runs[0].calls_of("rekognition");
        assert!(paid(&crowded) <= paid(&ample), "nothing is paid for twice");
    }
}

/// Its time runs while it waits; at the end the run says what it found, and why it ended.
#[test]
fn a_run_whose_time_is_over_while_it_waits_for_memory_ends_by_its_time() {
    let mut scenario = scenario(Plan::BothEnds);
    scenario.limits.runtime_ms_max = 2_000;
    scenario.options.latency.rekognition_ms = 900;
    for run in together(&scenario, PhotoPool::of_one_photo()) {
        assert_eq!(run.ending(), "no_path runtime_budget");
        assert!((2_000..2_400).contains(&took_ms(&run)), "{}", took_ms(&run));
    }
}

#[test]
fn a_slow_host_holds_up_nobody_for_long() {
    let scenario = scenario(Plan::BothEnds).fault(SandboxProvider::Image, "slow");
    for run in together(&scenario, PhotoPool::of_one_photo()) {
        assert!(run.ending().starts_with("no_path"), "{}", run.ending());
    }
}
