//! A choice that waits for photos: it proceeds when they are recognised, or when none will come.

use domain::Plan;

use super::scene::{Scene, check};

/// One hop: nobody is left to choose, and the last photo of the last search is deferred.
fn scene() -> Scene {
    let scene = Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.hops = 1;
            limits.images_per_search = 6;
        })
        .finds("Ann Bob", "p1 p2")
        .shows("p1", "Ann:95")
        .shows("p2", "Bob:95")
        .finds("Bob awards", "p3 p4 p5 p6 p7 p8");
    let photos = ["p3", "p4", "p5", "p6", "p7", "p8"];
    let all_show_bob = |scene: Scene, photo| scene.shows(photo, "Bob:95");
    photos.into_iter().fold(scene, all_show_bob)
}

#[test]
fn a_used_up_budget_ends_a_run_that_waits_for_a_deferred_photo() {
    let scene = scene().limit(|limits| limits.recognitions_max = 7);
    check(
        &scene,
        "resting/a_used_up_budget_ends_a_run_that_waits_for_a_deferred_photo",
    );
}

#[test]
fn a_deferred_photo_that_is_known_ends_the_wait_for_it() {
    let scene = scene().same_bytes("p8", "p7");
    check(
        &scene,
        "resting/a_deferred_photo_that_is_known_ends_the_wait_for_it",
    );
}
