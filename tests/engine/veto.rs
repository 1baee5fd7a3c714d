//! A collage proves nothing, in either plan, and is reported as one.

use domain::{Plan, Unjudged, Veto};

use super::scene::{Scene, check};

/// A collage of Ann and Bob at two addresses and in two files; it reveals who is in it.
fn scene(plan: Plan) -> Scene {
    Scene::new(plan)
        .limit(|limits| limits.hops = 2)
        .finds("Ann Bob", "p1 p2 p3")
        .shows("p1", "Ann:99 Bob:98")
        .vetoed("p1", Veto::Seam)
        .shows("p2", "Ann:99 Bob:98")
        .same_bytes("p2", "p1")
        .shows("p3", "Ann:97 Bob:96 Zoe:70")
        .vetoed("p3", Veto::Inset)
        .finds("Ann with celebrities", "p1 p4")
        .shows("p4", "Ann:95 Xia:94")
        .finds("Ann Xia", "p4")
        .finds("Xia Bob", "p5 p6")
        .finds("Bob with celebrities", "p6")
        .shows("p5", "Xia:99 Bob:98")
        .vetoed("p5", Veto::Seam)
        .shows("p6", "Xia:91 Bob:92")
}

//= spec S1
//= spec S5
#[test]
fn a_vetoed_photo_is_told_and_the_search_goes_on_in_both_ends() {
    let scene = scene(Plan::BothEnds);
    check(&scene, "veto/a_vetoed_photo_proves_nothing_in_both_ends");
}

#[test]
fn a_vetoed_photo_is_told_and_the_search_goes_on_in_one_sided() {
    let scene = scene(Plan::OneSided);
    check(&scene, "veto/a_vetoed_photo_proves_nothing_in_one_sided");
}

#[test]
fn only_collages_are_no_connection() {
    for plan in [Plan::BothEnds, Plan::OneSided] {
        let scene = Scene::new(plan)
            .finds("Ann Bob", "p1")
            .shows("p1", "Ann:99 Bob:98")
            .vetoed("p1", Veto::Inset);
        let transcript = scene.transcript();
        assert!(!transcript.contains("evidence"), "{transcript}");
        assert!(!transcript.contains("final"), "{transcript}");
        let told = "shows Ann and Bob, but looks put together: one face";
        assert!(transcript.contains(told), "{transcript}");
    }
}

/// A photo of Ann and Bob whose pixels could not be judged.
fn unjudged_scene() -> Scene {
    Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99 Bob:98")
        .unjudged("p1", Unjudged::TooLarge)
        .limit(|limits| limits.confirm_searches_max = 1)
}

#[test]
fn a_photo_that_could_not_be_judged_is_confirmed_first() {
    let scene = unjudged_scene().finds("Ann Bob event", "");
    check(&scene, "veto/a_photo_that_could_not_be_judged_is_doubtful");
}

#[test]
fn a_judged_photo_comes_before_a_more_certain_one_that_could_not_be_judged() {
    let scene = unjudged_scene()
        .finds("Ann Bob event", "p2")
        .shows("p2", "Ann:85 Bob:84");
    check(
        &scene,
        "veto/a_judged_photo_comes_before_one_that_could_not_be",
    );
}
