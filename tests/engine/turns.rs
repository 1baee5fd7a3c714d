//! Photos of several searches at once: which come first, and which wait.

use domain::Plan;

use super::scene::{Scene, check};

/// Five photos each of Ann and of Bob, with five in flight at most.
fn scene() -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.images_per_search = 5;
            limits.searches_max = 9;
        })
        .finds("Ann with celebrities", "p1 p2 p3 p4 p5")
        .finds("Bob with celebrities", "p11 p12 p13 p14 p15")
        .shows("p1", "Ann:95")
        .shows("p2", "Ann:95")
        .shows("p3", "Ann:95 Xia:91")
        .shows("p4", "Ann:95")
        .shows("p5", "Ann:95")
        .shows("p11", "Bob:95")
        .shows("p12", "Bob:95 Xia:91")
        .shows("p13", "Bob:95")
        .shows("p14", "Bob:95 Yan:91")
        .shows("p15", "Bob:95 Zoe:91")
}

#[test]
fn photos_of_both_sides_take_turns() {
    check(&scene(), "turns/photos_of_both_sides_take_turns");
}

#[test]
fn a_photo_without_a_place_comes_beside_the_next_search() {
    let scene = scene()
        .shows("p12", "Bob:95")
        .finds("Ann Bob together", "")
        .finds("Xia Yan with celebrities", "p6")
        .shows("p6", "Xia:95 Yan:95");
    check(
        &scene,
        "turns/a_photo_without_a_place_comes_beside_the_next_search",
    );
}
