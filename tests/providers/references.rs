//! What is sent to the recogniser by portraits, and how its answers are parsed.

use domain::{Candidate, Face, FaceBox, Failure, WikidataNumber};
use platform::WireResponse;
use providers::{Recogniser as _, references};
use serde_json::{Value, json};

use super::rekognition::NOW_MS;
use super::shapes::check_wrong_types;
use super::shared::{SECRET, check_malformed, check_rows, headers, ok};

pub const REPLY: &str = include_str!("references.json");
const FAILURES: &str = include_str!("references_failures.json");

fn settings(token: Option<&str>) -> references::ReferencesSettings {
    references::ReferencesSettings {
        base: "http://127.0.0.1:8790/".into(),
        token: token.map(|token| token.to_owned().into()),
    }
}

pub fn read(response: &WireResponse) -> Result<Vec<Face>, Failure> {
    settings(None).read(response).map(|answer| answer.faces)
}

fn candidate(name: &str, number: Option<&str>) -> Candidate {
    Candidate {
        name: name.to_owned(),
        number: number.and_then(WikidataNumber::parse),
    }
}

#[test]
fn it_is_asked_with_the_photo_and_with_each_candidates_number_or_else_name() {
    let candidates = [
        candidate("Jane \"J\" Eyre", None),
        candidate("Barack Obama", Some("Q76")),
        candidate("", Some("Q42")),
        candidate(&"x".repeat(200), None),
    ];
    let request = settings(Some(SECRET))
        .request(&[0xFF, 0xD8, 0xFF, 0xE0], &candidates, NOW_MS)
        .unwrap();
    assert_eq!(request.method(), "POST");
    assert_eq!(request.uri().to_string(), "http://127.0.0.1:8790/recognise");
    let token = format!("Bearer {SECRET}");
    let sent = [
        ("authorization", token.as_str()),
        ("content-type", "application/json"),
    ];
    assert_eq!(headers(&request), sent);
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    let names = json!([{"name": "Jane \"J\" Eyre"}, {"number": "Q76"}, {"number": "Q42"},
        {"name": "x".repeat(100)}]);
    assert_eq!(body, json!({"photo": "/9j/4A==", "candidates": names}));
    assert!(!format!("{:?}", settings(Some(SECRET))).contains(SECRET));
}

#[test]
fn without_a_token_none_is_sent_and_without_candidates_nobody_is_looked_for() {
    let request = settings(None).request(b"photo", &[], NOW_MS).unwrap();
    assert_eq!(headers(&request), [("content-type", "application/json")]);
    assert_eq!(request.body(), br#"{"candidates":[],"photo":"cGhvdG8="}"#);
}

#[test]
fn only_faces_that_match_somebody_are_read() {
    let faces = read(&ok(REPLY)).unwrap();
    let [face] = &faces[..] else {
        panic!("{faces:?}");
    };
    assert_eq!(
        (face.id.as_str(), face.name.as_str()),
        ("Q76", "Barack Obama")
    );
    assert!((face.confidence.percent() - 97.78).abs() < 1e-9);
    assert_eq!(face.face_box, FaceBox::of_sides([0.4, 0.1, 0.2, 0.3]));
    assert_eq!(face.urls, ["www.wikidata.org/wiki/Q76"]);
}

#[test]
fn the_model_and_the_portrait_that_was_compared_are_read() {
    let read = |body: &Value| settings(None).read(&ok(body.to_string())).unwrap();
    let reply: Value = serde_json::from_str(REPLY).unwrap();
    let answer = read(&reply);
    assert_eq!(
        answer.model.as_deref(),
        Some("face-api 1.7.15, descriptions 1")
    );
    let portrait = answer.faces[0].portrait.as_deref().unwrap();
    assert_eq!(portrait.image_url, "https://upload.wikimedia.org/p.jpg");
    assert_eq!(
        portrait.context_url.as_deref(),
        Some("https://commons.wikimedia.org/wiki/File:P.jpg")
    );
    assert!(portrait.digest.as_str().starts_with("9f86d081"));
    assert_eq!(
        portrait.face_box,
        Some(FaceBox::of_sides([0.3, 0.1, 0.4, 0.5]))
    );
    assert_eq!(portrait.credit.author.as_deref(), Some("Somebody"));
    assert_eq!(portrait.credit.license.as_deref(), Some("CC BY 4.0"));
    // Links that must not be followed, and portraits without a digest, are none.
    for (member, wrong) in [("url", "javascript:alert(1)"), ("sha256", "abc")] {
        let mut reply = reply.clone();
        reply["faces"][0]["match"]["portrait"][member] = wrong.into();
        assert_eq!(read(&reply).faces[0].portrait, None, "{member}");
    }
}

#[test]
fn an_answer_is_whole_if_everybody_was_looked_for() {
    let read = |body: Value| settings(None).read(&ok(body.to_string())).unwrap();
    assert!(read(json!({"faces": []})).is_whole);
    assert!(read(json!({"faces": [], "unready": 0})).is_whole);
    assert!(!read(json!({"faces": [], "unready": 1})).is_whole);
}

#[test]
fn what_is_no_answer_and_no_match_counts_for_nothing() {
    for body in ["{}", "[]", r#"{"faces":{}}"#, r#"{"faces":null}"#] {
        check_malformed(body, read(&ok(body)));
    }
    let faces = json!({"faces": [{}, 7, {"match": {"name": "Jane Eyre"}}, {"match": {"number": "Q1"}},
        {"match": {"number": "P1", "name": "Jane Eyre"}}]});
    assert_eq!(read(&ok(faces.to_string())), Ok(Vec::new()));
    let unsure =
        json!({"faces": [{"match": {"number": "Q1", "name": "Jane Eyre", "confidence": 900}}]});
    let faces = read(&ok(unsure.to_string())).unwrap();
    assert!(faces[0].confidence.percent() < f64::EPSILON);
    check_wrong_types(REPLY, read, |faces| {
        faces.iter().all(|face| !face.id.is_empty())
    });
}

#[test]
fn its_health_is_read_for_the_operator() {
    let own = settings(Some(SECRET));
    let request = own.status_request().unwrap().unwrap();
    assert_eq!(request.uri().to_string(), "http://127.0.0.1:8790/health");
    assert!(headers(&request).is_empty(), "it needs no token");
    let health = |wikimedia: &str| json!({"status": "ok", "model": "m 1", "photosAtOnce": 1, "people": 34, "gallery": 2, "wikimedia": wikimedia});
    let read = |body: Value| own.read_status(&ok(body.to_string()));
    let says = "Its model is m 1. It has the portraits of 34 people, and 2 people in its gallery; others are fetched \
                when they are asked for.";
    assert_eq!(read(health("ok")).unwrap(), says);
    let down = read(health("www.wikidata.org: status 429")).unwrap();
    assert_eq!(
        down,
        format!("{says} It lacks Wikimedia: www.wikidata.org: status 429.")
    );
    check_malformed("{}", read(json!({})));
}

#[test]
fn failures_are_what_their_codes_say() {
    check_rows(read, FAILURES);
}
