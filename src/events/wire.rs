//! The events' JSON.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use time::OffsetDateTime;
use time::format_description::StaticFormatDescription;
use time::macros::format_description;

use crate::domain::{Limits, Provider, Side};
use crate::investigation::{
    EdgeReport, ErrorReport, FinalReport, NoPathReport, Notice, PersonRef, Spent, Status, Told,
};
use crate::kernel::Millis;

use super::certificate::{CertificateJson, OtherPathJson};
use super::evidence::{EdgeJson, GraphJson};

/// Every final chain carries this sentence.
const DISCLAIMER: &str = "This shows that these people were seen together in public photos, not that they know each other.";

/// One event, ready to be stored and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    /// The run's public token.
    pub run: String,
    /// 1, 2, 3, ... without gaps.
    pub number: u32,
    /// `status`, `evidence`, `path_update`, `final`, `no_path` or `error`.
    pub kind: &'static str,
    /// One line of JSON.
    pub json: String,
    /// Whether nothing comes after it.
    pub is_last: bool,
}

impl WireEvent {
    /// An event out of what was stored of it; none where there is no such kind.
    #[must_use]
    pub fn stored(run: &str, number: u32, kind: &str, json: String) -> Option<Self> {
        let goes_on = ["status", "evidence", "path_update"].map(|kind| (kind, false));
        let ends = ["final", "no_path", "error"].map(|kind| (kind, true));
        let mut kinds = goes_on.into_iter().chain(ends);
        let (kind, is_last) = kinds.find(|(known, _)| *known == kind)?;
        Some(Self {
            run: run.to_owned(),
            number,
            kind,
            json,
            is_last,
        })
    }

    /// Of a last event: the reason of `no_path`, the code of `error`.
    #[must_use]
    pub fn because(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Because {
            reason: Option<String>,
            code: Option<String>,
        }
        let because: Because = serde_json::from_str(&self.json).ok()?;
        because.reason.or(because.code).filter(|_| self.is_last)
    }
}

/// Writes a notice as the run's event of this number.
pub fn wire_event(run: &str, number: u32, notice: &Notice) -> Result<WireEvent, serde_json::Error> {
    let (kind, json) = match &notice.told {
        Told::Status(status) => (
            "status",
            write(run, notice, "status", &StatusJson::new(status)),
        ),
        Told::Evidence(edge) => {
            let body = EvidenceEventJson {
                edge: EdgeJson::new(edge),
            };
            ("evidence", write(run, notice, "evidence", &body))
        }
        Told::PathUpdate(path) => {
            let body = PathUpdateJson {
                path: people(path),
                hop: path.len().saturating_sub(1),
            };
            ("path_update", write(run, notice, "path_update", &body))
        }
        Told::Final(report) => (
            "final",
            write(run, notice, "final", &FinalJson::new(report)),
        ),
        Told::NoPath(report) => (
            "no_path",
            write(run, notice, "no_path", &NoPathJson::new(report)),
        ),
        Told::Error(report) => (
            "error",
            write(run, notice, "error", &ErrorJson::new(report)),
        ),
    };
    Ok(WireEvent {
        run: run.to_owned(),
        number,
        kind,
        json: json?,
        is_last: notice.told.is_last(),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a, T> {
    #[serde(rename = "type")]
    kind: &'a str,
    run_id: &'a str,
    timestamp: String,
    #[serde(flatten)]
    body: &'a T,
}

fn write<T: Serialize>(
    run: &str,
    notice: &Notice,
    kind: &str,
    body: &T,
) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Envelope {
        kind,
        run_id: run,
        timestamp: timestamp(notice.at),
        body,
    })
}

/// RFC 3339, UTC, milliseconds.
#[must_use]
pub fn timestamp(at: Millis) -> String {
    const FORMAT: StaticFormatDescription =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    // A clock beyond the year 9999 is told as the epoch rather than not at all.
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .ok()
        .and_then(|time| time.format(FORMAT).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00.000Z".to_owned())
}

/// A person.
#[derive(Debug, Clone, Serialize)]
pub struct PersonJson<'a> {
    id: &'a str,
    name: &'a str,
}

impl<'a> PersonJson<'a> {
    /// Of a reference.
    #[must_use]
    pub fn new(person: &'a PersonRef) -> Self {
        Self {
            id: &person.id,
            name: &person.name,
        }
    }
}

pub(super) fn people(path: &[PersonRef]) -> Vec<PersonJson<'_>> {
    path.iter().map(PersonJson::new).collect()
}

