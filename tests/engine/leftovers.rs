//! A search returns more photos than are examined: which are examined, and what happens to the others.

use domain::{Pace, Plan};

use super::scene::{Scene, check};

/// Ann and Bob, with three photos examined per search. Two of Ann's are left over from the first searches; Bob's search
/// finds one new photo.
fn scene(plan: Plan) -> Scene {
    Scene::new(plan)
        .limit(|limits| limits.searches_max = 3)
        .finds("Ann Bob", "p1 p2 p3 p4 p5")
        .finds("Ann with celebrities", "p1 p4 p6 p2 p7 p8 p9")
        .finds("Bob with celebrities", "p3 p10")
        .shows("p1", "Ann:95")
        .shows("p2", "Ann:95 Xia:91")
        .shows("p3", "Bob:95")
        .shows("p4", "Ann:95 Yan:91")
        .shows("p5", "Bob:95 Yan:91")
        .shows("p6", "Ann:95")
        .shows("p7", "Ann:95")
        .shows("p8", "Ann:95 Zoe:91")
        .shows("p9", "Ann:95")
        .shows("p10", "Bob:95 Zoe:91")
}

#[test]
fn known_photos_take_no_place_and_leftovers_fill_the_places_of_a_poor_search() {
    check(
        &scene(Plan::BothEnds),
        "leftovers/known_photos_take_no_place_and_leftovers_fill_the_places_of_a_poor_search",
    );
}

#[test]
fn a_search_that_finds_nothing_is_filled_up_too() {
    let scene = scene(Plan::BothEnds).finds("Bob with celebrities", "");
    check(
        &scene,
        "leftovers/a_search_that_finds_nothing_is_filled_up_too",
    );
}

#[test]
fn the_frugal_pace_looks_at_leftovers_one_at_a_time_too() {
    let scene = scene(Plan::BothEnds).limit(|limits| limits.pace = Pace::Frugal);
    check(
        &scene,
        "leftovers/the_frugal_pace_looks_at_leftovers_one_at_a_time_too",
    );
}

#[test]
fn a_name_is_unknown_only_after_what_was_left_over_for_it() {
    // Three searches for Ann; the third finds nothing, which leaves room for three photos of the first.
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1 p2 p3 p4 p5 p6 p7 p8 p9")
        .shows("p1", "Bob:95")
        .shows("p2", "Bob:95")
        .shows("p3", "Bob:95")
        .shows("p4", "Bob:95")
        .shows("p5", "Bob:95")
        .shows("p6", "Bob:95")
        .shows("p7", "Bob:95")
        .shows("p8", "Bob:95")
        .shows("p9", "Ann:95 Bob:95")
        .finds("Bob with celebrities", "p11 p12 p13")
        .shows("p11", "Bob:95")
        .shows("p12", "Bob:95")
        .shows("p13", "Bob:95");
    check(
        &scene,
        "leftovers/a_name_is_unknown_only_after_what_was_left_over_for_it",
    );
}

#[test]
fn the_last_photo_of_a_pair_is_recognised_beside_the_next_search() {
    // The first of five photos of Xia and Yan proves the pair: the last is not examined.
    let scene = |proof| {
        Scene::new(Plan::BothEnds)
            .limit(|limits| limits.images_per_search = 5)
            .finds("Ann with celebrities", "p1")
            .shows("p1", "Ann:95 Xia:91")
            .finds("Bob with celebrities", "p2")
            .shows("p2", "Bob:95 Yan:91")
            .finds("Xia Yan with celebrities", "p3 p4 p5 p6 p7")
            .shows("p3", proof)
            .shows("p4", "Xia:95")
            .shows("p5", "Xia:95")
            .shows("p6", "Yan:95 Wei:91")
            .shows("p7", "Xia:95 Zoe:91")
    };
    check(
        &scene("Xia:95 Yan:91"),
        "leftovers/the_last_photo_of_a_pair_proven",
    );
    check(
        &scene("Xia:95"),
        "leftovers/the_last_photo_of_a_pair_not_proven",
    );
}

//= spec S2 "num=5"
#[test]
fn the_one_sided_plan_asks_for_what_it_looks_at() {
    check(
        &scene(Plan::OneSided),
        "leftovers/the_one_sided_plan_asks_for_what_it_looks_at",
    );
}
