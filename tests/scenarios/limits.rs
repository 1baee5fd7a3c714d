//! Budgets, the clock and the user's stop.

use sandbox::{FaultPlan, Latency};

use super::scenario::Scenario;

#[test]
fn a_budget_is_never_passed_even_by_retries() {
    for (searches, recognitions) in [(1, 100), (2, 3), (7, 11), (20, 1)] {
        let mut scenario = Scenario::new();
        scenario.limits.searches_max = searches;
        scenario.limits.recognitions_max = recognitions;
        scenario.options.faults = FaultPlan::parse(
            r#"[{"provider":"rekognition","every":2,"kind":"throttling"},
                {"provider":"google","every":2,"kind":"server-error-500"}]"#,
        )
        .unwrap();
        let run = scenario.run();
        let throttled = run.last()["spent"]["throttledCalls"].as_u64().unwrap_or(0);
        assert!(run.calls_of("google") <= searches as usize);
        // Throttled calls are not charged.
        let charged = run.calls_of("rekognition") - usize::try_from(throttled).unwrap();
        assert!(charged <= recognitions as usize);
    }
}

#[test]
fn the_clock_ends_a_run_in_the_middle_of_a_slow_call() {
    let mut scenario = Scenario::new();
    scenario.limits.runtime_ms_max = 2_000;
    scenario.options.latency = Latency {
        google_ms: 900,
        image_ms: 900,
        ..Latency::default()
    };
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path runtime_budget");
    let end = run.last()["spent"]["runtimeMs"].as_u64().unwrap();
    assert!((2_000..2_100).contains(&end), "{end}");
}

#[test]
fn stop_ends_a_run_within_one_call_with_what_it_has() {
    let mut scenario = Scenario::new();
    scenario.stop_after_events = Some(12);
    scenario.options.latency = Latency {
        rekognition_ms: 3_000,
        ..Latency::default()
    };
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path stopped");
    assert!(run.events.len() <= 14);
}
