//! The archive of what a run has told.

use worker::{Response, Result, SqlStorage};

use engine::{Problem, Served};

use crate::engines::with_engine;

use super::live_run::LiveRun;
use super::{artifact_table, replies};

/// The archive's content type.
const CONTENT_TYPE: &str = "application/x-tar";

/// Answers with the archive of the run as it is by now.
pub(super) fn answer(sql: &SqlStorage, live: &LiveRun) -> Result<Response> {
    match with_engine!(live.opened().engine(), E => archive::<E>(sql, live)) {
        Ok(bytes) => {
            let name = format!("{}.trace.tar", live.opened().run());
            replies::download_bytes(bytes, CONTENT_TYPE, &name)
        }
        Err(problem) => replies::problem(&problem),
    }
}

fn archive<E: Served>(sql: &SqlStorage, live: &LiveRun) -> std::result::Result<Vec<u8>, Problem> {
    let Some(opened) = live.opened().as_engine::<E>() else {
        return Err(Problem::new(500, "The run's order cannot be read."));
    };
    let artifact = |digest: &_| artifact_table::get(sql, digest).ok().flatten();
    E::trace(&opened, &live.log().jsons(), &artifact)
}
