//! Answers that have arrived when the end is decided: they were paid for, so their photos are used.

use domain::{FailureKind, Plan};

use super::scene::{Scene, ScriptedFailure, check};

/// Three photos are being recognised when the first of them decides.
fn scene(plan: Plan) -> Scene {
    let mut scene = Scene::new(plan)
        .finds("Ann Bob", "p1 p2 p3")
        .shows("p1", "Ann:95 Bob:85")
        .shows("p2", "Ann:95 Bob:92")
        .shows("p3", "Ann:95 Xia:92");
    scene.here_at_end = 2;
    scene
}

#[test]
fn a_photo_that_is_here_when_the_chain_is_proven_is_evidence_too() {
    check(&scene(Plan::BothEnds), "late/a_second_photo_of_the_pair");
    check(&scene(Plan::OneSided), "late/a_second_photo_one_sided");
    let mut one = scene(Plan::BothEnds);
    one.here_at_end = 1;
    check(&one, "late/what_is_not_here_is_withdrawn");
}

#[test]
fn a_photo_that_is_here_may_make_the_chain_shorter() {
    let mut scene = Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1 p2 p3")
        .shows("p1", "Ann:95 Xia:92")
        .shows("p2", "Xia:92 Bob:85")
        .shows("p3", "Ann:95 Bob:90");
    scene.here_at_end = 1;
    check(
        &scene,
        "late/a_photo_that_is_here_may_make_the_chain_shorter",
    );
}

#[test]
fn a_failure_that_is_here_changes_nothing() {
    let failing = |kind| scene(Plan::BothEnds).fails_at("p2", ScriptedFailure::Recognise(kind));
    check(&failing(FailureKind::Quota), "late/a_failure_that_is_here");
    check(
        &failing(FailureKind::BadImage),
        "late/a_photo_that_can_not_be_read",
    );
    // Nor does a photo that has not been fetched yet.
    let mut scene = scene(Plan::BothEnds).limit(|limits| limits.recognitions_max = 1);
    scene.here_at_end = 3;
    check(&scene, "late/nothing_is_under_way");
}

#[test]
fn a_chain_that_is_here_is_told_whatever_was_to_end_the_run() {
    let broken =
        scene(Plan::BothEnds).fails_at("p1", ScriptedFailure::Recognise(FailureKind::Quota));
    check(&broken, "late/a_chain_in_spite_of_a_failure");
    let mut stopped = scene(Plan::BothEnds);
    stopped.stop_at = Some(5);
    check(&stopped, "late/the_users_stop_waits_for_nothing");
}

#[test]
fn a_photo_that_breaks_the_chain_has_the_search_go_on() {
    // Xia turns out to be Zoe.
    let mut scene = Scene::new(Plan::BothEnds)
        .avoid("Zoe")
        .finds("Ann Bob", "p1 p2 p3")
        .shows("p1", "Ann:95 Xia:92")
        .shows("p2", "Xia:92 Bob:85")
        .shows("p3", "Zoe=Xia:95")
        .finds("Ann with celebrities", "p4")
        .shows("p4", "Ann:95 Bob:85");
    scene.here_at_end = 1;
    check(&scene, "late/a_photo_that_breaks_the_chain");
}

#[test]
fn a_broken_chain_with_nobody_left_ends_like_any_search() {
    // What arrives before the photo that breaks the chain is unusable: unreadable, or only fetched.
    let mut scene = Scene::new(Plan::BothEnds)
        .limit(|limits| limits.images_per_search = 6)
        .avoid("Zoe")
        .finds("Ann Bob", "p1 p2 p3 p4 p5 p6")
        .shows("p1", "Ann:95 Xia:92")
        .shows("p2", "Xia:92 Bob:85")
        .shows("p3", "Ann:95")
        .shows("p4", "Zoe=Xia:95")
        .shows("p5", "Ann:95")
        .shows("p6", "Ann:95")
        .fails_at("p3", ScriptedFailure::Recognise(FailureKind::BadImage));
    scene.here_at_end = 2;
    check(&scene, "late/a_broken_chain_with_nobody_left");
}

#[test]
fn one_sided_a_path_through_somebody_to_avoid_is_none() {
    let mut scene = Scene::new(Plan::OneSided)
        .avoid("Zoe")
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:92")
        .finds("Ann Xia", "p1")
        .finds("Xia Bob", "p2 p3")
        .shows("p2", "Xia:92 Bob:85")
        .shows("p3", "Zoe=Xia:95");
    scene.here_at_end = 1;
    check(&scene, "late/one_sided_through_somebody_to_avoid");
}

#[test]
fn who_is_recognised_after_all_is_not_unknown() {
    // Three searches for Bob find nothing; a photo of Ann, being recognised by then, shows him.
    let mut scene = Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.images_per_search = 7;
            limits.searches_max = 6;
        })
        .finds("Ann with celebrities", "p1 p2 p3 p4 p5 p6 p7")
        .shows("p1", "Ann:95")
        .shows("p2", "Ann:95")
        .shows("p3", "Ann:95")
        .shows("p4", "Ann:95")
        .shows("p5", "Ann:95")
        .shows("p6", "Ann:95")
        .shows("p7", "Bob:95 Xia:91");
    scene.here_at_end = 9;
    check(&scene, "late/who_is_recognised_after_all");
    scene.here_at_end = 0;
    check(&scene, "late/who_is_not_recognised_by_then");
}
