//! Several image searches, and lists of several pages: which is queried for what, and when.

use domain::Plan;

use super::scene::{Scene, check};

/// Ann and Bob are each with somebody else. Nothing else is found.
fn scene() -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| limits.searches_max = 12)
        .shows("p1", "Ann:95 Xia:91")
        .shows("p2", "Bob:95 Yan:91")
        .shows("p3", "Xia:95 Yan:91")
        .shows("p4", "Ann:95")
        .shows("p5", "Ann:96")
        .shows("p6", "Ann:97")
        .shows("p7", "Ann:98")
}

fn two_sources() -> Scene {
    scene()
        .source(["commons", "Wikimedia Commons"], [50, 100], 0)
        .source(["brave", "Brave Images"], [200, 1], 5_000_000)
}

/// Only the second search leads further. The certificate names the searches used.
#[test]
fn what_the_first_image_search_lacks_the_second_is_asked() {
    let scene = two_sources()
        .finds("commons: Ann with celebrities", "p1 p4")
        .finds("commons: Bob with celebrities", "p2")
        .finds("brave: Xia Yan with celebrities", "p3");
    check(
        &scene,
        "sources/what_the_first_image_search_lacks_the_second_is_asked",
    );
}

/// The second search is paid, and finds the same.
#[test]
fn a_free_image_search_is_emptied_before_one_that_is_paid() {
    let all = "p1 p4 p5 p6 p7";
    let scene = two_sources()
        .finds("commons: Ann with celebrities", all)
        .finds("brave: Ann with celebrities", all)
        .finds("commons: Bob with celebrities", "p2")
        .finds("commons: Xia Yan with celebrities", "p3")
        .finds("brave: Xia Yan with celebrities", "p3");
    check(
        &scene,
        "sources/a_free_image_search_is_emptied_before_one_that_is_paid",
    );
}

/// Xia is on the second page.
#[test]
fn the_next_page_of_a_list_is_asked_for_once_all_of_it_is_looked_at() {
    let scene = scene()
        .source(["google", "Google Custom Search"], [3, 9], 5_000_000)
        .finds("google: Ann with celebrities", "p4 p5 p6 p7 p1")
        .finds("google: Bob with celebrities", "p2")
        .finds("google: Xia Yan with celebrities", "p3");
    check(
        &scene,
        "sources/the_next_page_of_a_list_is_asked_for_once_all_of_it_is_looked_at",
    );
}

/// A list has one page, so that no more is requested.
#[test]
fn no_page_is_asked_for_that_an_image_search_does_not_have() {
    let scene = scene()
        .limit(|limits| limits.searches_max = 4)
        .source(["brave", "Brave Images"], [3, 1], 5_000_000)
        .finds("brave: Ann with celebrities", "p4 p5 p6 p7 p1")
        .finds("brave: Bob with celebrities", "p2");
    check(
        &scene,
        "sources/no_page_is_asked_for_that_an_image_search_does_not_have",
    );
}
