//! What a workflow's run has told, as one archive.

use worker::{Response, Result, SqlStorage};

use crate::journal::OpenedRun;
use crate::session::{Problem, TRACE_CONTENT_TYPE, trace_archive};

use super::live_run::LiveRun;
use super::{artifact_table, replies};

/// The archive, of the run as it is by now; of a search there is none.
pub(super) fn answer(sql: &SqlStorage, live: &LiveRun) -> Result<Response> {
    let OpenedRun::Workflow(opened) = live.opened() else {
        let detail =
            "This run is a search; what it has told is its events, GET /runs/{run}/events.";
        return replies::problem(&Problem::new(409, detail));
    };
    let artifact = |digest: &_| artifact_table::get(sql, digest).ok().flatten();
    match trace_archive(opened, &live.log().jsons(), artifact) {
        Some(bytes) => {
            let name = format!("{}.trace.tar", opened.run);
            replies::download_bytes(bytes, TRACE_CONTENT_TYPE, &name)
        }
        None => replies::problem(&Problem::new(500, "The trace could not be written.")),
    }
}
