//! What becomes of every failure of Wikidata: what a caller of `GET /people` reads.

use domain::{Failure, FailureKind};
use providers::wikidata;
use sandbox::{FaultPlan, SandboxOptions};
use visual_degrees::people::suggest_people;

use super::sandbox_network::SandboxNetwork;

/// The handler whose answers are told here; it is built for the platform alone.
const HANDLER: &str = include_str!("../../src/routes/handlers/health.rs");

/// Asks for people where each call of Wikidata fails so.
fn asked(kind: &str) -> (Result<usize, Failure>, usize) {
    let plan = format!(r#"[{{"provider":"wikidata","from":1,"kind":"{kind}"}}]"#);
    let options = SandboxOptions {
        faults: FaultPlan::parse(&plan).unwrap(),
        ..SandboxOptions::default()
    };
    let settings = wikidata::WikidataSettings {
        base: format!("{}/wikidata", options.origin),
        contact: "operator@example.org".into(),
    };
    let network = SandboxNetwork::new(options, "");
    let (people, sent) =
        network.answer_at_once(suggest_people(&network, &settings, "Jean Valjean"));
    (people.map(|people| people.len()), sent)
}

/// The row of a failure in the table.
pub fn people_row(kind: &str) -> String {
    let (people, sent) = asked(kind);
    let failure = match people {
        Ok(count) => return format!("\nwikidata {kind}: {count} people; requests: {sent}\n"),
        Err(failure) => failure,
    };
    let hint = failure.retry_after_ms();
    let hint = hint.map_or(String::new(), |hint| format!(", hint {hint} ms"));
    let (status, reads) = if failure.kind == FailureKind::Throttled {
        let reads = "Wikidata is asked too often at the moment; try again in a few seconds.";
        assert!(HANDLER.contains(reads));
        (429, reads.to_owned())
    } else {
        assert!(HANDLER.contains("\"Wikidata gives no suggestions ({}).\", failure.detail"));
        let reads = format!("Wikidata gives no suggestions ({}).", failure.detail());
        (503, reads)
    };
    format!(
        "\nwikidata {kind}: {} ({}){hint}; requests: {sent}\n  /people: HTTP {status}, {reads}\n",
        failure.kind.as_str(),
        failure.detail()
    )
}
