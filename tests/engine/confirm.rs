//! Confirming a chain's doubtful edges with a second photo.

use domain::{FailureKind, Pace, Plan};

use super::scene::{Scene, ScriptedFailure, check};

/// Ann > Xia > Bob by Xia's photos, the one with Bob being the least certain; `searches` to confirm it.
fn chain(searches: u32) -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| limits.confirm_searches_max = searches)
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:91")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95 Xia:83")
}

#[test]
fn the_most_doubtful_link_is_confirmed_by_a_second_photo() {
    let scene = chain(1)
        .finds("Xia Bob", "p3")
        .finds("Bob Xia", "p3")
        .shows("p3", "Bob:95 Xia:90");
    check(
        &scene,
        "confirm/the_most_doubtful_link_is_confirmed_by_a_second_photo",
    );
}

#[test]
fn a_photo_that_nearly_looks_put_together_is_more_doubtful_than_a_low_score() {
    let scene = chain(1)
        .doubtful("p1")
        .finds("Ann Xia", "p3")
        .finds("Xia Ann", "p3")
        .shows("p3", "Ann:95 Xia:90");
    check(
        &scene,
        "confirm/a_photo_that_nearly_looks_put_together_is_more_doubtful_than_a_low_score",
    );
}

#[test]
fn what_has_no_second_photo_and_no_other_way_is_told_as_it_is() {
    check(
        &chain(3),
        "confirm/what_has_no_second_photo_and_no_other_way_is_told_as_it_is",
    );
}

#[test]
fn a_link_without_a_second_photo_is_left_where_there_is_another_way() {
    let scene = chain(1)
        .finds("Ann with celebrities", "p1 p4")
        .shows("p4", "Ann:95 Yan:91")
        .finds("Xia Bob", "p6")
        .finds("Bob Xia", "p6")
        .shows("p6", "Yan:81 Bob:91");
    check(
        &scene,
        "confirm/a_link_without_a_second_photo_is_left_where_there_is_another_way",
    );
}

#[test]
fn another_way_is_looked_for_once() {
    let scene = chain(1)
        .finds("Ann Bob event", "p3")
        .shows("p3", "Ann:95 Bob:81");
    check(&scene, "confirm/another_way_is_looked_for_once");
}

#[test]
fn a_search_that_fails_says_nothing_of_a_link() {
    let scene = ["Xia Bob", "Bob Xia"]
        .into_iter()
        .fold(chain(1), |scene, query| {
            scene.fails_at(query, ScriptedFailure::Search(FailureKind::Quota))
        });
    check(&scene, "confirm/a_search_that_fails_says_nothing_of_a_link");
}

#[test]
fn with_no_search_left_nothing_is_confirmed() {
    let scene = chain(2).limit(|limits| limits.searches_max = 4);
    check(&scene, "confirm/with_no_search_left_nothing_is_confirmed");
}

#[test]
fn a_chain_is_polished_before_it_is_confirmed() {
    let scene = chain(1)
        .limit(|limits| limits.polish_searches_max = 1)
        .finds("Xia Bob", "p3")
        .finds("Bob Xia", "p3")
        .shows("p3", "Bob:95 Xia:90");
    check(&scene, "confirm/a_chain_is_polished_before_it_is_confirmed");
}

#[test]
fn a_photo_that_shows_somebody_twice_is_the_most_doubtful() {
    let scene = chain(1)
        .shows("p1", "Ann:95/0 Xia:91/4 Xia:90/8")
        .finds("Ann Xia", "p3")
        .finds("Xia Ann", "p3")
        .shows("p3", "Ann:95 Xia:90");
    check(
        &scene,
        "confirm/a_photo_that_shows_somebody_twice_is_the_most_doubtful",
    );
}

#[test]
fn a_photo_that_shows_two_people_in_one_face_is_the_most_doubtful() {
    let scene = chain(1).shows("p1", "Ann:98/3 Xia:98/3");
    check(
        &scene,
        "confirm/a_photo_that_shows_two_people_in_one_face_is_the_most_doubtful",
    );
}

/// The first photo that the search finds is already known.
#[test]
fn the_frugal_pace_looks_for_a_second_photo_beyond_the_first() {
    let scene = chain(1)
        .limit(|limits| limits.pace = Pace::Frugal)
        .finds("Xia Bob", "p2 p3")
        .finds("Bob Xia", "p2 p3")
        .shows("p3", "Bob:95 Xia:90");
    check(
        &scene,
        "confirm/the_frugal_pace_looks_for_a_second_photo_beyond_the_first",
    );
    assert!(scene.transcript().contains("-> recognise p3"));
}
