//! How each image search is asked for a page of a list, and when its answer announces another.

use devtools::rehearsal::START_MS;
use domain::Wording;
use platform::WireRequest;
use providers::{ImageSearch, ListExtent, brave, commons, google, openverse, serpapi, serper};
use sandbox::{Sandbox, SandboxCredentials, SandboxOptions, own_world};
use serde_json::{Value, json};

use super::search_table::SEARCHES;
use super::shared::{named, ok, query_pairs, search_for};

/// The image searches, as configured for the sandbox.
fn searches() -> Vec<Box<dyn ImageSearch>> {
    let keys = SandboxCredentials::default();
    let base = |path: &str| format!("http://127.0.0.1:8788{path}");
    vec![
        Box::new(google::GoogleSettings {
            base: base(""),
            key: keys.google_key.as_str().into(),
            engine: keys.google_cx.clone(),
        }),
        Box::new(commons::CommonsSettings {
            base: base("/commons"),
            contact: "operator@host.example".into(),
        }),
        Box::new(brave::BraveSettings {
            base: base("/brave"),
            key: keys.brave_key.as_str().into(),
        }),
        Box::new(openverse::OpenverseSettings {
            base: base("/openverse"),
        }),
        Box::new(serpapi::SerpApiSettings {
            base: base("/serpapi"),
            key: keys.serpapi_key.as_str().into(),
        }),
        Box::new(serper::SerperSettings {
            base: base("/serper"),
            key: keys.serper_key.as_str().into(),
        }),
    ]
}

/// Returns the page in a request: a parameter of its address, or a member of its body.
fn page_of(request: &WireRequest) -> Option<(String, String)> {
    let is_page = |name: &str| ["gsroffset", "start", "page", "ijn", "offset"].contains(&name);
    let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    let members = body.as_object().into_iter().flatten();
    let members = members.map(|(name, value)| (name.clone(), value.to_string()));
    let mut all = query_pairs(request).into_iter().chain(members);
    all.find(|(name, _)| is_page(name))
}

#[test]
fn the_first_page_is_asked_for_without_a_page_and_the_third_by_its_place() {
    let question = search_for(&[named("Jane Eyre")], Wording::Names);
    for (search, page) in SEARCHES.iter().zip([
        Some(("start", "21")),
        Some(("gsroffset", "20")),
        None,
        Some(("page", "3")),
        Some(("ijn", "2")),
        Some(("page", "3")),
    ]) {
        let request = |page| (search.request)(search.base, "key", &question, (10, page)).unwrap();
        assert_eq!(page_of(&request(0)), None, "{}", search.name);
        let expected = page.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(page_of(&request(2)), expected, "{}", search.name);
    }
}

#[test]
fn an_answer_says_whether_the_list_goes_on() {
    let has_more = |name: &str, body: &Value, wanted: u32| {
        let search = SEARCHES.iter().find(|search| search.name == name).unwrap();
        let list = (search.read)(&ok(body.to_string())).unwrap();
        list.has_more(wanted)
    };
    let next = "https://serpapi.com/search.json?engine=google_images&ijn=1";
    for (name, body, expected) in [
        (
            "commons",
            json!({"continue": {"gsroffset": 50, "continue": "gsroffset||"}}),
            true,
        ),
        ("commons", json!({"batchcomplete": true}), false),
        // The data of these files continues, not the search: a full page is followed by another.
        (
            "commons",
            json!({"continue": {"tlcontinue": "1|10|X", "continue": "||imageinfo"}}),
            false,
        ),
        (
            "commons",
            json!({"continue": {"tlcontinue": "1|10|X", "continue": "||imageinfo"},
                "query": {"pages": [{}, {}]}}),
            true,
        ),
        (
            "commons",
            json!({"batchcomplete": true, "query": {"pages": [{}, {}]}}),
            false,
        ),
        ("openverse", json!({"page": 1, "page_count": 2}), true),
        ("openverse", json!({"page": 2, "page_count": 2}), false),
        ("openverse", json!({"page": 1, "page_count": 0}), false),
        (
            "serpapi",
            json!({"serpapi_pagination": {"current": 1, "next": next}}),
            true,
        ),
        (
            "serpapi",
            json!({"serpapi_pagination": {"current": 2}}),
            false,
        ),
    ] {
        assert_eq!(has_more(name, &body, 2), expected, "{name} {body}");
    }
    // If nothing is said, a full page is followed by another; results that are no hits count.
    for (name, list) in [
        ("google", "items"),
        ("serper", "images"),
        ("openverse", "results"),
        ("serpapi", "images_results"),
    ] {
        let body = json!({list: [{"title": "no address"}, {"title": "none"}]});
        let said = [1, 2, 3].map(|wanted| has_more(name, &body, wanted));
        assert_eq!(said, [true, true, false], "{name}");
    }
}

/// Extends every text of an answer to at least this length.
fn lengthen(value: &mut Value, chars: usize) {
    match value {
        Value::String(text) if text.starts_with("http") => {
            text.push_str(&"x".repeat(chars.saturating_sub(text.len())));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| lengthen(value, chars)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|value| lengthen(value, chars)),
        _ => {}
    }
}

#[test]
fn the_longest_page_is_read_whole_where_addresses_are_as_long_as_proxies_make_them() {
    for (search, provider) in SEARCHES.iter().zip(searches()) {
        let most = usize::try_from(provider.extent().hits_max).unwrap();
        let mut reply: Value = serde_json::from_str(search.reply).unwrap();
        let results = reply.pointer_mut(search.results).unwrap();
        let mut first = results[0].clone();
        lengthen(&mut first, 400);
        *results = json!(vec![first; most]);
        let list = (search.read)(&ok(reply.to_string())).unwrap();
        assert_eq!(
            (list.hits.len(), list.results),
            (most, most),
            "{}",
            search.name
        );
    }
}

#[test]
fn the_stand_ins_take_the_last_page_of_each_extent_at_its_full_size() {
    let mut sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
    let name = sandbox.example().unwrap().0.clone();
    let question = search_for(&[named(&name)], Wording::Names);
    for search in searches() {
        let ListExtent {
            hits_max,
            pages_max,
        } = search.extent();
        for page in [0, pages_max - 1] {
            let request = search.request(&question, hits_max, page).unwrap();
            let reply = sandbox.respond(request, START_MS);
            let (head, body) = reply.response.into_parts();
            let response = http::Response::from_parts(head, body.bytes());
            assert_eq!(response.status(), 200, "{} {page}", search.id());
            let list = search.read(&question, &response).unwrap();
            assert_eq!(list.results > 0, page == 0, "{} {page}", search.id());
            let is_more = list.results >= usize::try_from(hits_max).unwrap();
            assert_eq!(list.has_more(hits_max), is_more, "{} {page}", search.id());
        }
    }
}

#[test]
fn google_and_openverse_refuse_the_page_after_the_last() {
    let mut sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
    let question = search_for(&[named("Jane Eyre")], Wording::Names);
    for (search, status) in searches().iter().filter_map(|search| match search.id() {
        "google" => Some((search, 400)),
        "openverse" => Some((search, 401)),
        _ => None,
    }) {
        let ListExtent {
            hits_max,
            pages_max,
        } = search.extent();
        let request = search.request(&question, hits_max, pages_max).unwrap();
        let reply = sandbox.respond(request, START_MS);
        assert_eq!(reply.response.status(), status, "{}", search.id());
    }
}
