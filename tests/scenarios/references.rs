//! Runs with the recogniser by portraits, which recognises only those whom the run asks for.

use domain::{Plan, WordUse};

use super::scenario::Scenario;

fn own() -> Scenario {
    Scenario::new().set("RECOGNISER", "references")
}

#[test]
fn those_whom_captions_name_are_asked_for_and_make_a_chain() {
    let mut scenario = own();
    scenario.limits.words = WordUse::HintsFirst;
    let run = scenario.run();
    assert_eq!(run.ending(), "final", "{}", run.last());
    let calls = run.conducted.calls.iter();
    let asked: Vec<&str> = calls.map(|(provider, ..)| provider.as_str()).collect();
    assert!(asked.contains(&"references"));
    assert!(!asked.contains(&"rekognition"));
    let mut amazons = Scenario::new();
    amazons.limits.words = WordUse::HintsFirst;
    let amazons = amazons.run();
    let photos = |run: &crate::observed::ObservedRun| {
        run.last()["spent"]["rekognitionCalls"].as_u64().unwrap()
    };
    assert!(
        photos(&run) <= 2 * photos(&amazons),
        "{} and {}",
        photos(&run),
        photos(&amazons)
    );
}

#[test]
fn without_captions_only_the_two_and_those_recognised_are_asked_for() {
    let mut scenario = own();
    scenario.options.captions = 0.0;
    let run = scenario.run();
    assert_eq!(
        run.ending().split(' ').next(),
        Some("no_path"),
        "{}",
        run.last()
    );
}

#[test]
fn in_the_plan_of_the_specification_the_words_beside_each_photo_are_asked_for_too() {
    let mut scenario = own();
    scenario.limits.plan = Plan::OneSided;
    scenario.limits.words = WordUse::Ignored;
    assert_eq!(scenario.run().ending(), "final");
}
