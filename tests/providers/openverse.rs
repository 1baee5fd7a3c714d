//! What is sent to Openverse, and how its answers are parsed.

use domain::{Credit, Failure, FailureKind, Hints, Hit, NamedPerson, Wording};
use platform::WireResponse;
use providers::{ImageSearch as _, ReadList, openverse};
use serde_json::json;

use super::shared::{check_rows, headers, known, named, ok, query_pairs, search_for};

pub const REPLY: &str = include_str!("openverse.json");
const FAILURES: &str = include_str!("openverse_failures.json");

fn settings() -> openverse::OpenverseSettings {
    openverse::OpenverseSettings {
        base: openverse::BASE_DEFAULT.into(),
    }
}

pub fn read(response: &WireResponse) -> Result<ReadList, Failure> {
    settings().read(&search_for(&[], Wording::Names), response)
}

#[test]
fn openverse_is_asked_by_get_without_a_key() {
    let search = search_for(&[named("Jane Eyre"), named("Helen Burns")], Wording::Names);
    let request = settings().request(&search, 5, 0).unwrap();
    assert_eq!(request.method(), "GET");
    assert!(request.body().is_empty());
    let agent = format!("VisualDegrees/{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        headers(&request),
        [("accept", "application/json"), ("user-agent", &agent)]
    );
    assert_eq!(
        request.uri().to_string(),
        "https://api.openverse.org/v1/images/?q=%22Jane+Eyre%22+%22Helen+Burns%22&page_size=5\
         &extension=jpg%2Cjpeg%2Cpng%2Cwebp&mature=false"
    );
}

#[test]
fn each_question_becomes_phrases_or_words() {
    let (a, b) = (known("Jane Eyre", "Q1"), named("Helen Burns"));
    let cases: [(&[NamedPerson], Wording, &str); 8] = [
        (
            &[a.clone(), b.clone()],
            Wording::Names,
            "\"Jane Eyre\" \"Helen Burns\"",
        ),
        (
            &[a.clone(), b.clone()],
            Wording::Together,
            "Jane Eyre Helen Burns",
        ),
        (
            &[a.clone(), b.clone()],
            Wording::InCompany,
            "\"Jane Eyre\" | \"Helen Burns\"",
        ),
        (
            &[a.clone(), b.clone()],
            Wording::Event,
            "Jane Eyre Helen Burns",
        ),
        (
            std::slice::from_ref(&a),
            Wording::InCompany,
            "\"Jane Eyre\"",
        ),
        (std::slice::from_ref(&a), Wording::Event, "Jane Eyre"),
        (
            std::slice::from_ref(&a),
            Wording::Awards,
            "Jane Eyre (award | awards)",
        ),
        (
            &[named("Jane\" | (-Eyre*)~2")],
            Wording::Names,
            "\"Jane Eyre 2\"",
        ),
    ];
    for (people, wording, expected) in cases {
        let search = search_for(people, wording);
        let request = settings().request(&search, 5, 0).unwrap();
        assert_eq!(query_pairs(&request)[0].1, expected);
    }
    let nobody = search_for(&[named("!")], Wording::Awards);
    let failure = settings().request(&nobody, 5, 0).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
}

#[test]
fn openverse_is_asked_for_a_page_and_a_query_that_it_takes() {
    let long = named(&"é".repeat(500));
    let search = search_for(&[long.clone(), long], Wording::InCompany);
    for (asked, sent) in [(0, "1"), (1, "1"), (20, "20"), (21, "20"), (u32::MAX, "20")] {
        let request = settings().request(&search, asked, 0).unwrap();
        let pairs = query_pairs(&request);
        assert!(pairs[0].1.chars().count() <= 200, "{}", pairs[0].1);
        assert_eq!(pairs[1], ("page_size".into(), sent.into()));
    }
}

#[test]
fn an_openverse_reply_is_read_with_its_credit() {
    let expected = [
        Hit {
            image_url: "https://live.collection.example/1_b.jpg".into(),
            original_url: None,
            thumbnail_url: Some(
                "https://api.openverse.org/v1/images/4bc43a04-ef46-4544-a0c1-63c63f56e276/thumb/"
                    .into(),
            ),
            context_url: Some("https://www.collection.example/photos/1".into()),
            title: "Jane Eyre at Lowood".into(),
            credit: Credit {
                author: Some("Ellis Bell".into()),
                license: Some("CC BY-NC-SA 2.0".into()),
                license_url: Some("https://creativecommons.org/licenses/by-nc-sa/2.0/".into()),
            },
            hints: Hints {
                categories: vec!["lowood".into(), "Helen Burns".into()],
                ..Hints::default()
            },
        },
        Hit {
            image_url: "https://upload.collection.example/2.png".into(),
            credit: Credit {
                author: None,
                license: Some("CC0 1.0".into()),
                license_url: Some("https://creativecommons.org/publicdomain/zero/1.0/".into()),
            },
            ..Hit::default()
        },
    ];
    assert_eq!(read(&ok(REPLY)).unwrap().hits, expected);
}

#[test]
fn licences_have_their_short_names_and_tags_are_cut() {
    let tags = vec![json!({"name": "é".repeat(500)}); 99];
    for (license, version, expected) in [
        (json!("by"), json!("4.0"), Some("CC BY 4.0")),
        (json!("by-sa"), json!(null), Some("CC BY-SA")),
        (json!("pdm"), json!("1.0"), Some("Public Domain Mark 1.0")),
        (json!("sampling+"), json!("1.0"), Some("sampling+ 1.0")),
        (json!(""), json!("1.0"), None),
        (json!(7), json!("1.0"), None),
    ] {
        let result = json!({"url": "https://a.example/1.jpg", "license": license, "tags": tags,
            "license_version": version, "license_url": "javascript:x"});
        let reply = json!({"results": [7, {"tags": 7}, result]}).to_string();
        let hits = read(&ok(reply)).unwrap().hits;
        assert_eq!(hits[0].credit.license.as_deref(), expected);
        assert_eq!(hits[0].credit.license_url, None);
        let categories = &hits[0].hints.categories;
        assert_eq!((categories.len(), categories[0].chars().count()), (30, 100));
    }
}

#[test]
fn files_that_are_no_photo_are_left_out() {
    for (filetype, count) in [("svg", 0), ("gif", 0), ("webp", 1), ("jpeg", 1), ("png", 1)] {
        let result = json!({"url": "https://a.example/1", "filetype": filetype});
        let reply = json!({"results": [result]}).to_string();
        assert_eq!(read(&ok(reply)).unwrap().hits.len(), count, "{filetype}");
    }
}

#[test]
fn each_failure_of_openverse_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
}
