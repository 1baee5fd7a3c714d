//! Names that nobody has, or that two people share.

use super::scenario::Scenario;

#[test]
fn a_name_that_nobody_bears_is_told_early_with_the_nearest_ones() {
    let scenario = Scenario {
        names: Some(("Sherlok Homes", "Jean Valjean")),
        ..Scenario::new()
    };
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path unknown_person");
    assert_eq!(run.last()["unknown"], serde_json::json!(["a"]));
    assert!(run.last()["spent"]["searchCalls"].as_u64().unwrap() <= 8);
}

#[test]
fn namesakes_are_kept_apart_and_told() {
    let names = Some(("John Thornton", "Margaret Hale"));
    let mut scenario = Scenario {
        names,
        ..Scenario::new()
    };
    scenario.limits.images_per_search = 10;
    let run = scenario.run();
    assert!(run.says("A second person named John Thornton") || run.ending() == "final");
}

#[test]
fn a_name_that_nobody_has_is_told_after_three_searches_whatever_the_planner_wants() {
    let mut scenario = Scenario::new().with_planner();
    scenario.names = Some(("Elizabeth Benet", "Charlotte Lucas"));
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path unknown_person");
    let naming = run.conducted.calls.iter();
    let naming = naming.filter(|(provider, key, _)| provider == "google" && key.contains("Benet"));
    assert_eq!(naming.count(), 3);
    assert!(
        run.calls_of("google") <= 6,
        "{} searches",
        run.calls_of("google")
    );
}
