//! The one-sided plan, exactly as specified.

use domain::Plan;

use super::scene::{Scene, check};

fn scene() -> Scene {
    Scene::new(Plan::OneSided)
}

/// The direct search shows Ann, so that she is not unknown.
fn known() -> Scene {
    scene().finds("Ann Bob", "p0").shows("p0", "Ann:99")
}

//= spec S0
//= spec S1
//= spec S6
#[test]
fn a_photo_of_both_ends_the_run_and_the_rest_is_not_looked_at() {
    let scene = scene()
        .finds("Ann Bob", "p1 p2 p3")
        .shows("p1", "Ann:99")
        .shows("p2", "Ann:97 Bob:95")
        .shows("p3", "Bob:90");
    check(
        &scene,
        "one_sided/a_photo_of_both_ends_the_run_and_the_rest_is_not_looked_at",
    );
}

//= spec S1
#[test]
fn a_direct_search_that_finds_nothing_is_asked_again_by_the_fallback_template() {
    let scene = scene()
        .finds("Ann Bob together", "p1")
        .shows("p1", "Ann:85 Bob:99");
    check(
        &scene,
        "one_sided/a_direct_search_that_finds_nothing_is_asked_again_by_the_fallback_template",
    );
}

//= spec S2
//= spec S3
//= spec S4
//= spec S5
#[test]
fn an_intermediate_is_discovered_verified_and_bridged() {
    let scene = scene()
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99")
        .finds("Ann with celebrities", "p2 p3")
        .shows("p2", "Ann:95 Xia:91")
        .shows("p3", "Ann:95 Yan:96")
        .finds("Ann event", "p4")
        .shows("p4", "Ann:95 Yan:80")
        .finds("Ann Yan", "p5")
        .shows("p5", "Ann:99 Yan:98")
        .finds("Yan Bob", "p6 p7")
        .shows("p6", "Yan:99 Bob:79")
        .shows("p7", "Yan:88 Bob:99");
    check(
        &scene,
        "one_sided/an_intermediate_is_discovered_verified_and_bridged",
    );
}

//= spec S3
#[test]
fn the_target_in_the_table_is_tried_before_better_ones() {
    let scene = known()
        .finds("Ann event", "p1")
        .shows("p1", "Ann:95 Xia:99 Bob:81")
        .finds("Ann Bob event", "p2")
        .shows("p2", "Ann:90 Bob:90");
    check(
        &scene,
        "one_sided/the_target_in_the_table_is_tried_before_better_ones",
    );
}

//= spec S3
//= spec S4
#[test]
fn candidates_go_by_confidence_then_count_then_name_and_failed_ones_are_dropped() {
    let scene = known()
        .limit(|limits| limits.searches_max = 12)
        .finds("Ann with celebrities", "p1 p2 p3")
        .shows("p1", "Ann:99 Zoe:90 Yan:90")
        .shows("p2", "Ann:99 Yan:90")
        .shows("p3", "Ann:99 Xia:90 Wim:95");
    check(
        &scene,
        "one_sided/candidates_go_by_confidence_then_count_then_name_and_failed_ones_are_dropped",
    );
}

//= spec S2
//= spec S7
#[test]
fn nobody_beside_the_start_is_no_candidates() {
    let scene = known()
        .finds("Ann event", "p1")
        .shows("p1", "Ann:99 Xia:79");
    check(&scene, "one_sided/nobody_beside_the_start_is_no_candidates");
}

//= spec S5
#[test]
fn without_a_bridge_the_search_expands_from_the_person_reached_and_steps_back() {
    let scene = known()
        .finds("Ann event", "p1")
        .shows("p1", "Ann:95 Xia:91 Yan:90")
        .finds("Ann Xia", "p2")
        .shows("p2", "Ann:90 Xia:90")
        .finds("Ann Yan", "p3")
        .shows("p3", "Ann:90 Yan:90")
        .finds("Yan Bob", "p4")
        .shows("p4", "Yan:90 Bob:90");
    check(
        &scene,
        "one_sided/without_a_bridge_the_search_expands_from_the_person_reached_and_steps_back",
    );
}

//= spec S5
//= spec S7
#[test]
fn a_path_that_cannot_end_in_time_is_a_hop_limit() {
    let scene = known()
        .limit(|limits| limits.hops = 2)
        .finds("Ann event", "p1")
        .shows("p1", "Ann:95 Xia:91")
        .finds("Ann Xia", "p2")
        .shows("p2", "Ann:90 Xia:90");
    check(
        &scene,
        "one_sided/a_path_that_cannot_end_in_time_is_a_hop_limit",
    );
}

//= spec S5
#[test]
fn with_one_hop_only_the_target_itself_may_be_beside_the_start() {
    let scene = known()
        .limit(|limits| limits.hops = 1)
        .finds("Ann event", "p1")
        .shows("p1", "Ann:95 Xia:91");
    check(
        &scene,
        "one_sided/with_one_hop_only_the_target_itself_may_be_beside_the_start",
    );
}

#[test]
fn an_avoided_person_is_no_candidate() {
    let scene = known()
        .avoid("Xia")
        .finds("Ann event", "p1")
        .shows("p1", "Ann:95 Xia:91");
    check(&scene, "one_sided/an_avoided_person_is_no_candidate");
}

#[test]
fn a_photo_under_two_addresses_is_recognised_once() {
    let scene = scene()
        .finds("Ann Bob", "p1 p2")
        .shows("p1", "Ann:99")
        .shows("p2", "Ann:99")
        .same_bytes("p2", "p1")
        .finds("Ann event", "p1");
    check(
        &scene,
        "one_sided/a_photo_under_two_addresses_is_recognised_once",
    );
}
