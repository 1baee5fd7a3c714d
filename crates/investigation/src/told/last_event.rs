//! The JSON of the three events that end a run.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use domain::Provider;

use crate::machine::{EdgeReport, ErrorReport, FinalReport, NoPathReport};

use super::certificate::{CertificateJson, OtherPathJson};
use super::evidence::{EdgeJson, GraphJson};
use super::person::{PersonJson, people};
use super::spent::SpentJson;

/// The sentence that every final chain carries.
const DISCLAIMER: &str = "This shows that these people were seen together in public photos, not that they know each other.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FinalJson<'a> {
    path: Vec<PersonJson<'a>>,
    edges: Vec<EdgeJson<'a>>,
    confidence_map: ConfidenceMapJson<'a>,
    certificate: CertificateJson<'a>,
    other_paths: Vec<OtherPathJson<'a>>,
    graph: GraphJson<'a>,
    spent: SpentJson,
    disclaimer: &'static str,
}

#[derive(Serialize)]
struct ConfidenceMapJson<'a> {
    #[serde(serialize_with = "confidence_by_pair")]
    edges: &'a [EdgeReport],
    bottleneck: f64,
    cumulative: f64,
}

/// Writes the confidence of each edge, like `{"from|to": 97.2}`, in path order.
fn confidence_by_pair<S: Serializer>(
    edges: &&[EdgeReport],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(edges.len()))?;
    for edge in *edges {
        map.serialize_entry(
            &format!("{}|{}", edge.from.id, edge.to.id),
            &edge.confidence,
        )?;
    }
    map.end()
}

impl<'a> FinalJson<'a> {
    pub(super) fn new(report: &'a FinalReport) -> Self {
        Self {
            path: people(&report.path),
            edges: report.edges.iter().map(EdgeJson::new).collect(),
            confidence_map: ConfidenceMapJson {
                edges: &report.edges,
                bottleneck: report.bottleneck,
                cumulative: report.cumulative,
            },
            certificate: CertificateJson::new(&report.certificate),
            other_paths: report.other_paths.iter().map(OtherPathJson::new).collect(),
            graph: GraphJson::new(&report.graph),
            spent: SpentJson::new(&report.spent),
            disclaimer: DISCLAIMER,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoPathJson<'a> {
    message: &'a str,
    reason: &'static str,
    explanation: &'a str,
    hops_reached: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<&'static str>,
    suggestions: &'a [String],
    graph: GraphJson<'a>,
    spent: SpentJson,
}

impl<'a> NoPathJson<'a> {
    pub(super) fn new(report: &'a NoPathReport) -> Self {
        Self {
            message: &report.message,
            reason: report.reason.as_str(),
            explanation: &report.explanation,
            hops_reached: report.hops_reached,
            unknown: report.unknown.iter().map(|which| which.as_str()).collect(),
            suggestions: &report.suggestions,
            graph: GraphJson::new(&report.graph),
            spent: SpentJson::new(&report.spent),
        }
    }
}

#[derive(Serialize)]
pub(super) struct ErrorJson<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'a str>,
    message: &'a str,
    retryable: bool,
    spent: SpentJson,
}

impl<'a> ErrorJson<'a> {
    pub(super) fn new(report: &'a ErrorReport) -> Self {
        let provider = report.provider.as_ref().map(|provider| {
            // Earlier runs do not say which provider played a role: there was one for each.
            provider.id.as_deref().unwrap_or(match provider.role {
                Provider::Search => "google",
                Provider::Recogniser => "rekognition",
                Provider::Planner => "gemini",
            })
        });
        Self {
            code: report.code.as_str(),
            provider,
            message: &report.message,
            retryable: report.code.is_retryable(),
            spent: SpentJson::new(&report.spent),
        }
    }
}
