//! How the answers of Wikimedia Commons are parsed.

use domain::{CalendarDate, Credit, Hints, Hit, Wording};
use providers::ImageSearch as _;
use serde_json::{Value, json};

use super::commons::{FAILURES, REPLY, read, without_pause};
use super::shared::{answered, check_rows, known, named, ok, search_for};

#[test]
fn a_commons_reply_is_read_in_rank_order_with_credit_and_hints() {
    let second = "https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Second.PNG/\
                  1280px-Second.PNG";
    let expected = [
        Hit {
            image_url: "https://upload.wikimedia.org/wikipedia/commons/thumb/e/ed/X.jpg/\
                        1280px-X.jpg"
                .into(),
            original_url: Some("https://upload.wikimedia.org/wikipedia/commons/e/ed/X.jpg".into()),
            thumbnail_url: None,
            context_url: Some("https://commons.wikimedia.org/wiki/File:X.jpg".into()),
            title: "X".into(),
            credit: Credit {
                license: Some("CC BY-SA 4.0".into()),
                ..Credit::default()
            },
            hints: Hints {
                // The date is not certain.
                taken: None,
                generated: Some("Template:PD-algorithm".into()),
                ..Hints::default()
            },
        },
        Hit {
            image_url: second.into(),
            // Longer than the recogniser's limit.
            original_url: None,
            thumbnail_url: None,
            context_url: Some("https://commons.wikimedia.org/wiki/File:Second.PNG".into()),
            title: "Second (cropped).v2".into(),
            credit: Credit {
                author: Some("Ellis Bell & sister".into()),
                license: Some("CC BY-SA 4.0".into()),
                license_url: Some("https://creativecommons.org/licenses/by-sa/4.0".into()),
            },
            hints: Hints {
                description: Some("Jane Eyre and Helen Burns at Lowood".into()),
                categories: ["Jane Eyre", "Lowood in 2010", "Helen Burns"]
                    .map(str::to_owned)
                    .to_vec(),
                depicts: Vec::new(),
                taken: CalendarDate::new(2010, Some(5), Some(17)),
                generated: None,
            },
        },
    ];
    assert_eq!(read(&ok(REPLY)).unwrap().hits, expected);
}

#[test]
fn files_depict_those_whom_a_statement_was_asked_for() {
    let (one, two) = (known("Jane Eyre", "Q1"), known("Helen Burns", "Q2"));
    let cases: [(&[_], _, &[&str]); 7] = [
        (&[one.clone(), two.clone()], Wording::Names, &["Q1", "Q2"]),
        (&[named("Jane Eyre"), two.clone()], Wording::Names, &["Q2"]),
        (std::slice::from_ref(&one), Wording::InCompany, &["Q1"]),
        (&[one.clone(), two.clone()], Wording::InCompany, &[]),
        (&[one.clone(), two], Wording::Together, &[]),
        (std::slice::from_ref(&one), Wording::Event, &[]),
        (std::slice::from_ref(&one), Wording::Awards, &[]),
    ];
    for (people, wording, expected) in cases {
        let search = search_for(people, wording);
        for hit in super::commons::commons_settings()
            .read(&search, &ok(REPLY))
            .unwrap()
            .hits
        {
            assert_eq!(hit.hints.depicts, expected, "{search:?}");
        }
    }
}

#[test]
fn dates_are_stored_as_far_as_they_are_certain() {
    let taken = |date: &Value| {
        let info = json!({"thumburl": "https://t.example/1280px-A.jpg",
            "extmetadata": {"DateTimeOriginal": {"value": date}}});
        let hits = read(&ok(page(&info).to_string())).unwrap().hits;
        hits[0].hints.taken.map(|date| date.to_string())
    };
    for (date, expected) in [
        (json!("2009-05-17 14:03:22"), Some("2009-05-17")),
        (json!("17 May 2009"), Some("2009-05-17")),
        (
            json!("<time class=\"dtstart\" datetime=\"2009-05\">May 2009</time>"),
            Some("2009-05"),
        ),
        (json!("<b>2009</b>"), Some("2009")),
        (json!("before 2009"), None),
        (json!("2009-05-17 (upload date)"), None),
        (json!(2009), None),
        (json!(null), None),
    ] {
        assert_eq!(taken(&date).as_deref(), expected, "{date}");
    }
}

#[test]
fn a_file_is_generated_if_its_page_uses_the_template() {
    let info = json!({"thumburl": "https://t.example/1280px-A.jpg"});
    let template = |title: &str| json!([{"ns": 10, "title": title}]);
    for (templates, is_generated) in [
        (template("Template:PD-algorithm"), true),
        (
            json!([{}, {"title": 7}, {"title": "Template:PD-algorithm"}]),
            true,
        ),
        (template("Template:PD-automated"), false),
        (template("PD-algorithm"), false),
        (json!("Template:PD-algorithm"), false),
        (json!([]), false),
        (json!(null), false),
    ] {
        let mut body = page(&info);
        body["query"]["pages"][0]["templates"] = templates.clone();
        let hits = read(&ok(body.to_string())).unwrap().hits;
        let expected = is_generated.then_some("Template:PD-algorithm");
        assert_eq!(hits[0].hints.generated.as_deref(), expected, "{templates}");
    }
}

