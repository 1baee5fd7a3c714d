//! What is sent to Serper, and how its answers are parsed.

use domain::{Failure, Hit, Wording};
use platform::WireResponse;
use providers::{ImageSearch as _, ReadList, serper};
use serde_json::{Value, json};

use super::shared::{SECRET, check_rows, described, headers, known, named, ok, search_for};

pub const REPLY: &str = include_str!("serper.json");
const FAILURES: &str = include_str!("serper_failures.json");

fn settings() -> serper::SerperSettings {
    serper::SerperSettings {
        base: serper::BASE_DEFAULT.into(),
        key: SECRET.into(),
    }
}

pub fn read(response: &WireResponse) -> Result<ReadList, Failure> {
    settings().read(&search_for(&[], Wording::Names), response)
}

#[test]
fn serper_is_asked_by_post_with_the_key_in_a_header() {
    let (a, b) = (known("Jane Eyre", "Q1"), named("Helen \"B\" Burns"));
    for (people, wording, query) in [
        (
            vec![a.clone(), b.clone()],
            Wording::Names,
            "Jane Eyre Helen B Burns",
        ),
        (
            vec![a.clone(), b],
            Wording::Together,
            "Jane Eyre Helen B Burns together",
        ),
        (
            vec![a.clone()],
            Wording::InCompany,
            "Jane Eyre with celebrities",
        ),
        (vec![a.clone()], Wording::Event, "Jane Eyre event"),
        (vec![a], Wording::Awards, "Jane Eyre awards"),
    ] {
        let search = search_for(&people, wording);
        let request = settings().request(&search, 5, 0).unwrap();
        assert_eq!(request.method(), "POST");
        assert_eq!(
            request.uri().to_string(),
            "https://google.serper.dev/images"
        );
        assert_eq!(
            headers(&request),
            [
                ("accept", "application/json"),
                ("content-type", "application/json"),
                ("x-api-key", SECRET),
            ]
        );
        let body: Value = serde_json::from_slice(request.body()).unwrap();
        assert_eq!(body, json!({"q": query, "num": 5}));
    }
}

#[test]
fn serper_is_never_asked_for_what_costs_more() {
    let search = search_for(&[named("x")], Wording::Names);
    for (asked, sent) in [(0, 1), (1, 1), (10, 10), (11, 10), (u32::MAX, 10)] {
        let request = settings().request(&search, asked, 0).unwrap();
        let body: Value = serde_json::from_slice(request.body()).unwrap();
        assert_eq!(body["num"], sent);
    }
}

#[test]
fn a_serper_reply_is_read_in_rank_order() {
    let thumbnail =
        |number| format!("https://encrypted-tbn0.gstatic.com/images?q=tbn:ANd9Gc{number}&s");
    let expected = [
        Hit {
            image_url: "https://www.host.example/one.jpg".into(),
            // Described as under 300 pixels.
            thumbnail_url: None,
            context_url: Some("https://www.host.example/lowood".into()),
            title: "Jane Eyre at Lowood".into(),
            hints: described("Host"),
            ..Hit::default()
        },
        Hit {
            image_url: "https://www.host.example/two".into(),
            ..Hit::default()
        },
        Hit {
            image_url: thumbnail(3),
            thumbnail_url: Some(thumbnail(3)),
            title: "Only a thumbnail".into(),
            ..Hit::default()
        },
    ];
    assert_eq!(read(&ok(REPLY)).unwrap().hits, expected);
}

#[test]
fn each_failure_of_serper_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
}
