//! Runs that a run begins: each has an object of its own and belongs to the starter of the run that
//! began it.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use worker::{Env, Result, SqlStorage};

use domain::RunToken;
use platform::{ChildRefusal, TransportError};

use crate::door::Requester;
use crate::engines::OpenedRun;
use crate::run_object::{CreationJson, LiveRunCall, Starter};

use super::run_beginning::creator_key;
use super::{json_table, run_objects};

/// The name under which is stored who started a run.
const STARTER_NAME: &str = "starter";

/// Keeps who started a run: the runs that it begins have the same starter.
pub(super) fn keep_starter(sql: &SqlStorage, starter: &Starter) -> Result<()> {
    json_table::put(sql, STARTER_NAME, starter)
}

/// Begins a run for the starter of this object's run.
pub(super) async fn begin(
    env: &Env,
    sql: &SqlStorage,
    parent: &OpenedRun,
    run: &RunToken,
    order: &str,
) -> std::result::Result<(), ChildRefusal> {
    let unreachable = |_| ChildRefusal::Unreachable;
    let order = RawValue::from_string(order.to_owned());
    let order =
        order.map_err(|_| ChildRefusal::Refused("The run's order cannot be read.".to_owned()))?;
    let starter: Option<Starter> = json_table::get(sql, STARTER_NAME).map_err(unreachable)?;
    let creation = CreationJson {
        run: run.to_string(),
        order,
        creator: creator_key(sql).map_err(unreachable)?,
        fork: None,
        secrets: BTreeMap::default(),
        host: parent.host().map(str::to_owned),
        key: None,
        kept_until_ms: Some(parent.expires_ms()),
        starter: starter.map(|starter| Starter {
            limits: starter.limits.of_child(),
            ..starter
        }),
    };
    match run_objects::create(env, run, &creation).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(problem)) if problem.status() < 500 => {
            Err(ChildRefusal::Refused(problem.detail().to_owned()))
        }
        Ok(Err(_)) | Err(_) => Err(ChildRefusal::Unreachable),
    }
}

/// Returns the last event of a run, once it is there.
pub(super) async fn end(env: &Env, run: &RunToken) -> std::result::Result<String, TransportError> {
    let broken = |_| TransportError::Broken;
    let answer = run_objects::call(env, run, LiveRunCall::Last).await;
    let mut answer = answer.map_err(broken)?;
    if answer.status_code() != 200 {
        return Err(TransportError::Broken);
    }
    answer.text().await.map_err(broken)
}

/// Asks a run to end.
pub(super) async fn stop(env: &Env, run: &RunToken) {
    let stop = LiveRunCall::Stop(Requester::Operator);
    if let Err(error) = run_objects::call(env, run, stop).await {
        worker::console_warn!("a run that another run began could not be stopped: {error}");
    }
}
