//! What is sent to the search engine, and how its answers are parsed.

use domain::{Failure, Hit, SearchQuestion, Wording};
use platform::WireResponse;
use providers::{ImageSearch as _, ReadList, google};
use serde_json::{Value, json};

use super::shared::{SECRET, check_rows, described, headers, named, ok, query_pairs, search_for};

pub const REPLY: &str = include_str!("google.json");
const FAILURES: &str = include_str!("google_failures.json");

pub fn google_settings() -> google::GoogleSettings {
    google::GoogleSettings {
        base: google::BASE_DEFAULT.into(),
        key: SECRET.into(),
        engine: "engine:1".into(),
    }
}

fn search() -> SearchQuestion {
    search_for(
        &[named("Jane Eyre"), named("Helen Burns")],
        Wording::Together,
    )
}

pub fn read(response: &WireResponse) -> Result<ReadList, Failure> {
    google_settings().read(&search_for(&[], Wording::Names), response)
}

#[test]
fn google_is_asked_by_get_with_the_key_in_a_header() {
    let names = [named("Beyoncé & Jay-Z"), named("#1 +1 100%")];
    let search = search_for(&names, Wording::Names);
    let query = "Beyoncé & Jay-Z #1 1 100%";
    let request = google_settings().request(&search, 5, 0).unwrap();
    assert_eq!(request.method(), "GET");
    assert!(request.body().is_empty());
    assert_eq!(
        headers(&request),
        [("accept", "application/json"), ("x-goog-api-key", SECRET)]
    );
    let address = url::Url::parse(&request.uri().to_string()).unwrap();
    assert!(!address.as_str().contains(SECRET));
    assert_eq!(
        address.origin().ascii_serialization(),
        google::BASE_DEFAULT.to_owned()
    );
    assert_eq!(address.path(), "/customsearch/v1");
    let fields = "items(link,mime,fileFormat,title,snippet,displayLink,image),searchInformation/totalResults";
    let expected = [
        ("cx", "engine:1"),
        ("q", query),
        ("searchType", "image"),
        ("num", "5"),
        ("imgType", "photo"),
        ("safe", "active"),
        ("fields", fields),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(query_pairs(&request), expected);
}

#[test]
fn googles_address_is_the_same_to_the_byte() {
    let request = google_settings().request(&search(), 5, 0).unwrap();
    assert_eq!(
        request.uri().to_string(),
        "https://customsearch.googleapis.com/customsearch/v1?cx=engine%3A1\
         &q=Jane+Eyre+Helen+Burns+together&searchType=image&num=5&imgType=photo&safe=active\
         &fields=items%28link%2Cmime%2CfileFormat%2Ctitle%2Csnippet%2CdisplayLink%2Cimage%29\
         %2CsearchInformation%2FtotalResults"
    );
}

#[test]
fn google_is_never_asked_for_more_than_it_gives() {
    for (asked, sent) in [(0, "1"), (1, "1"), (10, "10"), (11, "10"), (u32::MAX, "10")] {
        let request = google_settings().request(&search(), asked, 0).unwrap();
        let query = request.uri().query().unwrap().to_owned();
        assert!(
            query.contains(&format!("&num={sent}&")),
            "{asked} gave {query}"
        );
    }
}

fn hit(image: &str, thumbnail: &str, context: &str, title: &str) -> Hit {
    Hit {
        image_url: image.into(),
        thumbnail_url: Some(format!(
            "https://encrypted-tbn0.gstatic.com/images?q=tbn:ANd9Gc{thumbnail}&s"
        )),
        context_url: Some(context.into()),
        title: title.into(),
        ..Hit::default()
    }
}

/// The search's description saves a fetch: the small copy is used if it is large enough.
#[test]
fn a_photo_that_is_said_to_be_of_no_use_is_not_fetched() {
    let first = |member: &str, value: Value| {
        let mut reply: Value = serde_json::from_str(REPLY).unwrap();
        *reply.pointer_mut(&format!("/items/0{member}")).unwrap() = value;
        let hits = read(&ok(reply.to_string())).unwrap().hits;
        hits.into_iter().next().unwrap().image_url
    };
    let photo = "https://photos.example/x.jpg";
    let small_copy = "https://encrypted-tbn0.gstatic.com/images?q=tbn:ANd9Gc1&s";
    assert_eq!(first("/image/byteSize", json!(5_242_880)), photo);
    assert_eq!(first("/image/byteSize", json!(5_242_881)), small_copy);
    assert_eq!(first("/image/byteSize", json!("5242881")), photo);
    for format in ["image/heic", "image/AVIF", "image/svg+xml", "image/gif"] {
        assert_eq!(first("/mime", json!(format)), small_copy, "{format}");
    }
    for format in [
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/",
        "",
        "text/html",
    ] {
        assert_eq!(first("/mime", json!(format)), photo, "{format}");
    }
    let next = "https://photos.example/no-extension";
    assert_eq!(first("/image/width", json!(79)), next);
}

#[test]
fn a_google_reply_is_read_in_rank_order_whatever_its_mime_says() {
    let hits = read(&ok(REPLY)).unwrap().hits;
    assert_eq!(
        hits,
        [
            Hit {
                hints: described("At the gala"),
                ..hit(
                    "https://photos.example/x.jpg",
                    "1",
                    "https://www.example.org/gala",
                    "Ratatouille at the gala"
                )
            },
            // Its small copy is described as under 300 pixels, like the next one's.
            Hit {
                thumbnail_url: None,
                ..hit(
                    "https://photos.example/no-extension",
                    "2",
                    "https://photos.example/page",
                    "An older reply without fileFormat"
                )
            },
            Hit {
                thumbnail_url: None,
                ..hit(
                    "x-raw-image:///0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                    "3",
                    "https://papers.example/report.pdf",
                    "A picture inside a document"
                )
            },
        ]
    );
}

#[test]
fn no_hits_are_no_failure() {
    for body in [
        r"{}",
        r#"{"items":[]}"#,
        r#"{"items":null}"#,
        r#"{"searchInformation":{"totalResults":"0"}}"#,
    ] {
        assert_eq!(read(&ok(body)), Ok(ReadList::default()), "{body}");
    }
}

#[test]
fn items_without_a_usable_link_are_left_out_and_titles_are_cut() {
    let items = json!([
        {"title": "no link"},
        {"link": 7, "title": "a number as link"},
        "no result",
        {"link": "", "title": "empty link"},
        {"link": format!("https://a.b/{}", "x".repeat(2_048)), "title": "endless link"},
        {"link": null},
        {"link": "https://photos.example/1.jpg", "title": "é".repeat(5_000),
            "snippet": "At\n the \u{202E}gala\u{0}"},
        {"link": "https://photos.example/2.jpg", "title": null, "image": null},
    ]);
    let list = read(&ok(json!({"items": items}).to_string())).unwrap();
    assert_eq!(list.results, 8);
    let hits = list.hits;
    let links: Vec<&str> = hits.iter().map(|hit| hit.image_url.as_str()).collect();
    assert_eq!(
        links,
        [
            "https://photos.example/1.jpg",
            "https://photos.example/2.jpg"
        ]
    );
    assert_eq!(hits[0].title, "é".repeat(200));
    assert_eq!(hits[0].hints, described("At the gala"));
    assert_eq!(
        (hits[1].title.as_str(), &hits[1].thumbnail_url),
        ("", &None)
    );
}

#[test]
fn each_failure_of_google_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
}
