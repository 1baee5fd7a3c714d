//! Copies of photos already seen: they are not paid for, and add no evidence.

use domain::{Plan, Veto, WordUse};

use super::scene::{Scene, check};

/// The photo `p4` looks like `p2`, or like a part of it.
fn scene(plan: Plan) -> Scene {
    Scene::new(plan)
        .says("p9", "A garden")
        .finds("Ann Bob", "p1 p2")
        .finds("Ann with celebrities", "p3 p4")
        .finds("Bob with celebrities", "p5 p6")
        .shows("p1", "Ann:95")
        .shows("p2", "Bob:95 Xia:91")
        .shows("p3", "Ann:95 Xia:91")
        .shows("p4", "Bob:95 Yan:91")
        .shows("p5", "Bob:95")
        .shows("p6", "Bob:95")
        .looks("p2", 1, 1.0)
        .looks("p4", 1, 0.8)
}

fn is_recognised(scene: &Scene, photo: &str) -> bool {
    scene
        .transcript()
        .contains(&format!("-> recognise {photo}"))
}

#[test]
fn a_copy_is_fetched_and_not_paid_for() {
    check(
        &scene(Plan::BothEnds),
        "copies/a_copy_is_fetched_and_not_paid_for",
    );
}

#[test]
fn a_photo_that_shows_more_than_one_that_was_seen_is_paid_for() {
    let scene = scene(Plan::BothEnds)
        .looks("p2", 1, 0.8)
        .looks("p4", 1, 1.0);
    assert!(is_recognised(&scene, "p4"));
}

#[test]
fn a_part_of_a_collage_is_looked_at_for_itself() {
    let scene = scene(Plan::BothEnds).vetoed("p2", Veto::Seam);
    assert!(is_recognised(&scene, "p4"));
}

#[test]
fn another_photo_is_none() {
    assert!(is_recognised(
        &scene(Plan::BothEnds).looks("p4", 2, 1.0),
        "p4"
    ));
}

#[test]
fn the_specification_and_older_orders_know_no_copies() {
    assert!(is_recognised(&scene(Plan::OneSided), "p4"));
    let older = scene(Plan::BothEnds).limit(|limits| limits.words = WordUse::Ignored);
    assert!(is_recognised(&older, "p4"));
}
