//! Tests of what a query asks, and of whom.

use domain::{Confidence, Face, FaceBox, Name, PhotoCopy, TypedPerson, WikidataNumber};

use super::*;

fn face(id: &str, number: &str) -> Face {
    Face {
        id: id.into(),
        name: "Ann Lee".into(),
        confidence: Confidence::clamped(99.0),
        face_box: FaceBox::default(),
        urls: vec![format!("www.wikidata.org/wiki/{number}")],
    }
}

#[test]
fn two_of_one_name_are_each_asked_for_by_their_own_number() {
    let number = |number| WikidataNumber::parse(number);
    let typed = |name, wikidata| TypedPerson {
        name: Name::parse(name).unwrap(),
        wikidata,
    };
    let mut facts = Facts::new(Request {
        sources: Vec::new(),
        person_a: typed("Ann Lee", number("Q1")),
        person_b: typed("Jane Eyre", None),
        avoid: Vec::new(),
        limits: Limits::default(),
    });
    let hit = Hit {
        image_url: "https://a.example/1.jpg".into(),
        ..Hit::default()
    };
    let fetched = Fetched {
        remembered: None,
        sent: None,
        fingerprint: None,
        digest: Sha256Digest::new([1; 32]),
        copy: PhotoCopy::Image,
    };
    let recognised = Recognised {
        faces: vec![face("1", "Q1"), face("2", "Q2")],
        collage_check: domain::CollageCheck::Passed,
    };
    facts.see(&hit, &fetched, "Ann Lee event", &[], &recognised);
    let [ann, other] = [0, 1].map(|index| facts.knowledge.subject_of(PersonIndex(index)));
    assert_eq!(ann, Subject::Typed(Side::A));
    let question = facts.question(&query::pair("Ann Lee", "Ann Lee"), &[ann, other]);
    let numbers = question.people.iter().map(|person| {
        let number = person.number.as_ref().unwrap();
        number.wikidata().to_string()
    });
    assert_eq!(numbers.collect::<Vec<_>>(), ["Q1", "Q2"]);
}
