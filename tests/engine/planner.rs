//! S3 with a planner: it is only trusted within the closed table.

use domain::{FailureKind, Plan};

use super::scene::{Scene, check};

fn scene(plan: Plan) -> Scene {
    Scene::new(plan).limit(|limits| {
        limits.planner_calls_max = 2;
        limits.searches_max = 9;
    })
}

fn one_sided() -> Scene {
    scene(Plan::OneSided)
        .finds("Ann Bob", "p0")
        .shows("p0", "Ann:99")
        .finds("Ann event", "p1")
        .shows("p1", "Ann:95 Xia:91 Yan:90")
}

//= spec S3
#[test]
fn the_planner_chooses_among_the_table_and_its_queries_come_first() {
    let scene = one_sided()
        .plans(
            "Yan",
            &["ann yan EVENT", "Ann drop table"],
            "Yan knows everybody.",
        )
        .finds("Ann Yan event", "p2")
        .shows("p2", "Ann:90 Yan:90")
        .finds("Yan Bob", "p3")
        .shows("p3", "Yan:90 Bob:90");
    check(
        &scene,
        "planner/the_planner_chooses_among_the_table_and_its_queries_come_first",
    );
}

//= spec S3
#[test]
fn a_name_outside_the_table_is_dropped_and_the_ranking_decides() {
    let scene = one_sided()
        .plans("Bobb", &[], "Trust me.")
        .finds("Ann Xia", "p2")
        .shows("p2", "Ann:90 Xia:90")
        .finds("Xia Bob", "p3")
        .shows("p3", "Xia:90 Bob:90");
    check(
        &scene,
        "planner/a_name_outside_the_table_is_dropped_and_the_ranking_decides",
    );
}

//= spec S3
#[test]
fn a_planner_that_fails_is_told_and_after_the_second_time_not_asked_again() {
    let scene = one_sided()
        .limit(|limits| limits.planner_calls_max = 9)
        .shows("p1", "Ann:95 Xia:91 Yan:90 Zoe:89")
        .plan_fails(FailureKind::Malformed)
        .plan_fails(FailureKind::Down);
    check(
        &scene,
        "planner/a_planner_that_fails_is_told_and_after_the_second_time_not_asked_again",
    );
}

//= spec S3
#[test]
fn a_used_up_quota_of_the_planner_is_final() {
    check(
        &one_sided().plan_fails(FailureKind::Quota),
        "planner/a_used_up_quota_of_the_planner_is_final",
    );
}

//= spec S3
#[test]
fn both_ends_takes_two_suggestions_of_one_answer() {
    let scene = scene(Plan::BothEnds)
        .finds("Ann with celebrities", "p1 p2")
        .shows("p1", "Ann:95 Xia:99")
        .shows("p2", "Ann:95 Yan:90")
        .finds("Bob with celebrities", "p3")
        .shows("p3", "Bob:95 Zoe:90")
        .plans("Zoe Yan", &["Yan Bob"], "Zoe first.")
        .finds("Yan Bob", "p4")
        .shows("p4", "Yan:90 Bob:90");
    check(
        &scene,
        "planner/both_ends_takes_two_suggestions_of_one_answer",
    );
}

//= spec S3
#[test]
fn a_used_up_planner_budget_is_told_once() {
    let scene = one_sided()
        .limit(|limits| limits.planner_calls_max = 1)
        .shows("p1", "Ann:95 Xia:91 Yan:90 Zoe:89")
        .plans("Zoe", &[], "");
    check(&scene, "planner/a_used_up_planner_budget_is_told_once");
}

/// Ann and Bob are known, each with somebody; Zed was never seen.
fn guessing(plan: Plan) -> Scene {
    scene(plan)
        .finds("Ann with celebrities", "p1 p2")
        .shows("p1", "Ann:95 Xia:91")
        .shows("p2", "Ann:95 Yan:90")
        .finds("Bob with celebrities", "p3")
        .shows("p3", "Bob:95 Wim:90")
}

#[test]
fn a_guess_is_searched_for_beside_both_and_proven_by_photos() {
    let scene = guessing(Plan::BothEnds)
        .limit(|limits| limits.planner_calls_max = 1)
        .guesses(&["Zed"])
        .finds("Ann Zed", "p4")
        .shows("p4", "Ann:95 Zed:92")
        .finds("Zed Bob", "p5")
        .shows("p5", "Bob:95 Zed:93");
    check(
        &scene,
        "planner/a_guess_is_searched_for_beside_both_and_proven_by_photos",
    );
}

#[test]
fn a_chain_that_is_proven_while_the_planner_is_asked_is_kept() {
    // The photo of the guess's search is being recognised when the planner is asked again.
    let scene = guessing(Plan::BothEnds)
        .limit(|limits| {
            limits.planner_calls_max = 2;
            limits.polish_searches_max = 1;
        })
        .plans("Yan", &[], "")
        .and_guesses(&["Zed"])
        .plans("Wim", &[], "")
        .finds("Ann Zed", "p4 p5")
        .shows("p4", "Ann:95 Bob:92")
        .shows("p5", "Ann:95");
    check(
        &scene,
        "planner/a_chain_that_is_proven_while_the_planner_is_asked_is_kept",
    );
}

#[test]
fn a_guess_whom_no_photo_shows_costs_one_search_and_proves_nothing() {
    let scene = guessing(Plan::BothEnds)
        .limit(|limits| limits.planner_calls_max = 1)
        .guesses(&["Zed"])
        .finds("Ann Zed", "p4")
        .shows("p4", "Ann:95");
    check(
        &scene,
        "planner/a_guess_whom_no_photo_shows_costs_one_search_and_proves_nothing",
    );
}

#[test]
fn who_is_known_typed_avoided_or_no_name_is_no_guess() {
    let scene = guessing(Plan::BothEnds)
        .limit(|limits| limits.planner_calls_max = 1)
        .avoid("Vic")
        .guesses(&["Xia", "Bob", "ann", "Vic", "", "\u{0}"]);
    check(
        &scene,
        "planner/who_is_known_typed_avoided_or_no_name_is_no_guess",
    );
}

#[test]
fn one_sided_takes_no_guess() {
    let scene = guessing(Plan::OneSided)
        .limit(|limits| limits.planner_calls_max = 1)
        .guesses(&["Zed"]);
    check(&scene, "planner/one_sided_takes_no_guess");
}
