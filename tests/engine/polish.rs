//! Polishing a chain, its certificate, and the pace at which photos are examined.

use domain::{FailureKind, Pace, Plan};

use super::scene::{Scene, ScriptedFailure, check};

/// Ann > Xia > Yan > Bob, with `searches` to polish it.
fn chain(searches: u32) -> Scene {
    Scene::new(Plan::BothEnds)
        .limit(|limits| limits.polish_searches_max = searches)
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:91")
        .finds("Bob with celebrities", "p2 p3")
        .shows("p2", "Bob:95 Yan:90")
        .shows("p3", "Xia:89 Yan:93")
}

#[test]
fn without_polish_the_first_chain_is_the_end() {
    check(
        &chain(0),
        "polish/without_polish_the_first_chain_is_the_end",
    );
}

#[test]
fn a_photo_of_two_who_are_not_neighbours_makes_the_chain_shorter() {
    let scene = chain(2)
        .finds("Ann Yan", "p4")
        .shows("p4", "Ann:95 Yan:90")
        .finds("Yan Bob", "p5")
        .shows("p5", "Bob:95 Yan:97");
    check(
        &scene,
        "polish/a_photo_of_two_who_are_not_neighbours_makes_the_chain_shorter",
    );
}

#[test]
fn an_edge_with_a_second_photo_is_preferred() {
    // Two chains of two hops: Xia's photos are better, Yan has two per edge.
    let scene = Scene::new(Plan::BothEnds)
        .limit(|limits| limits.polish_searches_max = 2)
        .finds("Ann with celebrities", "p1 p2 p3")
        .shows("p1", "Ann:95 Xia:99")
        .shows("p2", "Ann:95 Yan:90")
        .shows("p3", "Ann:95 Yan:90")
        .finds("Bob with celebrities", "p4")
        .shows("p4", "Bob:95 Xia:99")
        .finds("Ann Bob event", "p5 p6")
        .shows("p5", "Bob:95 Yan:90")
        .shows("p6", "Bob:95 Yan:91");
    check(&scene, "polish/an_edge_with_a_second_photo_is_preferred");
}

#[test]
fn whatever_ends_polishing_the_chain_is_told() {
    let mut stopped = chain(4);
    stopped.stop_at = Some(11);
    check(
        &stopped,
        "polish/the_users_stop_ends_polishing_with_the_chain",
    );
    let failed = chain(4).fails_at("Ann Yan", ScriptedFailure::Search(FailureKind::Quota));
    check(
        &failed,
        "polish/a_providers_failure_ends_polishing_with_the_chain",
    );
    let spent = chain(9).limit(|limits| limits.searches_max = 6);
    check(
        &spent,
        "polish/a_used_up_budget_ends_polishing_with_the_chain",
    );
    let nothing_left = chain(9).limit(|limits| limits.searches_max = 4);
    check(
        &nothing_left,
        "polish/with_no_search_left_nothing_is_polished",
    );
}

#[test]
fn a_search_that_was_overtaken_by_a_chain_is_not_looked_at() {
    // Xia and Yan are searched when a photo being recognised already proves the chain.
    let overtaken = chain(9)
        .limit(|limits| limits.searches_max = 8)
        .finds("Xia Yan with celebrities", "p8 p9")
        .shows("p8", "Xia:95 Yan:95")
        .shows("p9", "Xia:95 Yan:95");
    check(
        &overtaken,
        "polish/a_search_that_was_overtaken_by_a_chain_is_not_looked_at",
    );
}

#[test]
fn the_frugal_pace_looks_at_one_photo_at_a_time_and_stops_at_the_first_proof() {
    let scene = Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.pace = Pace::Frugal;
            limits.polish_searches_max = 1;
        })
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:91")
        .finds("Bob with celebrities", "p2")
        .shows("p2", "Bob:95 Xia:90")
        .finds("Ann Bob event", "p3 p4 p5")
        .shows("p3", "Ann:95")
        .shows("p4", "Ann:95 Bob:90")
        .shows("p5", "Ann:95 Bob:99");
    check(
        &scene,
        "polish/the_frugal_pace_looks_at_one_photo_at_a_time_and_stops_at_the_first_proof",
    );
}

#[test]
fn a_photo_that_is_in_hand_already_is_waited_for_and_not_paid_twice() {
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann with celebrities", "p1 p2")
        .finds("Bob with celebrities", "p2 p3")
        .shows("p1", "Ann:95 Xia:91")
        .shows("p2", "Ann:95 Yan:91")
        .shows("p3", "Bob:95 Yan:91")
        .same_bytes("p3", "p1");
    check(
        &scene,
        "polish/a_photo_that_is_in_hand_already_is_waited_for_and_not_paid_twice",
    );
}

#[test]
fn a_chain_through_somebody_to_avoid_is_given_up_and_searched_on_for() {
    // During polishing, Xia turns out to be Zoe.
    let scene = chain(3)
        .avoid("Zoe")
        .finds("Ann Yan", "p4 p5")
        .shows("p4", "Zoe=Xia:95")
        .shows("p5", "Ann:95 Wei:91")
        .finds("Wei with celebrities", "p6")
        .shows("p6", "Wei:95 Yan:92");
    check(
        &scene,
        "polish/a_chain_through_somebody_to_avoid_is_given_up_and_searched_on_for",
    );
}
