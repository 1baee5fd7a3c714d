//! The answers of every provider.

use domain::{NamedPerson, PersonNumber, SearchQuestion, WikidataNumber, Wording};
use platform::WireResponse;
use providers::{
    JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, brave, commons, gemini, google, openai, openverse,
    rekognition, serpapi, serper, wikidata, workers_ai,
};

use super::corpus::answers;
use super::runner::Target;

/// Most answers are successes; the others say why not.
const STATUSES: [u16; 8] = [200, 400, 200, 403, 200, 429, 200, 503];
const DICTIONARY: [&str; 22] = [
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "[[",
    "{\"",
    "\\u0000",
    "\\ud800",
    "\\u202e",
    "\"error\":",
    "\"results\":",
    "\"CelebrityFaces\":",
    "\"candidates\":",
    "\"choices\":",
    "\"code\":",
    "\"retryDelay\":\"1e9s\"",
    "</think>",
    "```json",
    "&#x10ffff;",
    "<script>",
    "https://",
];

fn response(body: Vec<u8>) -> WireResponse {
    http::Response::builder()
        .status(STATUSES[body.len() % STATUSES.len()])
        .header("retry-after", "7")
        .body(body)
        .expect("an answer can be built")
}

fn target(name: &'static str, bound_bytes: usize, read: fn(&WireResponse)) -> Target {
    Target {
        name,
        bound_bytes,
        bulky_bytes: bound_bytes,
        seeds: answers(),
        dictionary: &DICTIONARY,
        read: Box::new(move |body| read(&response(body))),
    }
}

fn question() -> SearchQuestion {
    let person = |name: &str| NamedPerson {
        name: name.into(),
        number: WikidataNumber::parse("Q42").map(PersonNumber::Recognised),
    };
    SearchQuestion {
        people: vec![person("Jean Valjean"), person("Cosette")],
        wording: Wording::Names,
    }
}

/// One for each reader of a provider's answer. The bound is that of the body: where reading stops.
pub fn all() -> Vec<Target> {
    let json = JSON_BYTES_MAX;
    vec![
        target("brave", json, |answer| drop(brave::read(answer))),
        target("commons", json, |answer| {
            drop(commons::read(&question(), answer));
        }),
        target("google", json, |answer| drop(google::read(answer))),
        target("openverse", json, |answer| drop(openverse::read(answer))),
        target("serpapi", json, |answer| drop(serpapi::read(answer))),
        target("serper", json, |answer| drop(serper::read(answer))),
        target("rekognition", RECOGNITION_BYTES_MAX, |answer| {
            drop(rekognition::read(answer));
        }),
        target("gemini", json, |answer| {
            drop((gemini::read(answer), gemini::read_probe(answer)));
        }),
        target("openai", json, |answer| {
            drop((openai::read(answer), openai::read_probe(answer)));
        }),
        target("workers-ai", json, |answer| {
            drop((workers_ai::read(answer), workers_ai::read_probe(answer)));
        }),
        target("wikidata-search", json, |answer| {
            drop(wikidata::read_numbers(answer));
        }),
        target("wikidata-people", json, |answer| {
            let numbers: Vec<_> = ["Q42", "Q1"]
                .iter()
                .filter_map(|text| WikidataNumber::parse(text))
                .collect();
            drop(wikidata::read_people("Monsieur", &numbers, answer));
        }),
    ]
}
