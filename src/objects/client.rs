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

/// The time that a call to a key's object may take at most, in milliseconds.
const KEY_MS_MAX: u64 = 10_000;
/// The time that a deletion may take at most, in milliseconds: a run has five seconds to come to
/// rest, and then tells what it has spent.
const DELETION_MS_MAX: u64 = 25_000;

/// Calls the object of a run that is there. The answer is 410 where the object knows that the run
/// was there, else 404.
pub(crate) async fn call(env: &Env, run: &RunToken, call: LiveRunCall) -> Result<Response> {
    let stub = bindings::object(env, &run.to_string())?;
    post(&stub, &RunObjectCall::Live(call)).await
}

/// Streams the answer to a call of a tool, whose run is watched.
pub(crate) async fn watch(env: &Env, run: &RunToken, call: WatchedCall) -> Result<Response> {
    let stub = bindings::object(env, &run.to_string())?;
    post(&stub, &RunObjectCall::Watch(call)).await
}

/// Returns whether a call that is sent again means this run: it goes on, or has ended a moment ago. Returns `None`
/// where there is no such run.
pub(crate) async fn is_recent(env: &Env, run: &RunToken) -> Result<Option<bool>> {
    let mut answer = call(env, run, LiveRunCall::IsRecent).await?;
    Ok(match answer.status_code() {
        200 => Some(answer.text().await? == "true"),
        404 => None,
        _ => Some(false),
    })
}

/// Makes a call to the object of a session of an assistant. Returns `None` where the session is not open, else the run
/// that was asked for.
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

/// Begins a run, or finds it begun; or returns why it is refused. Returns whether this call has begun it.
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

/// Returns what an idempotency key was used for, or is about to be used for. The refusal is 409
/// where its run was deleted.
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

/// Takes an idempotency key for a run that begins now and expires at `expires_ms`. Returns `false`
/// where another run has the key.
pub(crate) async fn claim_key(env: &Env, claim: &KeyClaim, expires_ms: u64) -> Result<bool> {
    let record = KeyRecord::new(claim.used_for.clone(), expires_ms);
    let answer = call_key(env, &claim.key, &RunObjectCall::ClaimKey(record)).await?;
    Ok(answer == KeyAnswer::Use(claim.used_for.clone()))
}

/// Has an idempotency key forget what it was used for.
pub(crate) async fn drop_key(env: &Env, key: &str) -> Result<()> {
    let stub = bindings::object(env, &key_object(key))?;
    let answer = in_time(post(&stub, &RunObjectCall::DropKey), KEY_MS_MAX).await?;
    done(&answer)
}

/// Removes a run because the run that began it is removed.
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

/// Makes a call to an object.
pub(crate) async fn post<T: Serialize>(stub: &Stub, call: &T) -> Result<Response> {
    let mut init = RequestInit::new();
    let call = serde_json::to_string(call)?;
    init.with_method(Method::Post).with_body(Some(call.into()));
    // The object is addressed by its name.
    let request = Request::new_with_init("https://object/", &init)?;
    stub.fetch_with_request(request).await
}
