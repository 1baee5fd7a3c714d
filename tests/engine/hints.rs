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

/// Captions name who is in the photos that the first searches find.
fn told() -> Scene {
    Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1 p2 p3 p4")
        .finds("Xia Roe Ugo Day with celebrities", "p5 p6")
        .finds("Ann with celebrities", "p7")
        .finds("Bob with celebrities", "p8")
        .tells("p1", "Ann and Xia Roe")
        .tells("p2", "Ann with Eva Lum")
        .tells("p3", "Bob and Ugo Day")
        .tells("p4", "Ida Fay and Bob")
        .tells("p5", "Xia Roe, Ugo Day")
        .tells("p6", "Ugo Day at the Summer Ball")
        .tells("p7", "Ann at the Summer Ball")
        .tells("p8", "Bob at the Summer Ball")
        .shows("p1", "Ann:95 Xia_Roe:91")
        .shows("p2", "Ann:95 Eva_Lum:91")
        .shows("p3", "Bob:95 Ugo_Day:91")
        .shows("p4", "Bob:95 Ida_Fay:91")
        .shows("p5", "Xia_Roe:95 Ugo_Day:91")
        .shows("p6", "Ugo_Day:95")
        .shows("p7", "Ann:95")
        .shows("p8", "Bob:95")
}

#[test]
fn an_answer_is_read_before_any_of_its_photos_is_paid_for() {
    check(
        &told(),
        "hints/an_answer_is_read_before_any_of_its_photos_is_paid_for",
    );
}

#[test]
fn where_a_face_is_missed_the_search_goes_around_it_and_looks_at_what_is_left() {
    let scene = told()
        .limit(|limits| limits.searches_max = 5)
        .shows("p5", "Ugo_Day:91");
    check(
        &scene,
        "hints/where_a_face_is_missed_the_search_goes_around_it_and_looks_at_what_is_left",
    );
}

#[test]
fn somebody_whom_the_recogniser_does_not_know_is_told_before_all_is_spent() {
    let mut scene = told();
    for photo in ["p1", "p2", "p7"] {
        scene = scene.shows(photo, "");
    }
    check(
        &scene,
        "hints/somebody_whom_the_recogniser_does_not_know_is_told_before_all_is_spent",
    );
}

/// The first image search has one photo of Bob and says that there are no more; the second one has the photo that joins.
#[test]
fn a_list_that_is_whole_does_not_end_the_search_at_another_image_search() {
    let scene = Scene::new(Plan::BothEnds)
        .source(["commons", "Wikimedia Commons"], [50, 100], 0)
        .source(["brave", "Brave Images"], [50, 1], 0)
        .finds("commons: Ann Bob", "p1 p2")
        .finds("commons: Bob with celebrities", "p2")
        .finds("brave: Bob with celebrities", "p3")
        .tells("p1", "Ann and Xia Roe")
        .tells("p2", "Bob with Ugo Day")
        .tells("p3", "Xia Roe and Bob")
        .shows("p1", "Ann:95 Xia_Roe:91")
        .shows("p2", "Bob:95 Ugo_Day:91")
        .shows("p3", "Xia_Roe:95 Bob:91");
    check(
        &scene,
        "hints/a_list_that_is_whole_does_not_end_the_search_at_another_image_search",
    );
}

#[test]
fn a_person_of_whom_no_photo_was_found_is_searched_for_alone() {
    let beside_bob = [
        ("p1", "Bob and Xia Roe", "Bob:95 Xia_Roe:91"),
        ("p2", "Bob with Ugo Day", "Bob:95 Ugo_Day:91"),
        ("p3", "Eva Lum and Bob", "Bob:95 Eva_Lum:91"),
    ];
    let mut scene = Scene::new(Plan::BothEnds)
        .finds("Bob", "p1 p2 p3")
        .limit(|limits| limits.searches_max = 7);
    for (photo, title, faces) in beside_bob {
        scene = scene.tells(photo, title).shows(photo, faces);
    }
    check(
        &scene,
        "hints/a_person_of_whom_no_photo_was_found_is_searched_for_alone",
    );
}

#[test]
fn a_person_in_none_of_the_photos_found_for_both_is_unknown() {
    let photos = ["p1", "p2", "p3", "p4"];
    let mut scene = Scene::new(Plan::BothEnds).finds("Ann Bob", "p1 p2 p3 p4");
    for photo in photos {
        scene = scene
            .tells(photo, "Bob and Xia Roe")
            .shows(photo, "Bob:95 Xia_Roe:91");
    }
    check(
        &scene,
        "hints/a_person_in_none_of_the_photos_found_for_both_is_unknown",
    );
}

#[test]
fn where_words_name_few_a_run_goes_as_without_them() {
    let few = || {
        Scene::new(Plan::BothEnds)
            .finds("Ann Bob", "p1 p2 p3 p4")
            .finds("Ann with celebrities", "p5 p6")
            .finds("Bob with celebrities", "p7 p8")
            .shows("p1", "Ann:95")
            .shows("p2", "Bob:95")
            .shows("p3", "Ann:95 Eva:91")
            .shows("p4", "Bob:95")
            .shows("p5", "Ann:95 Xia:91")
            .shows("p6", "Ann:95")
            .shows("p7", "Bob:95")
            .shows("p8", "Bob:95 Xia:91")
    };
    let named = few().tells("p8", "Bob and Xia Roe").transcript();
    let silent = few().tells("p8", "Guests").transcript();
    assert_eq!(named, silent);
}
