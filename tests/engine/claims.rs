//! What files, words and dates say against photos, before anything is paid for them.

use domain::{
    DateSource, Life, Making, Plan, Provenance, Statement, Taken, Veto, WikidataNumber, YearRange,
};

use super::scene::{Scene, check};

fn generated() -> Provenance {
    Provenance {
        making: Some(Making::Generated {
            by: Some("Midjourney".into()),
            statement: Statement::Iptc,
        }),
        taken: None,
    }
}

fn taken(date: &str) -> Provenance {
    Provenance {
        making: Some(Making::Captured {
            by: Some("Canon EOS 5D".into()),
            is_signed: false,
        }),
        taken: Taken::read(date, DateSource::Camera),
    }
}

/// Ann and Bob in a generated picture, in its copy, in a photo of wax figures, and in front of a poster. Both are in
/// one photo with Xia.
fn scene(plan: Plan) -> Scene {
    Scene::new(plan)
        .limit(|limits| limits.hops = 2)
        .finds("Ann Bob", "p1 p2 p3")
        .shows("p1", "Ann:99 Bob:98")
        .claims("p1", generated())
        .shows("p2", "Ann:99 Bob:98")
        .same_bytes("p2", "p1")
        .claims("p2", generated())
        .shows("p3", "Ann:97 Bob:96")
        .captioned("p3", "Ann and Bob at Madame Tussauds, London")
        .finds("Ann with celebrities", "p1 p4")
        .shows("p4", "Ann:95 Xia:94")
        .claims("p4", taken("1998"))
        .finds("Ann Xia", "p4")
        .finds("Xia Bob", "p5 p6")
        .finds("Bob with celebrities", "p6")
        .shows("p5", "Xia:99 Bob:98")
        .vetoed("p5", Veto::Seam)
        .shows("p6", "Xia:91 Bob:92")
        .claims("p6", taken("2019-05-17"))
        .captioned("p6", "Xia with Bob before a movie poster")
}

#[test]
fn nothing_is_paid_for_a_photo_that_proves_nothing_in_both_ends() {
    let scene = scene(Plan::BothEnds);
    check(&scene, "claims/rejected_photos_in_both_ends");
}

#[test]
fn nothing_is_paid_for_a_photo_that_proves_nothing_in_one_sided() {
    let scene = scene(Plan::OneSided);
    check(&scene, "claims/rejected_photos_in_one_sided");
}

#[test]
fn only_a_generated_picture_is_no_connection() {
    for plan in [Plan::BothEnds, Plan::OneSided] {
        let scene = Scene::new(plan)
            .finds("Ann Bob", "p1")
            .shows("p1", "Ann:99 Bob:98")
            .claims("p1", generated());
        let transcript = scene.transcript();
        assert!(!transcript.contains("evidence"), "{transcript}");
        assert!(!transcript.contains("Recognise"), "{transcript}");
        let told =
            "Photo 1 proves nothing: it was generated, as its IPTC properties say (Midjourney).";
        assert!(transcript.contains(told), "{transcript}");
    }
}

/// Ann and Bob in a photo from 2009.
fn dated(since: Option<u16>, until: Option<u16>, provenance: Provenance) -> String {
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99 Bob:98")
        .claims("p1", provenance)
        .limit(|limits| limits.years = YearRange { since, until });
    scene.transcript()
}

#[test]
fn a_photo_outside_the_years_or_without_a_date_proves_nothing() {
    let within = dated(Some(2009), Some(2009), taken("2009-05-17"));
    assert!(within.contains("The photo was taken in 2009"), "{within}");
    for (since, until, provenance, told) in [
        (
            Some(2010),
            None,
            taken("2009-05-17"),
            "it was taken before 2010",
        ),
        (None, Some(2008), taken("2009"), "it was taken after 2008"),
        (None, Some(2008), Provenance::default(), "nothing says when"),
    ] {
        let transcript = dated(since, until, provenance);
        let told = format!("Photo 1 proves nothing: {told}");
        assert!(transcript.contains(&told), "{transcript}");
        assert!(!transcript.contains("evidence"), "{transcript}");
    }
}

#[test]
fn an_older_order_does_not_count_words() {
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99 Bob:98")
        .says("p1", "Ann and Bob at Madame Tussauds, London");
    let transcript = scene.transcript();
    assert!(transcript.contains("evidence"), "{transcript}");
    assert!(!transcript.contains("Tussauds"), "{transcript}");
}

#[test]
fn a_doubtful_photo_has_its_second_looked_for_first() {
    let scene = Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99 Bob:98")
        .captioned("p1", "Ann and Bob on the cover of a magazine")
        .limit(|limits| limits.confirm_searches_max = 1)
        .finds("Ann Bob event", "p2")
        .shows("p2", "Ann:90 Bob:91");
    check(&scene, "claims/words_that_raise_a_doubt_are_confirmed");
}

/// Ann and Bob in a photo in which Xia is twice: perhaps once with each of them.
fn with_xia_twice(plan: Plan) -> Scene {
    Scene::new(plan)
        .finds("Ann Bob", "p1")
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95/0 Xia:91/2 Bob:96/4 Xia:90/8")
}

#[test]
fn two_people_beside_somebody_who_is_there_twice_are_not_connected() {
    for (plan, named) in [(Plan::BothEnds, "both_ends"), (Plan::OneSided, "one_sided")] {
        let scene = with_xia_twice(plan).captioned("p1", "A gala");
        check(&scene, &format!("claims/somebody_twice_in_{named}"));
    }
}

#[test]
fn in_an_older_order_two_people_beside_somebody_twice_are_connected() {
    let scene = with_xia_twice(Plan::BothEnds).says("p1", "A gala");
    let transcript = scene.transcript();
    assert!(transcript.contains("path Ann > Bob"), "{transcript}");
}

/// Ann, whose Wikidata number is given, and Bob in a photo from 2009.
fn lived(born: Option<u16>, died: Option<u16>) -> String {
    let number = WikidataNumber::parse("Q42").unwrap();
    let mut scene = Scene::new(Plan::BothEnds)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99@Q42 Bob:98")
        .claims("p1", taken("2009-05-17"))
        .limit(|limits| limits.asks_lives = true);
    scene.request.person_a.wikidata = Some(number.clone());
    scene.lives = vec![Life {
        wikidata: number,
        born,
        died,
    }];
    scene.transcript()
}

#[test]
fn a_date_that_contradicts_a_life_is_a_doubt() {
    for (born, died) in [(None, None), (Some(1952), None), (Some(2009), Some(2009))] {
        let transcript = lived(born, died);
        assert!(!transcript.contains("doubtful"), "{transcript}");
        assert!(transcript.contains("final"), "{transcript}");
    }
    let early = lived(Some(2010), None);
    let told = "is doubtful: it was taken 2009-05-17, by the camera, and Ann was born in 2010";
    assert!(early.contains(told), "{early}");
    let late = lived(Some(1952), Some(2008));
    assert!(late.contains("and Ann died in 2008"), "{late}");
    assert!(late.contains("final"), "{late}");
}
