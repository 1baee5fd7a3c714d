//! Calls to the objects of runs, keys and sessions.

use domain::{RunToken, Sha256Digest};
use engine::Problem;
use serde::Serialize;
use serde_json::value::to_raw_value;
use worker::{Env, Error, Method, Request, RequestInit, Response, Result, Stub};

use crate::auth::{KeyAnswer, KeyClaim, KeyRecord, KeyUse};
use crate::mcp_server::WatchedCall;
use crate::run_object::{
    ChildDeletion, CreateAnswer, CreationJson, DeletionCount, LiveRunCall, RunObjectCall,
    SessionCall,
};
use crate::transport::bindings::{self, in_time};
use crate::transport::failure::Failure;

/// The timeout of a call to a key's object, in milliseconds.
const KEY_MS_MAX: u64 = 10_000;
/// The timeout of a deletion, in milliseconds. Before a run is deleted, it has five seconds to stop, and then its
/// spending is reported to the budget.
const DELETION_MS_MAX: u64 = 25_000;

/// Calls the object of an existing run. If there is no run, the response is 410 if the object knows that there was one,
/// otherwise 404.
pub(crate) async fn call(env: &Env, run: &RunToken, call: LiveRunCall) -> Result<Response> {
    let stub = bindings::object(env, &run.to_string())?;
    post(&stub, &RunObjectCall::Live(call)).await
}

/// Streams the response to a tool call that watches this run.
pub(crate) async fn watch(env: &Env, run: &RunToken, call: WatchedCall) -> Result<Response> {
    let stub = bindings::object(env, &run.to_string())?;
    post(&stub, &RunObjectCall::Watch(call)).await
}

/// Returns whether a repeated call finds this run. It does if the run is in progress, or ended without a stop in the
/// last minute. Returns `None` if there is no such run.
pub(crate) async fn is_recent(env: &Env, run: &RunToken) -> Result<Option<bool>> {
    let mut answer = call(env, run, LiveRunCall::IsRecent).await?;
    Ok(match answer.status_code() {
        200 => Some(answer.text().await? == "true"),
        404 => None,
        _ => Some(false),
    })
}

/// Calls the object of an MCP session. Returns `None` if the session is not open. Otherwise returns the recorded run
/// that the call looks for, or an empty text if there is none.
pub(crate) async fn call_session(env: &Env, id: &str, call: SessionCall) -> Result<Option<String>> {
    let stub = bindings::object(env, &format!("session:{id}"))?;
    let call = RunObjectCall::Session(call);
    let mut answer = in_time(post(&stub, &call), KEY_MS_MAX).await?;
    if answer.status_code() == 404 {
        return Ok(None);
    }
    done(&answer)?;
    Ok(Some(answer.text().await?))
}

/// Begins a run unless it was begun before. Returns whether this call has begun it.
pub(crate) async fn create(
    env: &Env,
    run: &RunToken,
    creation: &CreationJson,
) -> Result<bool, Failure> {
    let stub = bindings::object(env, &run.to_string())?;
    let creation = RunObjectCall::Create(to_raw_value(creation)?);
    let mut created = post(&stub, &creation).await?;
    if created.status_code() != 200 {
        let detail = "The run could not be started; try again.";
        return Err(Problem::new(500, detail).into());
    }
    match serde_json::from_str(&created.text().await?)? {
        CreateAnswer::Begun => Ok(true),
        CreateAnswer::Found => Ok(false),
        CreateAnswer::Deleted => Err(key_of_deleted_run().into()),
        CreateAnswer::Refused(refusal) => Err(refusal.problem().into()),
        CreateAnswer::KeyTaken => {
            let detail =
                "Another request with this Idempotency-Key came at the same time; send it again.";
            Err(Problem::new(503, detail).after(1).into())
        }
    }
}

/// Returns the stored use of an idempotency key, or the intended use if none is stored. The refusal is a 409 if the
/// key's run was deleted.
pub(crate) async fn find_key(
    env: &Env,
    key: &Sha256Digest,
    wanted: &KeyUse,
) -> Result<KeyUse, Failure> {
    match call_key(env, key.as_str(), &RunObjectCall::FindKey(wanted.clone())).await? {
        KeyAnswer::Use(used_for) => Ok(used_for),
        KeyAnswer::Deleted => Err(key_of_deleted_run().into()),
    }
}

/// Claims an idempotency key for a run that begins now and expires at `expires_ms`. Returns `false` if another run
/// holds the key.
pub(crate) async fn claim_key(env: &Env, claim: &KeyClaim, expires_ms: u64) -> Result<bool> {
    let record = KeyRecord::new(claim.used_for.clone(), expires_ms);
    let answer = call_key(env, &claim.key, &RunObjectCall::ClaimKey(record)).await?;
    Ok(answer == KeyAnswer::Use(claim.used_for.clone()))
}

/// Makes the object of an idempotency key forget what the key was used for.
pub(crate) async fn drop_key(env: &Env, key: &str) -> Result<()> {
    let stub = bindings::object(env, &key_object(key))?;
    let answer = in_time(post(&stub, &RunObjectCall::DropKey), KEY_MS_MAX).await?;
    done(&answer)
}

/// Deletes a run because its parent run is deleted.
pub(crate) async fn delete_child(env: &Env, deletion: &ChildDeletion) -> Result<DeletionCount> {
    let stub = bindings::object(env, &deletion.run)?;
    let call = RunObjectCall::DeleteChild(deletion.clone());
    let mut answer = in_time(post(&stub, &call), DELETION_MS_MAX).await?;
    done(&answer)?;
    Ok(serde_json::from_str(&answer.text().await?)?)
}

fn key_of_deleted_run() -> Problem {
    let detail = "This Idempotency-Key started a run that was deleted; use a new key.";
    Problem::new(409, detail)
}

fn key_object(key: &str) -> String {
    format!("key:{key}")
}

async fn call_key(env: &Env, key: &str, call: &RunObjectCall) -> Result<KeyAnswer> {
    let stub = bindings::object(env, &key_object(key))?;
    let mut answer = in_time(post(&stub, call), KEY_MS_MAX).await?;
    done(&answer)?;
    Ok(serde_json::from_str(&answer.text().await?)?)
}

fn done(answer: &Response) -> Result<()> {
    match answer.status_code() {
        200 => Ok(()),
        status => Err(Error::RustError(format!("an object answers {status}"))),
    }
}

/// Sends a call to an object.
pub(crate) async fn post<T: Serialize>(stub: &Stub, call: &T) -> Result<Response> {
    let mut init = RequestInit::new();
    let call = serde_json::to_string(call)?;
    init.with_method(Method::Post).with_body(Some(call.into()));
    // The address does not matter, because the object is found by its name.
    let request = Request::new_with_init("https://object/", &init)?;
    stub.fetch_with_request(request).await
}
