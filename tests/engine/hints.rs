//! Captions decide which photos are examined and which chain is checked, but prove nothing.

use domain::{Pace, Plan, WordUse};

use super::scene::{Scene, check};

/// Captions name Xia with both, in photos at the end of lists, of which three are examined per search.
fn scene(plan: Plan) -> Scene {
    Scene::new(plan)
        .finds("Ann Bob", "p1 p2")
        .finds("Ann with celebrities", "p3 p4 p5 p6")
        .finds("Bob with celebrities", "p7 p8 p9 p10")
        .says("p6", "Ann and Xia at the gala")
        .says("p10", "XIA, BOB AND GUESTS")
        .says("p4", "A garden")
        .shows("p1", "Ann:95")
        .shows("p2", "Bob:95")
        .shows("p3", "Ann:95")
        .shows("p4", "Ann:95")
        .shows("p5", "Ann:95")
        .shows("p6", "Ann:95 Xia:91")
        .shows("p7", "Bob:95")
        .shows("p8", "Bob:95")
        .shows("p9", "Bob:95")
        .shows("p10", "Bob:95 Xia:91")
}

#[test]
fn somebody_who_is_named_beside_both_is_looked_at_first() {
    check(
        &scene(Plan::BothEnds),
        "hints/somebody_who_is_named_beside_both_is_looked_at_first",
    );
}

#[test]
fn one_sided_reads_no_captions() {
    let silent = {
        let mut silent = scene(Plan::OneSided);
        silent.request.limits.words = WordUse::Ignored;
        silent.transcript()
    };
    assert_eq!(scene(Plan::OneSided).transcript(), silent);
}

#[test]
fn a_caption_that_lies_proves_nothing() {
    // The photos only show Ann and Bob, whatever their captions say.
    let scene = scene(Plan::BothEnds)
        .limit(|limits| limits.searches_max = 5)
        .shows("p6", "Ann:95")
        .shows("p10", "Bob:95");
    check(&scene, "hints/a_caption_that_lies_proves_nothing");
}

/// A chain made entirely of photos left over from the first searches.
fn left_over(pace: Pace) -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.pace = pace;
            limits.images_per_search = 1;
            limits.searches_max = 4;
        })
        .finds("Ann Bob", "p1 p2")
        .finds("Ann with celebrities", "p3 p4")
        .finds("Bob with celebrities", "p5 p6")
        .says("p3", "Ann, Uma, Ivo and Eva")
        .says("p4", "Ann and Xia")
        .says("p5", "Bob, Ida, Ugo and Max")
        .says("p6", "Xia with Bob")
        .shows("p1", "Ann:95")
        .shows("p2", "Bob:95")
        .shows("p3", "Ann:95 Uma:91")
        .shows("p4", "Ann:95 Xia:91")
        .shows("p5", "Bob:95 Ida:91")
        .shows("p6", "Bob:95 Xia:91")
}

#[test]
fn the_photos_of_a_hinted_chain_are_looked_at_together() {
    check(
        &left_over(Pace::Quick),
        "hints/the_photos_of_a_hinted_chain_are_looked_at_together",
    );
}

#[test]
fn the_frugal_pace_looks_at_the_least_certain_link_first() {
    check(
        &left_over(Pace::Frugal),
        "hints/the_frugal_pace_looks_at_the_least_certain_link_first",
    );
}
