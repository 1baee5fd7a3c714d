//! The JSON of notices: one line for each event.

use serde::Serialize;

use domain::Side;
use platform::events::{WireEvent, timestamp};

use crate::machine::{Notice, NoticeKind, Status};

use super::capture::PageCaptureJson;
use super::evidence::EdgeJson;
use super::last_event::{ErrorJson, FinalJson, NoPathJson};
use super::person::{PersonJson, people};
use super::spent::{BudgetJson, SpentJson};

/// Writes a notice as the run's event of this number.
pub fn wire_event(run: &str, number: u32, notice: &Notice) -> Result<WireEvent, serde_json::Error> {
    let (kind, json) = match &notice.kind {
        NoticeKind::Status(status) => (
            "status",
            write(run, notice, "status", &StatusJson::new(status)),
        ),
        NoticeKind::Evidence(edge) => {
            let body = EvidenceEventJson {
                edge: EdgeJson::new(edge),
            };
            ("evidence", write(run, notice, "evidence", &body))
        }
        NoticeKind::PathUpdate(path) => {
            let body = PathUpdateJson {
                path: people(path),
                hop: path.len().saturating_sub(1),
            };
            ("path_update", write(run, notice, "path_update", &body))
        }
        NoticeKind::PageCapture(report) => (
            "page_capture",
            write(run, notice, "page_capture", &PageCaptureJson::new(report)),
        ),
        NoticeKind::Final(report) => (
            "final",
            write(run, notice, "final", &FinalJson::new(report)),
        ),
        NoticeKind::NoPath(report) => (
            "no_path",
            write(run, notice, "no_path", &NoPathJson::new(report)),
        ),
        NoticeKind::Error(report) => (
            "error",
            write(run, notice, "error", &ErrorJson::new(report)),
        ),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    hinted: Option<Vec<Vec<PersonJson<'a>>>>,
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
            hinted: status.hinted.as_ref().map(|hinted| {
                let hinted = hinted.iter();
                hinted.map(|two| people(two)).collect()
            }),
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
