//! Two ids of the recogniser with one Wikidata number.

use domain::Plan;

use super::scene::{Scene, check};

/// Ann is seen with one of them, Bob with the other.
fn scene(one: &'static str, other: &'static str) -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| limits.searches_max = 9)
        .finds("Ann Bob together", "")
        .finds("Ann with celebrities", "p1")
        .finds("Bob with celebrities", "p2")
        .shows("p1", one)
        .shows("p2", other)
}

#[test]
fn who_shares_a_number_and_no_word_is_no_bridge_and_told_once() {
    check(
        &scene("Ann:99 Xia:99@Q5", "Bob:99 Yan:99@Q5"),
        "one_number/who_shares_a_number_and_no_word_is_no_bridge_and_told_once",
    );
}

#[test]
fn who_shares_a_number_and_a_name_is_one_person() {
    check(
        &scene("Ann:99 Xia#1:99@Q5", "Bob:99 Xia#2:99@Q5"),
        "one_number/who_shares_a_number_and_a_name_is_one_person",
    );
}
