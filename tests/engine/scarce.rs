//! The last recognitions share the rest of a budget: all at once, with few attempts each.

use domain::{FailureKind, Plan};

use super::scene::{Scene, ScriptedFailure, check};

/// Three photos of a search, then one of Ann.
fn scene(recognitions_max: u32) -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.recognitions_max = recognitions_max;
            limits.searches_max = 8;
        })
        .finds("Ann Bob", "p1 p2 p3")
        .finds("Ann with celebrities", "p4")
        .shows("p1", "Ann:95 Bob:90")
        .shows("p2", "Ann:95")
        .shows("p3", "Bob:95")
        .shows("p4", "Ann:95")
}

#[test]
fn what_is_left_is_shared_by_the_photos_at_hand() {
    check(&scene(7), "scarce/what_is_left_is_shared");
}

#[test]
fn a_photo_that_failed_for_the_moment_is_left_over_for_a_later_search() {
    let throttled = ScriptedFailure::RecogniseAfter(1, FailureKind::Throttled);
    check(
        &scene(5).fails_at("p1", throttled),
        "scarce/left_over_for_a_later_search",
    );
}

#[test]
fn the_third_failure_in_a_row_ends_the_run() {
    let down = || ScriptedFailure::Recognise(FailureKind::Down);
    let scene = scene(3).fails_at("p1", down()).fails_at("p2", down());
    check(&scene.clone(), "scarce/two_in_a_row_do_not_end_the_run");
    check(&scene.fails_at("p3", down()), "scarce/three_in_a_row");
}

#[test]
fn what_no_pause_helps_ends_the_run_at_once() {
    let quota = ScriptedFailure::Recognise(FailureKind::Quota);
    check(&scene(3).fails_at("p1", quota), "scarce/no_pause_helps");
}

#[test]
fn with_all_its_attempts_made_a_failure_ends_the_run() {
    let throttled = ScriptedFailure::RecogniseAfter(1, FailureKind::Throttled);
    check(
        &scene(9).fails_at("p1", throttled),
        "scarce/all_attempts_made",
    );
}
