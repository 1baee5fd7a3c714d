//! Tests of literal engines: they find a page only by its words, and return results in a fixed order.

use super::word_searches::{members, search};
use super::*;
use crate::SearchEngine;

const WORDS: [SandboxProvider; 3] = [
    SandboxProvider::Brave,
    SandboxProvider::SerpApi,
    SandboxProvider::Serper,
];

fn literal(captions: f64) -> Sandbox {
    sandbox(SandboxOptions {
        bad_images: false,
        engine: SearchEngine::Literal,
        captions,
        ..SandboxOptions::default()
    })
}

/// Returns the titles that a search finds, in order.
fn titles(sandbox: &mut Sandbox, provider: SandboxProvider, text: &str) -> Vec<String> {
    let [list, ..] = members(provider);
    let answer = body(&search(sandbox, provider, text));
    let results = answer.pointer(list).and_then(Value::as_array);
    let titles = results.into_iter().flatten();
    let titles = titles.map(|result| result["title"].as_str().unwrap().to_owned());
    titles.collect()
}

#[test]
fn every_word_of_the_query_is_in_the_title() {
    let mut sandbox = literal(1.0);
    let name = famous(&sandbox);
    for provider in WORDS {
        let found = titles(&mut sandbox, provider, &name);
        assert!(found.len() > 2, "{provider}");
        let plain = name.replace('+', " ");
        assert!(found.iter().all(|title| title.contains(&plain)));
        let nothing = titles(&mut sandbox, provider, &format!("{name}+with+celebrities"));
        assert_eq!(nothing, [""; 0], "{provider}");
        let few = titles(&mut sandbox, provider, &format!("{name}+gala"));
        let expected = found.iter().filter(|title| title.contains("gala"));
        assert_eq!(few, expected.cloned().collect::<Vec<_>>(), "{provider}");
    }
    let answer = body(&super::search(&mut sandbox, &format!("q={name}+gala")));
    let items = answer["items"].as_array().unwrap();
    assert!(items.iter().all(|item| {
        let title = item["title"].as_str().unwrap();
        title.contains("gala")
    }));
}

#[test]
fn a_kind_engine_finds_those_whom_a_literal_one_does_not() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    for provider in WORDS {
        let query = format!("{name}+with+celebrities");
        assert!(titles(&mut sandbox, provider, &query).len() > 2);
    }
}

#[test]
fn captions_that_name_few_let_few_be_found() {
    let count = |captions: f64, provider: SandboxProvider| {
        let mut sandbox = literal(captions);
        let name = famous(&sandbox);
        titles(&mut sandbox, provider, &name).len()
    };
    for provider in [WORDS.as_slice(), &[SandboxProvider::Openverse]].concat() {
        let counts = [0.0, 0.5, 1.0].map(|captions| count(captions, provider));
        assert_eq!(counts[0], 0, "{provider}");
        assert!(
            0 < counts[1] && counts[1] < counts[2],
            "{provider} {counts:?}"
        );
    }
    let nobody = literal(0.0);
    let mut sandbox = nobody;
    let photo = crowded(&sandbox);
    let page = get(&mut sandbox, &format!("/pages/{photo}"));
    let page = String::from_utf8(page.response.into_body().bytes()).unwrap();
    assert!(page.contains("Guests "), "{page}");
}

#[test]
fn no_query_changes_the_order_of_openverse_or_commons() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let ids = |answer: &Value| -> Vec<String> {
        let results = answer["results"].as_array().unwrap().iter();
        results.map(|result| result["id"].to_string()).collect()
    };
    let quoted = format!("%22{name}%22");
    let [plain, phrase] = [name.clone(), quoted.clone()].map(|text| {
        ids(&body(&search(
            &mut sandbox,
            SandboxProvider::Openverse,
            &text,
        )))
    });
    assert_eq!(plain, phrase);
    let mut commons = |text: &str| -> Vec<(String, u64)> {
        let answer = body(&get(
            &mut sandbox,
            &format!(
                "/commons/w/api.php?action=query&format=json&formatversion=2&generator=search\
                 &gsrnamespace=6&gsrlimit=50&gsrsearch={text}+filetype:bitmap"
            ),
        ));
        let pages = answer["query"]["pages"].as_array().unwrap().iter();
        pages
            .map(|page| (page["title"].to_string(), page["index"].as_u64().unwrap()))
            .collect()
    };
    assert_eq!(commons(&name), commons(&quoted));
}

#[test]
fn serpapi_tells_the_address_of_the_next_page_until_the_last() {
    let world = format!(
        r#"{{"name":"n","source":"s","license":"l","photos":[{}]}}"#,
        vec![r#"["Emma Lee"]"#; 150].join(",")
    );
    let mut sandbox = Sandbox::new(World::parse(&world).unwrap(), SandboxOptions::default());
    let first = body(&search(&mut sandbox, SandboxProvider::SerpApi, "Emma+Lee"));
    assert_eq!(first["images_results"].as_array().unwrap().len(), 100);
    let next = first["serpapi_pagination"]["next"].as_str().unwrap();
    assert_eq!(
        next,
        "http://127.0.0.1:8788/serpapi/search.json?engine=google_images&q=Emma+Lee&ijn=1"
    );
    let address = next.strip_prefix("http://127.0.0.1:8788").unwrap();
    let address = format!("{address}&api_key=sandbox-serpapi-key");
    let last = body(&get(&mut sandbox, &address));
    assert_eq!(last["images_results"].as_array().unwrap().len(), 50);
    assert_eq!(last["serpapi_pagination"], json!({"current": 2}));
}

#[test]
fn openverse_shows_240_results_to_those_without_an_account() {
    let world = format!(
        r#"{{"name":"n","source":"s","license":"l","photos":[{}]}}"#,
        vec![r#"["Emma Lee"]"#; 300].join(",")
    );
    let mut sandbox = Sandbox::new(World::parse(&world).unwrap(), SandboxOptions::default());
    let mut ask = |page: u32| {
        let address = format!("/openverse/v1/images/?q=Emma&page_size=20&page={page}");
        let reply = get(&mut sandbox, &address);
        (status(&reply), body(&reply))
    };
    let (_, last) = ask(12);
    let counts = ["result_count", "page_count", "page"].map(|name| last[name].as_u64());
    assert_eq!(counts, [Some(240), Some(12), Some(12)]);
    assert_eq!(last["results"].as_array().unwrap().len(), 20);
    assert_eq!(ask(13).0, 401);
}
