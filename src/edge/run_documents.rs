//! The documents that engines make of their runs, and the bytes that are kept beside runs.

use serde_json::Value;
use worker::{Response, Result, SqlStorage};

use domain::Sha256Digest;
use engine::Served;

use crate::engines::with_engine;
use crate::http::no_such_address;

use super::live_run::LiveRun;
use super::{artifact_table, replies};

/// Answers with the document of this name of the run as it is by now.
pub(super) fn answer(live: &LiveRun, name: &str) -> Result<Response> {
    match with_engine!(live.opened().engine(), E => made::<E>(live, name)) {
        Some(document) => replies::json(&document),
        None => replies::problem(&no_such_address()),
    }
}

fn made<E: Served>(live: &LiveRun, name: &str) -> Option<Value> {
    let document = E::RUN_DOCUMENT.filter(|document| document.name == name)?;
    let opened = live.opened().as_engine::<E>()?;
    Some((document.make)(&opened, &live.log().jsons()))
}

/// Answers with bytes that are kept beside the run.
pub(super) fn artifact(sql: &SqlStorage, digest: &Sha256Digest) -> Result<Response> {
    match artifact_table::find(sql, digest)? {
        Some((kind, bytes)) => replies::artifact(bytes, &kind),
        None => replies::problem(&no_such_address()),
    }
}
