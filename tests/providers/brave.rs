//! What is sent to Brave, and how its answers are parsed.

use domain::{Failure, FailureKind, Hit, NamedPerson, SearchQuestion, Wording};
use platform::WireResponse;
use providers::{ImageSearch as _, ReadList, brave};

use super::shared::{
    SECRET, check_rows, described, headers, known, named, ok, query_pairs, search_for,
};

pub const REPLY: &str = include_str!("brave.json");
const FAILURES: &str = include_str!("brave_failures.json");

fn settings() -> brave::BraveSettings {
    brave::BraveSettings {
        base: brave::BASE_DEFAULT.into(),
        key: SECRET.into(),
    }
}

fn query_of(search: &SearchQuestion) -> String {
    let request = settings().request(search, 5, 0).unwrap();
    query_pairs(&request)[0].1.clone()
}

pub fn read(response: &WireResponse) -> Result<ReadList, Failure> {
    settings().read(&search_for(&[], Wording::Names), response)
}

#[test]
fn brave_is_asked_by_get_with_the_key_in_a_header() {
    let search = search_for(&[named("Jane Eyre"), named("Helen Burns")], Wording::Names);
    let request = settings().request(&search, 5, 0).unwrap();
    assert_eq!(request.method(), "GET");
    assert!(request.body().is_empty());
    assert_eq!(
        headers(&request),
        [
            ("accept", "application/json"),
            ("x-subscription-token", SECRET)
        ]
    );
    assert_eq!(
        request.uri().to_string(),
        "https://api.search.brave.com/res/v1/images/search?q=Jane+Eyre+Helen+Burns&count=5\
         &safesearch=strict&spellcheck=false"
    );
}

#[test]
fn each_question_becomes_words() {
    let (a, b) = (named("Jane Eyre"), known("Helen Burns", "Q2"));
    let cases: [(&[NamedPerson], Wording, &str); 7] = [
        (
            &[a.clone(), b.clone()],
            Wording::Names,
            "Jane Eyre Helen Burns",
        ),
        (
            &[a.clone(), b.clone()],
            Wording::Together,
            "Jane Eyre Helen Burns together",
        ),
        (
            &[a.clone(), b.clone()],
            Wording::Event,
            "Jane Eyre Helen Burns event",
        ),
        (
            std::slice::from_ref(&a),
            Wording::InCompany,
            "Jane Eyre with celebrities",
        ),
        (
            std::slice::from_ref(&b),
            Wording::Event,
            "Helen Burns event",
        ),
        (
            std::slice::from_ref(&b),
            Wording::Awards,
            "Helen Burns awards",
        ),
        (
            &[named("\"Jane\" -Eyre site:x OR")],
            Wording::Names,
            "Jane Eyre site x or",
        ),
    ];
    for (people, wording, expected) in cases {
        assert_eq!(query_of(&search_for(people, wording)), expected);
    }
    for people in [vec![], vec![named("--")]] {
        let search = search_for(&people, Wording::Awards);
        let failure = settings().request(&search, 5, 0).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused);
    }
}

#[test]
fn no_query_is_longer_than_brave_takes() {
    for name in [
        "x ".repeat(500),
        "é".repeat(500),
        "longer words ".repeat(50),
    ] {
        let search = search_for(&[named(&name), named(&name)], Wording::InCompany);
        let query = query_of(&search);
        assert!(query.chars().count() <= 400, "{query}");
        assert!(query.split(' ').count() <= 50, "{query}");
        assert!(query.ends_with(" with celebrities"), "{query}");
    }
}

#[test]
fn brave_is_never_asked_for_more_than_it_gives() {
    let search = search_for(&[named("x")], Wording::Names);
    for (asked, sent) in [
        (0, "1"),
        (1, "1"),
        (200, "200"),
        (201, "200"),
        (u32::MAX, "200"),
    ] {
        let request = settings().request(&search, asked, 0).unwrap();
        assert_eq!(query_pairs(&request)[1], ("count".into(), sent.into()));
    }
}

#[test]
fn a_brave_reply_is_read_in_rank_order() {
    let expected = [
        Hit {
            image_url: "https://www.host.example/one.jpg".into(),
            thumbnail_url: Some("https://imgs.search.brave.com/one/rs:fit:500:0:1:0/g:ce".into()),
            context_url: Some("https://www.host.example/lowood".into()),
            title: "Jane Eyre and <b>Helen Burns</b>".into(),
            hints: described("www.host.example"),
            ..Hit::default()
        },
        // The smaller copy replaces a photo without an address.
        Hit {
            image_url: "https://imgs.search.brave.com/two".into(),
            thumbnail_url: Some("https://imgs.search.brave.com/two".into()),
            ..Hit::default()
        },
        Hit {
            image_url: "https://www.host.example/three.png".into(),
            title: "Three".into(),
            ..Hit::default()
        },
    ];
    assert_eq!(read(&ok(REPLY)).unwrap().hits, expected);
}

#[test]
fn each_failure_of_brave_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
}
