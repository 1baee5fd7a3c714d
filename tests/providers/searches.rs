//! What holds for every image search that answers with a list: whatever an answer looks like, its hits are valid.

use domain::{Hit, Wording};
use providers::{brave, google, serpapi, serper};
use serde_json::{Value, json};

use super::search_table::{ImageSearch, SEARCHES};
use super::shapes::check_wrong_types;
use super::shared::{SECRET, known, named, ok, query_pairs, search_for};

impl ImageSearch {
    fn results_of(&self, change: impl Fn(&mut Value)) -> Vec<Hit> {
        let mut reply: Value = serde_json::from_str(self.reply).unwrap();
        change(reply.pointer_mut(self.results).unwrap());
        (self.read)(&ok(reply.to_string())).unwrap().hits
    }

    /// Returns the hits of the reply with this member of its first result replaced.
    fn with_first(&self, place: &str, value: &Value) -> Vec<Hit> {
        self.results_of(|results| {
            *results = json!([results[0]]);
            *results[0].pointer_mut(place).unwrap() = value.clone();
        })
    }

    fn hits(&self) -> Vec<Hit> {
        (self.read)(&ok(self.reply)).unwrap().hits
    }
}

#[test]
fn no_hits_are_no_failure() {
    for search in SEARCHES {
        for body in [json!({}), json!({"error": null, "unknown": [1]})] {
            let list = (search.read)(&ok(body.to_string())).unwrap();
            assert_eq!(
                (list.hits, list.results),
                (vec![], 0),
                "{} {body}",
                search.name
            );
        }
        for none in [
            json!([]),
            json!(null),
            json!({"0": {}}),
            json!("x"),
            json!([7, null, [], {}]),
        ] {
            let hits = search.results_of(|results| *results = none.clone());
            assert_eq!(hits, [], "{} {none}", search.name);
        }
    }
}

#[test]
fn a_result_without_any_address_is_left_out() {
    for search in SEARCHES {
        let none = search.results_of(|results| {
            for result in results.as_array_mut().unwrap() {
                for place in [search.image, search.thumbnail] {
                    if let Some(member) = result.pointer_mut(place) {
                        *member = json!(null);
                    }
                }
            }
        });
        assert_eq!(none, [], "{}", search.name);
        let endless = json!(format!("https://a.example/{}", "x".repeat(2_048)));
        for wrong in [json!(null), json!(""), json!(7), endless] {
            let hits = search.with_first(search.image, &wrong);
            for hit in hits {
                assert!(hit.image_url.len() < 2_048 && !hit.image_url.is_empty());
                let small_copy = hit.thumbnail_url.as_ref();
                // It may replace the photo.
                let is_alone = small_copy.is_none_or(|url| *url == hit.image_url);
                assert!(is_alone, "{} {wrong}", search.name);
            }
        }
    }
}

#[test]
fn only_pages_of_the_web_are_linked() {
    for search in SEARCHES {
        for wrong in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//a.example",
            "",
            "x-raw:///1",
        ] {
            let hits = search.with_first(search.context, &json!(wrong));
            assert_eq!(hits[0].context_url, None, "{} {wrong}", search.name);
            let hits = search.with_first(search.thumbnail, &json!(wrong));
            assert_eq!(hits[0].thumbnail_url, None, "{} {wrong}", search.name);
        }
        let hits = search.with_first(search.context, &json!("http://a.example/page"));
        let page = hits[0].context_url.as_deref();
        assert_eq!(page, Some("http://a.example/page"), "{}", search.name);
    }
}

#[test]
fn photos_that_are_too_small_for_the_recogniser_are_left_out() {
    for search in SEARCHES {
        let count = |pixels: Value| search.with_first(search.width, &pixels).len();
        let counts = [json!(79), json!(80), json!(null), json!("1"), json!(-1)].map(count);
        assert_eq!(counts, [0, 1, 1, 1, 1], "{}", search.name);
    }
}

#[test]
fn texts_and_lists_are_cut() {
    for search in SEARCHES {
        let most = if search.name == "commons" { 50 } else { 200 };
        let hits = search.results_of(|results| {
            let mut all = vec![results[0].clone(); most + 50];
            all[0]["title"] = json!("é \n".repeat(500));
            *results = json!(all);
        });
        assert_eq!(hits.len(), most, "{}", search.name);
        let title = &hits[0].title;
        assert!(title.chars().count() <= 200, "{}", search.name);
        assert!(title.starts_with("é é é"), "{} {title}", search.name);
    }
}

#[test]
fn wrong_types_never_make_a_hit() {
    for search in SEARCHES {
        let good = search.hits();
        let urls: Vec<&String> = good
            .iter()
            .flat_map(|hit| {
                let copies = hit.original_url.iter().chain(&hit.thumbnail_url);
                std::iter::once(&hit.image_url).chain(copies)
            })
            .collect();
        check_wrong_types(search.reply, search.read, |list| {
            let is_good = |hit: &Hit| urls.contains(&&hit.image_url) || hit.image_url == "Mallory";
            list.hits.iter().all(is_good)
        });
    }
}

#[test]
fn a_base_below_a_path_keeps_it() {
    let question = search_for(&[named("Jane Eyre")], Wording::Names);
    for search in SEARCHES {
        let path = |base: &str| {
            let request = (search.request)(base, "key", &question, (5, 0)).unwrap();
            request.uri().path().to_owned()
        };
        let below = path("http://127.0.0.1:8788/below/");
        assert_eq!(
            below,
            format!("/below{}", path(search.base)),
            "{}",
            search.name
        );
    }
}

#[test]
fn a_key_is_in_one_place_and_in_no_debug() {
    let question = search_for(&[known("Jane Eyre", "Q1")], Wording::Names);
    for search in SEARCHES.into_iter().filter(|search| search.has_key) {
        let request = (search.request)(search.base, SECRET, &question, (5, 0)).unwrap();
        let is_in_address = query_pairs(&request)
            .iter()
            .any(|(_, value)| value == SECRET);
        assert_eq!(is_in_address, search.name == "serpapi");
        let headers = format!("{:?}", request.headers());
        assert!(!headers.contains(SECRET), "{headers}");
        assert!(!String::from_utf8_lossy(request.body()).contains(SECRET));
    }
    let shown = format!(
        "{:?} {:?} {:?} {:?}",
        google::GoogleSettings {
            base: String::new(),
            key: SECRET.into(),
            engine: String::new()
        },
        brave::BraveSettings {
            base: String::new(),
            key: SECRET.into()
        },
        serpapi::SerpApiSettings {
            base: String::new(),
            key: SECRET.into()
        },
        serper::SerperSettings {
            base: String::new(),
            key: SECRET.into()
        },
    );
    assert!(!shown.contains(SECRET), "{shown}");
}
