//! The handling of every failure of Wikidata: what callers of `GET /people` read.

use domain::{Failure, FailureKind};
use providers::wikidata;
use sandbox::{FaultPlan, SandboxOptions};
use visual_degrees::people::suggest_people;

use super::sandbox_network::SandboxNetwork;

/// The handler of these requests, which only builds for the platform.
const HANDLER: &str = include_str!("../../src/routes/handlers/health.rs");

/// Searches for people with this fault at each call of Wikidata.
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

/// Returns the row of a failure in the table.
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
