//! Budgets, stops, and the effect of provider failures.

use domain::{FailureKind, Plan};

use super::scene::{Scene, ScriptedFailure, check};

fn scene() -> Scene {
    Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1 p2")
        .shows("p1", "Ann:95")
        .shows("p2", "Ann:95 Bob:90")
}

//= spec S7
//= spec Budgets
#[test]
fn the_search_budget_is_never_passed() {
    let scene = Scene::new(Plan::OneSided).limit(|limits| limits.searches_max = 2);
    check(&scene, "failures/the_search_budget_is_never_passed");
}

//= spec Budgets
#[test]
fn attempts_count_against_the_budget() {
    let mut scene = Scene::new(Plan::OneSided).limit(|limits| limits.searches_max = 4);
    scene.attempts = 3;
    check(&scene, "failures/attempts_count_against_the_budget");
}

//= spec S7
#[test]
fn the_recognition_budget_ends_before_the_fetch() {
    check(
        &scene().limit(|limits| limits.recognitions_max = 1),
        "failures/the_recognition_budget_ends_before_the_fetch",
    );
}

//= spec S7
#[test]
fn the_clock_ends_the_run_before_the_next_call() {
    let mut scene = scene().limit(|limits| limits.runtime_ms_max = 1_000);
    scene.pause_ms = 400;
    check(
        &scene,
        "failures/the_clock_ends_the_run_before_the_next_call",
    );
}

#[test]
fn a_stop_ends_the_run_and_the_call_under_way_is_not_waited_for() {
    let mut scene = scene();
    scene.stop_at = Some(3);
    check(
        &scene,
        "failures/a_stop_ends_the_run_and_the_call_under_way_is_not_waited_for",
    );
}

#[test]
fn a_photo_that_cannot_be_had_is_told_and_the_next_one_is_looked_at() {
    check(
        &scene().fails_at("p1", ScriptedFailure::Unfetchable),
        "failures/a_photo_that_cannot_be_had_is_told_and_the_next_one_is_looked_at",
    );
    check(
        &scene().fails_at("p1", ScriptedFailure::Unreadable),
        "failures/a_photo_that_cannot_be_had_is_told_and_the_next_one_is_looked_at_2",
    );
    check(
        &scene().fails_at("p1", ScriptedFailure::Recognise(FailureKind::BadImage)),
        "failures/a_photo_that_cannot_be_had_is_told_and_the_next_one_is_looked_at_3",
    );
}

#[test]
fn a_provider_that_stays_down_ends_the_run_with_its_name() {
    check(
        &scene().fails_at("Ann Bob", ScriptedFailure::Search(FailureKind::Throttled)),
        "failures/a_provider_that_stays_down_ends_the_run_with_its_name",
    );
    check(
        &scene().fails_at("p1", ScriptedFailure::Recognise(FailureKind::Closed)),
        "failures/a_provider_that_stays_down_ends_the_run_with_its_name_2",
    );
}

#[test]
fn a_failure_when_the_time_is_over_is_the_times_fault() {
    let mut scene = scene()
        .limit(|limits| limits.runtime_ms_max = 1_000)
        .fails_at("Ann Bob", ScriptedFailure::Search(FailureKind::Down));
    scene.pause_ms = 1_000;
    check(
        &scene,
        "failures/a_failure_when_the_time_is_over_is_the_times_fault",
    );
}

#[test]
fn nonsense_is_no_proof_of_anything_and_the_third_in_a_row_is_one_too_many() {
    let scene = Scene::new(Plan::BothEnds)
        .fails_at("Ann Bob", ScriptedFailure::Search(FailureKind::Malformed))
        .fails_at(
            "Ann Bob together",
            ScriptedFailure::Search(FailureKind::Malformed),
        )
        .fails_at(
            "Ann with celebrities",
            ScriptedFailure::Search(FailureKind::Malformed),
        );
    check(
        &scene,
        "failures/nonsense_is_no_proof_of_anything_and_the_third_in_a_row_is_one_too_many",
    );
}

#[test]
fn photos_that_all_fail_are_no_search_that_has_not_shown_somebody() {
    let scene = Scene::new(Plan::OneSided)
        .finds("Ann Bob", "p1")
        .shows("p1", "")
        .fails_at("p1", ScriptedFailure::Unfetchable)
        .finds("Ann with celebrities", "p1")
        .finds("Ann event", "p1")
        .finds("Ann awards", "p1");
    check(
        &scene,
        "failures/photos_that_all_fail_are_no_search_that_has_not_shown_somebody",
    );
}

#[test]
fn where_no_photo_of_three_searches_can_be_looked_at_none_is_looked_for_any_more() {
    for (plan, name) in [(Plan::OneSided, "one_sided"), (Plan::BothEnds, "both_ends")] {
        let mut scene = Scene::new(plan)
            .limit(|limits| limits.images_per_search = 4)
            .finds("Ann Bob", "p1 p2 p3 p4")
            .finds("Ann with celebrities", "p5 p6 p7 p8")
            .finds("Bob with celebrities", "q1 q2 q3 q4")
            .finds("Ann event", "p9 p10 p11 p12");
        for photo in ["p1", "p2", "p3", "p4", "p5", "p6", "q1", "q2", "p9", "p10"] {
            scene = scene.fails_at(photo, ScriptedFailure::Unfetchable);
        }
        for photo in ["p7", "p8", "q3", "q4", "p11", "p12"] {
            scene = scene.fails_at(photo, ScriptedFailure::Unreadable);
        }
        for photo in [
            "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "q1", "q2",
            "q3", "q4",
        ] {
            scene = scene.shows(photo, "");
        }
        check(
            &scene,
            &format!("failures/no_photo_can_be_looked_at_{name}"),
        );
    }
}

#[test]
fn a_name_of_which_no_photo_is_found_is_not_called_unrecognised() {
    // Photos of the other person were examined.
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann with celebrities", "p1 p2")
        .shows("p1", "Ann:95 Xia:90")
        .shows("p2", "Ann:95")
        .fails_at("p2", ScriptedFailure::Unfetchable);
    check(&scene, "failures/a_name_of_which_no_photo_is_found");
}

#[test]
fn nonsense_of_a_provider_whose_place_another_takes_ends_nothing_however_often() {
    let handed_over = || ScriptedFailure::Search(FailureKind::MalformedHandedOver);
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95")
        .fails_at("Ann event", handed_over())
        .fails_at("Bob event", handed_over())
        .fails_at("Ann awards", handed_over())
        .finds("Bob awards", "p3")
        .shows("p3", "Ann:95 Bob:95");
    check(
        &scene,
        "failures/nonsense_of_a_provider_whose_place_another_takes_ends_nothing_however_often",
    );
}
