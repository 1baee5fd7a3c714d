//! The events that an investigation sends to its viewers: one line of JSON each.

mod evidence;

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use domain::Provider;
use kernel::Millis;
use platform::events::{EventKinds, WireEvent, timestamp};

use crate::machine::{
    CertificateReport, EdgeReport, ErrorCode, ErrorReport, FinalReport, GraphReport, Notice,
    NoticeKind, OtherPathReport, PersonRef, Spent,
};

pub(crate) use evidence::{budget, dollars, photos_by_reference, remembered_from};

/// The kinds of events that an investigation sends.
pub const KINDS: EventKinds = EventKinds {
    goes_on: &["status", "evidence", "path_update", "page_capture"],
    ends: &["final", "no_path", "error"],
};

/// The sentence in every final chain.
const DISCLAIMER: &str = "This shows that these people were seen together in public photos, not that they know each other.";

/// The message of an interrupted run that cannot go on.
const MESSAGE: &str = "The run was interrupted on the server and can't go on; what was verified \
                       until then is above, and a fork of it pays for nothing twice. Start it again.";

/// Converts a notice to the run's event with this number.
pub fn wire_event(run: &str, number: u32, notice: &Notice) -> Result<WireEvent, serde_json::Error> {
    let (kind, json) = match &notice.kind {
        NoticeKind::Status(status) => ("status", write(run, notice, "status", status)),
        NoticeKind::Evidence(edge) => {
            let body = BTreeMap::from([("edge", edge)]);
            ("evidence", write(run, notice, "evidence", &body))
        }
        NoticeKind::PathUpdate(path) => {
            let body = PathUpdateJson {
                path,
                hop: path.len().saturating_sub(1),
            };
            ("path_update", write(run, notice, "path_update", &body))
        }
        NoticeKind::PageCapture(report) => {
            ("page_capture", write(run, notice, "page_capture", report))
        }
        NoticeKind::Final(report) => {
            let body = FinalJson::new(report);
            ("final", write(run, notice, "final", &body))
        }
        NoticeKind::NoPath(report) => ("no_path", write(run, notice, "no_path", report)),
        NoticeKind::Error(report) => {
            let body = ErrorJson::new(report);
            ("error", write(run, notice, "error", &body))
        }
    };
    Ok(WireEvent {
        run: run.to_owned(),
        number,
        kind,
        json: json?,
        is_last: notice.kind.is_last(),
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

#[derive(Serialize)]
struct PathUpdateJson<'a> {
    path: &'a [PersonRef],
    hop: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FinalJson<'a> {
    path: &'a [PersonRef],
    edges: &'a [EdgeReport],
    confidence_map: ConfidenceMapJson<'a>,
    certificate: &'a CertificateReport,
    other_paths: &'a [OtherPathReport],
    graph: &'a GraphReport,
    spent: &'a Spent,
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
    serializer.collect_map(edges.iter().map(|edge| {
        let pair = format!("{}|{}", edge.from.id, edge.to.id);
        (pair, edge.confidence)
    }))
}

impl<'a> FinalJson<'a> {
    fn new(report: &'a FinalReport) -> Self {
        Self {
            path: &report.path,
            edges: &report.edges,
            confidence_map: ConfidenceMapJson {
                edges: &report.edges,
                bottleneck: report.bottleneck,
                cumulative: report.cumulative,
            },
            certificate: &report.certificate,
            other_paths: &report.other_paths,
            graph: &report.graph,
            spent: &report.spent,
            disclaimer: DISCLAIMER,
        }
    }
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    code: ErrorCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'a str>,
    message: &'a str,
    retryable: bool,
    spent: &'a Spent,
}

impl<'a> ErrorJson<'a> {
    fn new(report: &'a ErrorReport) -> Self {
        let provider = report.provider.as_ref().map(|provider| {
            // Stored runs of older versions have no provider id, because each role then had only one provider.
            provider.id.as_deref().unwrap_or(match provider.role {
                Provider::Search => "google",
                Provider::Recogniser => "rekognition",
                Provider::Planner => "gemini",
            })
        });
        Self {
            code: report.code,
            provider,
            message: &report.message,
            retryable: report.code.is_retryable(),
            spent: &report.spent,
        }
    }
}

/// Returns the last event of a run that cannot go on: an `error` with the code `internal`, and what the run has spent
/// according to its stored events.
#[must_use]
pub fn interrupted_event(
    run: &str,
    number: u32,
    now: Millis,
    stored_events: impl DoubleEndedIterator<Item = impl AsRef<str>>,
) -> WireEvent {
    let spent = stored_events.rev().find_map(|json| {
        let event: Value = serde_json::from_str(json.as_ref()).ok()?;
        event.get("spent").cloned()
    });
    let body = json!({
        "type": "error",
        "runId": run,
        "timestamp": timestamp(now),
        "code": "internal",
        "message": MESSAGE,
        "retryable": true,
        "spent": spent.unwrap_or_else(|| json!({})),
    });
    WireEvent {
        run: run.to_owned(),
        number,
        kind: "error",
        json: body.to_string(),
        is_last: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_what_was_spent_last() {
        let stored = [
            r#"{"type":"status","spent":{"searchCalls":1}}"#,
            r#"{"type":"status","spent":{"searchCalls":2}}"#,
            r#"{"type":"path_update"}"#,
        ];
        let event = interrupted_event("s1.k", 4, Millis(0), stored.iter());
        let json: Value = serde_json::from_str(&event.json).unwrap();
        assert_eq!(json["spent"]["searchCalls"], 2);
        assert_eq!(
            (json["code"].as_str(), event.is_last),
            (Some("internal"), true)
        );
        let nothing = interrupted_event("s1.k", 1, Millis(0), [""; 0].iter());
        assert!(nothing.json.contains(r#""spent":{}"#));
    }
}
