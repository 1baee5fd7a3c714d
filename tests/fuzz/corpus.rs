//! The base of the inputs: recorded answers of all providers, and whole sealed runs.

use serde_json::Value;

const RECORDED: [&str; 21] = [
    include_str!("../providers/any_failures.json"),
    include_str!("../providers/brave.json"),
    include_str!("../providers/brave_failures.json"),
    include_str!("../providers/commons.json"),
    include_str!("../providers/gemini.json"),
    include_str!("../providers/gemini_failures.json"),
    include_str!("../providers/google.json"),
    include_str!("../providers/google_failures.json"),
    include_str!("../providers/mediawiki_failures.json"),
    include_str!("../providers/openai.json"),
    include_str!("../providers/openai_failures.json"),
    include_str!("../providers/openverse.json"),
    include_str!("../providers/openverse_failures.json"),
    include_str!("../providers/rekognition.json"),
    include_str!("../providers/rekognition_failures.json"),
    include_str!("../providers/serpapi.json"),
    include_str!("../providers/serpapi_failures.json"),
    include_str!("../providers/serper.json"),
    include_str!("../providers/serper_failures.json"),
    include_str!("../providers/workers_ai.json"),
    include_str!("../providers/workers_ai_failures.json"),
];
/// Wikidata's two answers, abridged.
const WIKIDATA: [&str; 2] = [
    r#"{"batchcomplete":true,"query":{"search":[{"ns":0,"title":"Q42","pageid":138},{"ns":0,"title":"Q1","pageid":2}]}}"#,
    r#"{"entities":{"Q42":{"type":"item","id":"Q42","labels":{"en":{"language":"en","value":"Jean Valjean"}},"descriptions":{"en":{"language":"en","value":"a man"}},"aliases":{"en":[{"language":"en","value":"Monsieur Madeleine"}]}}},"success":1}"#,
];
const SEALED: [&str; 4] = [
    include_str!("../sealed/runs/both-ends-no_path-recognition_budget.json"),
    include_str!("../sealed/runs/both-ends-error-provider_throttled.json"),
    include_str!("../sealed/runs/one-sided-no_path-stopped.json"),
    include_str!("../sealed/runs/one-sided-no_path-recognition_budget.json"),
];
/// A longer run, for its entries.
const FOUND: &str = include_str!("../sealed/runs/both-ends-final.json");

/// Returns the bodies of all recorded answers, including failures.
pub fn answers() -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    for text in RECORDED.into_iter().chain(WIKIDATA) {
        match serde_json::from_str(text).expect("recorded answers are JSON") {
            Value::Array(rows) => {
                let bodies = rows.iter().filter_map(|row| row.get("body"));
                answers.extend(bodies.map(|body| body.to_string().into_bytes()));
            }
            _ => answers.push(text.as_bytes().to_vec()),
        }
    }
    answers
}

/// Sealed runs of all kinds.
pub fn sealed() -> Vec<Vec<u8>> {
    SEALED.map(|text| text.trim().as_bytes().to_vec()).to_vec()
}

/// The journal entries of the sealed runs.
pub fn entries() -> Vec<Vec<u8>> {
    let files = SEALED.into_iter().chain([FOUND]);
    let files: Vec<_> = files
        .map(|text| serde_json::from_str::<Value>(text).expect("a sealed run"))
        .collect();
    let entries = files.iter().flat_map(|file| {
        let journal = file.pointer("/body/journal").and_then(Value::as_array);
        journal.expect("a sealed run has a journal").iter()
    });
    let mut entries: Vec<_> = entries
        .map(|entry| entry.to_string().into_bytes())
        .collect();
    entries.sort_by_key(Vec::len);
    entries.dedup();
    let order = files[0]
        .pointer("/body/order")
        .expect("a sealed run has an order");
    entries.push(
        format!(r#"{{"opened":{{"version":2,"engine":"0.1.0","run":"s1.k3","order":{order},"expiresMs":7,"forkedFrom":"s1.k1","host":"a.example"}}}}"#)
            .into_bytes(),
    );
    entries
}

/// Returns texts as bytes.
pub fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