fn page(info: &Value) -> Value {
    json!({"query": {"pages": [{"title": "File:A.jpg", "imageinfo": [info]}]}})
}

#[test]
fn files_that_are_no_use_are_left_out() {
    let good = json!({"thumburl": "https://t.example/1280px-A.jpg", "mime": "image/jpeg",
        "url": "https://t.example/A.jpg", "size": 5_242_880, "width": 80, "height": 80});
    let hits = read(&ok(page(&good).to_string())).unwrap().hits;
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].thumbnail_url, None, "too long by one byte");
    for (member, value) in [
        ("mime", json!("image/svg+xml")),
        ("mime", json!("image/gif")),
        ("mime", json!("image/tiff")),
        ("width", json!(79)),
        ("height", json!(0)),
        ("thumburl", json!("javascript:alert(1)")),
        ("thumburl", json!("")),
        ("thumburl", json!(null)),
    ] {
        let mut info = good.clone();
        info[member] = value.clone();
        let hits = read(&ok(page(&info).to_string())).unwrap().hits;
        assert_eq!(hits, [], "{member} {value}");
    }
}

#[test]
fn replies_of_other_shapes_are_read_as_far_as_they_go() {
    let thumb = "https://t.example/1280px-A.jpg";
    let small = json!({"url": "https://t.example/A.jpg", "size": 9});
    let same = json!({"url": thumb, "thumburl": thumb, "size": 9});
    let odd = json!({"thumburl": thumb, "mime": 7, "width": "1", "height": null, "size": "9",
        "descriptionurl": "javascript:alert(1)", "unknown": {"a": [1]},
        "extmetadata": {"Artist": {"value": 7}, "LicenseUrl": {"value": "javascript:x"},
            "LicenseShortName": "CC0", "Categories": {"value": "|a||<b>b</b>|"},
            "ImageDescription": {"value": "<style>x</style>"}}});
    for (what, body, urls) in [
        ("nothing found", json!({"batchcomplete": true}), vec![]),
        ("null", json!({"query": null, "error": null}), vec![]),
        (
            "pages by number",
            json!({"query": {"pages": {"1": {}}}}),
            vec![],
        ),
        (
            "no file's info",
            json!({"query": {"pages": [{"title": "File:A.jpg"}, 7, null]}}),
            vec![],
        ),
        (
            "no thumbnail",
            page(&small),
            vec![("https://t.example/A.jpg", None)],
        ),
        ("a small original", page(&same), vec![(thumb, None)]),
        ("odd types", page(&odd), vec![(thumb, None)]),
        (
            "a warning",
            json!({"warnings": {"main": {}}, "batchcomplete": true}),
            vec![],
        ),
    ] {
        let hits = read(&ok(body.to_string())).unwrap().hits;
        let read: Vec<_> = hits
            .iter()
            .map(|hit| (hit.image_url.as_str(), hit.thumbnail_url.as_deref()))
            .collect();
        assert_eq!(read, urls, "{what}");
    }
    let hits = read(&ok(page(&odd).to_string())).unwrap().hits;
    assert!(hits[0].credit.is_empty() && hits[0].context_url.is_none());
    assert_eq!(hits[0].hints.categories, ["a", "b"]);
    assert_eq!(hits[0].hints.description, None);
}

#[test]
fn texts_and_lists_of_commons_are_cut() {
    let long = "é".repeat(501);
    let meta = |name: &str| json!({"value": format!("<b>{name}{long}</b>")});
    let info = json!({"thumburl": "https://t.example/1280px-A.jpg", "extmetadata": {
        "Artist": meta("a"), "LicenseShortName": meta("b"), "ImageDescription": meta("c"),
        "Categories": {"value": vec!["é".repeat(101).as_str(); 31].join("|")}}});
    let pages: Vec<Value> = (0..55)
        .map(|index| json!({"index": 55 - index, "title": long, "imageinfo": [info]}))
        .collect();
    let hits = read(&ok(json!({"query": {"pages": pages}}).to_string()))
        .unwrap()
        .hits;
    assert_eq!(hits.len(), 50);
    let hit = &hits[0];
    let counts = [
        hit.title.chars().count(),
        hit.credit.author.as_ref().unwrap().chars().count(),
        hit.credit.license.as_ref().unwrap().chars().count(),
        hit.hints.description.as_ref().unwrap().chars().count(),
        hit.hints.categories[0].chars().count(),
        hit.hints.categories.len(),
    ];
    assert_eq!(counts, [200, 200, 200, 500, 100, 30]);
}

#[test]
fn each_failure_of_commons_has_its_kind_and_hint() {
    check_rows(|response| without_pause(response, read(response)), FAILURES);
    let empty = read(&answered(429, &[], "")).unwrap_err();
    assert_eq!(empty.retry_after_ms(), Some(5_000));
}
