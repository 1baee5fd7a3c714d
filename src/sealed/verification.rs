//! The check of a file where nobody has the operator's key: what its answers lead to, link by link.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::limits::{ReplayError, ReplayLimits};
use super::replay::execute_again;
use super::report::Report;

/// The result of a check, as a reader of the file is told it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verification {
    /// The report, which says whether it is the same run.
    pub report: Report,
    /// The links of the chain as the answers in the file lead to them here. There are none where
    /// there is no chain.
    pub links: Vec<VerifiedLink>,
}

/// A link of the chain, computed from the recogniser's answers in the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedLink {
    /// The name of the person who is nearer to A.
    pub from: String,
    /// The name of the other person.
    pub to: String,
    /// The confidence, in percent.
    pub confidence: f64,
    /// The number of photos that show both.
    pub photos: usize,
}

/// Executes a file again, as [`super::replay`] does without a key.
pub fn verify(text: &str, limits: ReplayLimits) -> Result<Verification, ReplayError> {
    let (report, last) = execute_again(text, None, limits)?;
    let links = last.map(|json| links_of(&json)).unwrap_or_default();
    Ok(Verification { report, links })
}

/// Checks a file as [`verify`] does, and returns JSON: `{"error", "isTooMuch"}` where the text is
/// no sealed run, or is more than is executed here. `error` says why in words.
#[must_use]
pub fn verify_to_json(text: &str) -> String {
    let told = match verify(text, ReplayLimits::SERVER) {
        Ok(verification) => serde_json::to_string(&verification),
        Err(error) => serde_json::to_string(&json!({
            "error": error.to_string(), "isTooMuch": error.is_too_much(),
        })),
    };
    told.unwrap_or_default()
}

/// Returns the edges of a last event. Only `final` has some.
fn links_of(json: &str) -> Vec<VerifiedLink> {
    #[derive(Deserialize)]
    struct Last {
        #[serde(default)]
        path: Vec<Person>,
        #[serde(default)]
        edges: Vec<Edge>,
    }
    #[derive(Deserialize)]
    struct Person {
        id: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Edge {
        to: String,
        from_name: String,
        to_name: String,
        #[serde(rename = "edgeConfidence")]
        confidence: f64,
        evidence: Vec<serde::de::IgnoredAny>,
    }
    let Ok(Last { path, edges }) = serde_json::from_str(json) else {
        return Vec::new();
    };
    let nearer = path.iter();
    let links = edges.into_iter().zip(nearer).map(|(edge, nearer)| {
        // An edge is told in the order in which it was found, so that its ends may be turned round.
        let is_turned = edge.to == nearer.id;
        let (from, to) = if is_turned {
            (edge.to_name, edge.from_name)
        } else {
            (edge.from_name, edge.to_name)
        };
        VerifiedLink {
            from,
            to,
            confidence: edge.confidence,
            photos: edge.evidence.len(),
        }
    });
    links.collect()
}