/// What was spent.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpentJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    runtime_ms: u64,
    usd: f64,
    photos: PhotosJson,
}

#[derive(Debug, Clone, Serialize)]
struct PhotosJson {
    looked: u32,
    unfetchable: u32,
    unreadable: u32,
    repeated: u32,
    vetoed: u32,
}

impl SpentJson {
    /// Of a run's spending.
    #[must_use]
    pub fn new(spent: &Spent) -> Self {
        Self {
            search_calls: spent.search_calls,
            rekognition_calls: spent.recognition_calls,
            llm_calls: spent.planner_calls,
            runtime_ms: spent.runtime_ms,
            usd: spent.nano_usd as f64 / 1e9,
            photos: PhotosJson {
                looked: spent.photos.looked,
                unfetchable: spent.photos.unfetchable,
                unreadable: spent.photos.unreadable,
                repeated: spent.photos.repeated,
                vetoed: spent.photos.vetoed,
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BudgetJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    runtime_ms: u64,
}

impl BudgetJson {
    fn new(limits: &Limits) -> Self {
        Self {
            search_calls: limits.searches_max,
            rekognition_calls: limits.recognitions_max,
            llm_calls: limits.planner_calls_max,
            runtime_ms: limits.runtime_ms_max,
        }
    }
}

#[derive(Serialize)]
struct StatusJson<'a> {
    state: &'static str,
    message: &'a str,
    hop: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    frontier: Option<PersonJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guess: Option<&'a str>,
    spent: SpentJson,
    budget: BudgetJson,
}

impl<'a> StatusJson<'a> {
    fn new(status: &'a Status) -> Self {
        Self {
            state: status.state.as_str(),
            message: &status.message,
            hop: status.hop,
            frontier: status.frontier.as_ref().map(PersonJson::new),
            side: status.side.map(Side::as_str),
            guess: status.guess.as_deref(),
            spent: SpentJson::new(&status.spent),
            budget: BudgetJson::new(&status.limits),
        }
    }
}

#[derive(Serialize)]
struct EvidenceEventJson<'a> {
    edge: EdgeJson<'a>,
}

#[derive(Serialize)]
struct PathUpdateJson<'a> {
    path: Vec<PersonJson<'a>>,
    hop: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FinalJson<'a> {
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

/// `{"from|to": 97.2}` in path order.
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
    fn new(report: &'a FinalReport) -> Self {
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
struct NoPathJson<'a> {
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
    fn new(report: &'a NoPathReport) -> Self {
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
struct ErrorJson<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'static str>,
    message: &'a str,
    retryable: bool,
    spent: SpentJson,
}

impl<'a> ErrorJson<'a> {
    fn new(report: &'a ErrorReport) -> Self {
        // Which product stands behind each role is the operator's choice of today.
        let provider = report.provider.map(|provider| match provider {
            Provider::Search => "google",
            Provider::Recogniser => "rekognition",
            Provider::Planner => "gemini",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_rfc_3339_in_utc_with_milliseconds() {
        assert_eq!(timestamp(Millis(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            timestamp(Millis(1_795_255_200_007)),
            "2026-11-21T10:00:00.007Z"
        );
        assert_eq!(timestamp(Millis(u64::MAX)), "1970-01-01T00:00:00.000Z");
    }
}
