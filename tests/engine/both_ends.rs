//! The both-ends plan: the same states, four changes.

use domain::Plan;

use super::scene::{Scene, check};

fn scene() -> Scene {
    Scene::new(Plan::BothEnds)
}

//= spec S1
//= spec S6
#[test]
fn a_photo_of_both_is_the_end() {
    let scene = scene().finds("Ann Bob", "p1").shows("p1", "Ann:99 Bob:90");
    check(&scene, "both_ends/a_photo_of_both_is_the_end");
}

//= spec S2
#[test]
fn every_two_people_of_a_photo_are_an_edge_and_sides_take_turns() {
    let scene = scene()
        .finds("Ann Bob", "p0")
        .shows("p0", "Cleo:99")
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:91 Yan:92")
        .finds("Bob with celebrities", "p2 p3")
        .shows("p2", "Bob:95 Zoe:90")
        .shows("p3", "Yan:93 Zoe:94");
    check(
        &scene,
        "both_ends/every_two_people_of_a_photo_are_an_edge_and_sides_take_turns",
    );
}

//= spec S3
//= spec S4
//= spec S5
#[test]
fn whom_other_peoples_photos_show_often_is_asked_about_next() {
    let scene = scene()
        .finds("Ann with celebrities", "p1 p2 p3")
        .shows("p1", "Ann:95 Xia:99")
        .shows("p2", "Ann:95 Yan:90")
        .shows("p3", "Ann:95 Yan:90")
        .finds("Bob with celebrities", "p4")
        .shows("p4", "Bob:95 Zoe:90")
        .finds("Yan with celebrities", "p5")
        .shows("p5", "Yan:90 Zoe:90");
    check(
        &scene,
        "both_ends/whom_other_peoples_photos_show_often_is_asked_about_next",
    );
}

//= spec S7
#[test]
fn connected_by_a_longer_chain_only_is_a_hop_limit() {
    let scene = scene()
        .limit(|limits| limits.hops = 1)
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:99")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95 Xia:99");
    check(
        &scene,
        "both_ends/connected_by_a_longer_chain_only_is_a_hop_limit",
    );
}

//= spec S7
#[test]
fn nothing_left_to_ask_is_no_candidates() {
    let scene = scene()
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95");
    check(&scene, "both_ends/nothing_left_to_ask_is_no_candidates");
}

#[test]
fn an_avoided_person_may_be_seen_but_not_passed() {
    let scene = scene()
        .avoid("Xia")
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:99")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95 Xia:99");
    check(
        &scene,
        "both_ends/an_avoided_person_may_be_seen_but_not_passed",
    );
}

#[test]
fn a_name_that_three_searches_have_not_shown_is_unknown_with_the_nearest_ones() {
    let scene = scene()
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:95")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bobb:99")
        .finds("Bob event", "p3")
        .shows("p3", "Rob:99");
    check(
        &scene,
        "both_ends/a_name_that_three_searches_have_not_shown_is_unknown_with_the_nearest_ones",
    );
}

#[test]
fn a_second_person_of_the_typed_name_is_told_and_kept_apart() {
    let scene = scene()
        .finds("Ann Bob", "p1 p2")
        .shows("p1", "Ann:95")
        .shows("p2", "Ann#2:99 Bob:99")
        .finds("Ann event", "p3")
        .shows("p3", "Ann:95 Bob:95");
    check(
        &scene,
        "both_ends/a_second_person_of_the_typed_name_is_told_and_kept_apart",
    );
}

#[test]
fn the_best_of_several_chains_is_the_widest() {
    let scene = scene()
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:85 Yan:84")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95 Xia:81 Yan:84");
    check(&scene, "both_ends/the_best_of_several_chains_is_the_widest");
}

#[test]
fn a_face_below_the_threshold_takes_no_typed_name() {
    let scene = scene()
        .finds("Ann Bob", "p1 p2")
        .shows("p1", "Ann#2:55 Bob:99")
        .shows("p2", "Ann:99 Bob:99");
    check(
        &scene,
        "both_ends/a_face_below_the_threshold_takes_no_typed_name",
    );
}

#[test]
fn two_names_of_one_person_end_the_run_with_that() {
    let scene = scene()
        .finds("Ann Bob", "p1 p2")
        .shows("p1", "Ann:99")
        .shows("p2", "Bob=Ann:99");
    check(
        &scene,
        "both_ends/two_names_of_one_person_end_the_run_with_that",
    );
}

#[test]
fn an_avoided_person_is_known_by_every_name() {
    let scene = scene()
        .avoid("Yan")
        .finds("Ann with celebrities", "p1 p2")
        .shows("p1", "Ann:99 Xia:99")
        .shows("p2", "Yan=Xia:99")
        .finds("Bob with celebrities", "p3")
        .shows("p3", "Bob:99 Xia:99");
    check(&scene, "both_ends/an_avoided_person_is_known_by_every_name");
}
