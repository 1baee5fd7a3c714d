//! The answers of every provider.

use domain::{NamedPerson, PersonNumber, SearchQuestion, WikidataNumber, Wording};
use platform::WireResponse;
use providers::{
    Credentials, ImageSearch as _, JSON_BYTES_MAX, Planner, RECOGNITION_BYTES_MAX, Recogniser as _,
    Signer, brave, commons, gemini, google, openai, openverse, rekognition, serpapi, serper,
    wikidata, workers_ai,
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

fn recogniser() -> rekognition::RekognitionSettings {
    rekognition::RekognitionSettings {
        endpoint: String::new(),
        signer: Signer {
            credentials: Credentials {
                access_key_id: String::new(),
                secret_access_key: String::new(),
                session_token: None,
            },
            region: String::new(),
            service: String::new(),
        },
    }
}

fn check_planner(planner: &dyn Planner, answer: &WireResponse) {
    drop((planner.read(answer), planner.read_probe(answer)));
}

/// Returns a target for each parser of a provider's answer. The bound is that of the body.
pub fn all() -> Vec<Target> {
    let json = JSON_BYTES_MAX;
    vec![
        target("brave", json, |answer| {
            let (base, key) = (String::new(), "".into());
            drop(brave::BraveSettings { base, key }.read(&question(), answer));
        }),
        target("commons", json, |answer| {
            let (base, contact) = (String::new(), String::new());
            drop(commons::CommonsSettings { base, contact }.read(&question(), answer));
        }),
        target("google", json, |answer| {
            let (base, key, engine) = (String::new(), "".into(), String::new());
            drop(google::GoogleSettings { base, key, engine }.read(&question(), answer));
        }),
        target("openverse", json, |answer| {
            let base = String::new();
            drop(openverse::OpenverseSettings { base }.read(&question(), answer));
        }),
        target("serpapi", json, |answer| {
            let (base, key) = (String::new(), "".into());
            drop(serpapi::SerpApiSettings { base, key }.read(&question(), answer));
        }),
        target("serper", json, |answer| {
            let (base, key) = (String::new(), "".into());
            drop(serper::SerperSettings { base, key }.read(&question(), answer));
        }),
        target("rekognition", RECOGNITION_BYTES_MAX, |answer| {
            drop(recogniser().read(answer));
        }),
        target("gemini", json, |answer| {
            let (base, key, model) = (String::new(), "".into(), String::new());
            check_planner(&gemini::GeminiSettings { base, key, model }, answer);
        }),
        target("openai", json, |answer| {
            let (base, key, model) = (String::new(), None, String::new());
            check_planner(&openai::OpenAiSettings { base, key, model }, answer);
        }),
        target("workers-ai", json, |answer| {
            let (model, access) = (String::new(), workers_ai::Access::Binding);
            check_planner(&workers_ai::WorkersAiSettings { model, access }, answer);
        }),
        target("wikidata-search", json, |answer| {
            drop(wikidata::read_numbers(answer));
        }),
        target("wikidata-life", json, |answer| {
            if let Some(number) = WikidataNumber::parse("Q42") {
                drop(wikidata::read_life(&number, [answer, answer]));
            }
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
