//! Runs that a workflow begins: each in an object of its own, for whoever began the workflow.

use worker::{Env, Result, SqlStorage};

use crate::journal::{OpenedRun, Order};
use crate::session::{
    ChildRefusal, Creation, LiveRunCall, Requester, RunToken, Starter, TransportError,
};

use super::run_beginning::creator_key;
use super::{json_table, run_objects};

/// Under this name stands who started a run.
const STARTER_NAME: &str = "starter";

/// Keeps who starts a run: the runs that it begins are theirs.
pub(super) fn keep_starter(sql: &SqlStorage, starter: &Starter) -> Result<()> {
    json_table::put(sql, STARTER_NAME, starter)
}

/// Begins a run for whoever began the run of this object.
pub(super) async fn begin(
    env: &Env,
    sql: &SqlStorage,
    parent: &OpenedRun,
    run: &RunToken,
    order: Order,
) -> std::result::Result<(), ChildRefusal> {
    let unreachable = |_| ChildRefusal::Unreachable;
    let starter: Option<Starter> = json_table::get(sql, STARTER_NAME).map_err(unreachable)?;
    let creation: Creation = Creation {
        run: run.to_string(),
        order,
        creator: creator_key(sql).map_err(unreachable)?,
        fork: None,
        host: parent.host().map(str::to_owned),
        key: None,
        kept_until_ms: Some(parent.expires_ms()),
        starter: starter.map(|starter| Starter {
            limits: starter.limits.of_child(),
            ..starter
        }),
    };
    match run_objects::create(env, run, &creation).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(problem)) if problem.status() < 500 => {
            Err(ChildRefusal::Refused(problem.detail().to_owned()))
        }
        Ok(Err(_)) | Err(_) => Err(ChildRefusal::Unreachable),
    }
}

/// Its last event, once it is there.
pub(super) async fn end(env: &Env, run: &RunToken) -> std::result::Result<String, TransportError> {
    let broken = |_| TransportError::Broken;
    let answer = run_objects::call(env, run, LiveRunCall::Last).await;
    let mut answer = answer.map_err(broken)?;
    if answer.status_code() != 200 {
        return Err(TransportError::Broken);
    }
    answer.text().await.map_err(broken)
}

/// Asks it to end.
pub(super) async fn stop(env: &Env, run: &RunToken) {
    let stop = LiveRunCall::Stop(Requester::Operator);
    if let Err(error) = run_objects::call(env, run, stop).await {
        worker::console_warn!("a run that a workflow began could not be stopped: {error}");
    }
}
