//! Recognitions by earlier runs: they suggest photos to fetch, and prove nothing until their bytes have arrived.

use domain::{MemoryUse, Plan, Veto};

use investigation::machine::{Action, Input, Investigation};
use kernel::Millis;

use super::scene::{Scene, check};

/// Ann and Bob are connected by Xia and Yan, as three remembered photos show.
fn remembered(plan: Plan) -> Scene {
    Scene::new(plan)
        .remembers("m1", "Ann:95 Xia:91")
        .remembers("m2", "Xia:95 Yan:91")
        .remembers("m3", "Yan:95 Bob:91")
        .finds("Ann Bob", "p1 p2")
        .finds("Ann with celebrities", "p3 m1")
        .finds("Bob with celebrities", "m3")
        .shows("p1", "Ann:95")
        .shows("p2", "Bob:95")
        .shows("p3", "Ann:95 Zoe:95")
        .shows("m1", "Ann:95 Xia:91")
        .shows("m2", "Xia:95 Yan:91")
        .shows("m3", "Yan:95 Bob:91")
}

#[test]
fn a_chain_that_is_remembered_costs_nothing() {
    check(
        &remembered(Plan::BothEnds),
        "memory/a_chain_that_is_remembered_costs_nothing",
    );
}

#[test]
fn a_photo_with_other_bytes_is_no_evidence_and_is_not_paid() {
    check(
        &remembered(Plan::BothEnds)
            .changed("m2")
            .limit(|limits| limits.searches_max = 4),
        "memory/a_photo_with_other_bytes_is_no_evidence_and_is_not_paid",
    );
}

#[test]
fn a_chain_is_told_with_the_photos_that_come() {
    let scene = remembered(Plan::BothEnds).told_late();
    check(&scene, "memory/a_chain_is_told_with_the_photos_that_come");
    let transcript = scene.transcript();
    let came = transcript.find("Photo 1 of 3 shows").unwrap();
    for name in ["Xia", "Yan", "m1", "m2", "m3"] {
        assert!(!transcript[..came].contains(name), "{name}: {transcript}");
    }
}

#[test]
fn a_chain_that_does_not_hold_leads_to_another_one() {
    let scene = remembered(Plan::BothEnds)
        .changed("m2")
        .remembers("m4", "Xia:95 Zoe:91")
        .remembers("m5", "Zoe:95 Yan:91")
        .shows("m4", "Xia:95 Zoe:91")
        .shows("m5", "Zoe:95 Yan:91")
        .told_late();
    check(
        &scene,
        "memory/a_chain_that_does_not_hold_leads_to_another_one",
    );
}

#[test]
fn who_is_searched_for_and_found_is_connected_by_the_memory() {
    let scene = Scene::new(Plan::BothEnds)
        .remembers("m2", "Xia:95 Yan:91")
        .finds("Ann Bob", "")
        .finds("Ann with celebrities", "p1")
        .finds("Bob with celebrities", "p2")
        .shows("p1", "Ann:95 Xia:95")
        .shows("p2", "Bob:95 Yan:95")
        .shows("m2", "Xia:95 Yan:91")
        .told_late();
    check(
        &scene,
        "memory/who_is_searched_for_and_found_is_connected_by_the_memory",
    );
}

#[test]
fn a_veto_counts_for_what_is_remembered_too() {
    check(
        &remembered(Plan::BothEnds)
            .vetoed("m1", Veto::Seam)
            .limit(|limits| limits.searches_max = 4),
        "memory/a_veto_counts_for_what_is_remembered_too",
    );
}

#[test]
fn one_sided_recalls_nobody_and_pays_no_photo_twice() {
    check(
        &remembered(Plan::OneSided).limit(|limits| limits.searches_max = 4),
        "memory/one_sided_recalls_nobody_and_pays_no_photo_twice",
    );
}

#[test]
fn a_memory_that_knows_nobody_changes_nothing_but_the_question() {
    let empty = |memory| {
        let mut scene = Scene::new(Plan::BothEnds)
            .finds("Ann Bob", "p1")
            .shows("p1", "Ann:95 Bob:95");
        scene.request.limits.memory = memory;
        scene.transcript()
    };
    let with = empty(MemoryUse::On);
    let without = empty(MemoryUse::Off);
    let lines = with.lines().filter(|line| !line.starts_with("-> recall"));
    assert!(lines.eq(without.lines()));
    let told_late = empty(MemoryUse::Shown);
    let lines = (told_late.lines()).filter(|line| !line.starts_with("-> connect"));
    assert!(lines.eq(without.lines()));
}

#[test]
fn a_photo_that_this_run_has_seen_at_another_address_is_the_same() {
    // The memory has one photo at two addresses: the second fetch is a known photo.
    let scene = Scene::new(Plan::BothEnds)
        .limit(|limits| limits.searches_max = 1)
        .remembers("m1", "Ann:95 Xia:91")
        .remembers("m2", "Xia:95 Bob:91")
        .shows("m1", "Ann:95 Xia:91")
        .shows("m2", "Ann:95 Xia:91")
        .same_bytes("m2", "m1")
        .finds("Ann Bob", "");
    let transcript = scene.transcript();
    assert!(
        !transcript.contains("is not the one any more"),
        "{transcript}"
    );
    assert!(!transcript.contains("-> recognise"), "{transcript}");
}

#[test]
fn one_question_at_a_time_is_asked_of_the_memory() {
    let scene = remembered(Plan::BothEnds);
    let mut machine = Investigation::new(scene.request);
    machine.handle(Input::Start, Millis(1));
    let first = machine.next_command().unwrap();
    assert!(matches!(first.action, Action::Recall(_)));
    // Neither a remark nor another process that resumes the run sends the next one.
    machine.handle(Input::Remark("It is slow.".into()), Millis(2));
    machine.handle(Input::Resumed { lost: Vec::new() }, Millis(3));
    assert!(machine.next_command().is_none());
}

#[test]
fn who_is_to_be_avoided_is_not_asked_for() {
    let scene = remembered(Plan::BothEnds)
        .avoid("Xia")
        .limit(|limits| limits.searches_max = 1);
    let transcript = scene.transcript();
    assert!(!transcript.contains("recall Xia"), "{transcript}");
}
