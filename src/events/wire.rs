//! Events: from a notice to a line of JSON.

use serde::Serialize;

use crate::domain::Side;
use crate::investigation::{Notice, NoticeKind, Status};

use super::evidence::EdgeJson;
use super::last_event::{ErrorJson, FinalJson, NoPathJson};
use super::person::{PersonJson, people};
use super::spent::{BudgetJson, SpentJson};
use super::timestamp::timestamp;
use super::workflow_kinds as workflow;

/// The kinds of an investigation's events, those that go on and those that end it.
const GOES_ON: [&str; 3] = ["status", "evidence", "path_update"];
const ENDS: [&str; 3] = ["final", "no_path", "error"];

/// One event, ready to be stored and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    /// The run's public token.
    pub run: String,
    /// 1, 2, 3, ... without gaps.
    pub number: u32,
    /// `status`, `evidence`, `path_update`, `final`, `no_path` or `error`; of a workflow one of its
    /// trace's.
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
        let goes_on = GOES_ON.into_iter().chain(workflow::GOES_ON);
        let goes_on = goes_on.map(|kind| (kind, false));
        let ends = ENDS.into_iter().chain(workflow::ENDS);
        let mut kinds = goes_on.chain(ends.map(|kind| (kind, true)));
        let (kind, is_last) = kinds.find(|(known, _)| *known == kind)?;
        Some(Self {
            run: run.to_owned(),
            number,
            kind,
            json,
            is_last,
        })
    }

    /// Of a last event: the reason of `no_path` or of a workflow's `failed`, the code of `error`.
    #[must_use]
    pub fn because(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Because {
            reason: Option<String>,
            code: Option<String>,
            #[serde(default)]
            payload: Payload,
        }
        /// Of a workflow.
        #[derive(Default, serde::Deserialize)]
        struct Payload {
            reason: Option<String>,
        }
        let because: Because = serde_json::from_str(&self.json).ok()?;
        let reason = because.reason.or(because.payload.reason);
        reason.or(because.code).filter(|_| self.is_last)
    }
}

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
