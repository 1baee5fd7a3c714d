//! What is sent to `SerpApi`, and how its answers are parsed.

use domain::{Failure, Hit, Wording};
use platform::WireResponse;
use providers::{ImageSearch as _, ReadList, serpapi};
use serde_json::json;

use super::shared::{
    SECRET, check_malformed, check_rows, described, headers, known, named, ok, search_for,
};

pub const REPLY: &str = include_str!("serpapi.json");
const FAILURES: &str = include_str!("serpapi_failures.json");

fn settings() -> serpapi::SerpApiSettings {
    serpapi::SerpApiSettings {
        base: serpapi::BASE_DEFAULT.into(),
        key: SECRET.into(),
    }
}

pub fn read(response: &WireResponse) -> Result<ReadList, Failure> {
    settings().read(&search_for(&[], Wording::Names), response)
}

#[test]
fn serpapi_is_asked_by_get_with_the_key_in_the_address() {
    let settings = settings();
    let (a, b) = (known("Jane Eyre", "Q1"), named("Helen Burns"));
    for (people, wording, query) in [
        (
            vec![a.clone(), b.clone()],
            Wording::Names,
            "Jane+Eyre+Helen+Burns",
        ),
        (
            vec![a.clone(), b],
            Wording::Together,
            "Jane+Eyre+Helen+Burns+together",
        ),
        (
            vec![a.clone()],
            Wording::InCompany,
            "Jane+Eyre+with+celebrities",
        ),
        (vec![a.clone()], Wording::Event, "Jane+Eyre+event"),
        (vec![a], Wording::Awards, "Jane+Eyre+awards"),
        (
            vec![named("&api_key=x#")],
            Wording::Names,
            "%26api_key%3Dx%23",
        ),
    ] {
        let search = search_for(&people, wording);
        let request = settings.request(&search, 5, 0).unwrap();
        assert_eq!(request.method(), "GET");
        assert!(request.body().is_empty());
        assert_eq!(headers(&request), [("accept", "application/json")]);
        assert_eq!(
            request.uri().to_string(),
            format!(
                "https://serpapi.com/search?engine=google_images&q={query}&safe=active\
                 &image_type=photo&api_key={SECRET}"
            )
        );
    }
}

#[test]
fn a_serpapi_reply_is_read_in_rank_order() {
    let expected = [
        Hit {
            image_url: "https://www.host.example/one.jpg".into(),
            thumbnail_url: Some("https://serpapi.com/searches/a/images/1.jpeg".into()),
            context_url: Some("https://www.host.example/lowood".into()),
            title: "Jane Eyre at Lowood".into(),
            hints: described("Host"),
            ..Hit::default()
        },
        Hit {
            image_url: "x-raw-image:///0f1e2d3c".into(),
            thumbnail_url: Some("https://serpapi.com/searches/a/images/2.jpeg".into()),
            context_url: Some("https://papers.example/report.pdf".into()),
            title: "A picture inside a document".into(),
            ..Hit::default()
        },
        Hit {
            image_url: "https://serpapi.com/searches/a/images/3.jpeg".into(),
            thumbnail_url: Some("https://serpapi.com/searches/a/images/3.jpeg".into()),
            title: "Only a thumbnail".into(),
            ..Hit::default()
        },
    ];
    assert_eq!(read(&ok(REPLY)).unwrap().hits, expected);
}

#[test]
fn nothing_found_is_told_as_an_error_and_is_none() {
    let body = json!({"search_metadata": {"status": "Success"},
        "search_information": {"image_results_state": "Fully empty"},
        "error": "Google hasn't returned any results for this query."});
    assert_eq!(read(&ok(body.to_string())), Ok(ReadList::default()));
    for error in [json!("Something else"), json!(""), json!({}), json!(true)] {
        let body = json!({"error": error, "images_results": []});
        check_malformed("an error", read(&ok(body.to_string())));
    }
}

#[test]
fn each_failure_of_serpapi_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
}
