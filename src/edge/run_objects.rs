//! Calls the objects of runs, of idempotency keys, and of sessions of assistants.

use serde::Serialize;
use worker::{Env, Error, Method, Request, RequestInit, Response, Result, Stub};

use domain::{RunToken, Sha256Digest};
use engine::Problem;

use crate::door::{KeyAnswer, KeyClaim, KeyRecord, KeyUse};
use crate::run_object::{
    ChildDeletion, CreateAnswer, CreationJson, DeletionCount, LiveRunCall, RunObjectCall,
    SessionCall,
};
use crate::watched_call::WatchedCall;

use super::budget::in_time;
use super::environment;

/// The time that a call to a key's object may take at most, in milliseconds.
const KEY_MS_MAX: u64 = 10_000;
/// The time that a deletion may take at most, in milliseconds: a run has five seconds to come to
/// rest, and then tells what it has spent.
const DELETION_MS_MAX: u64 = 25_000;

/// Calls the object of a run that is there. The answer is 410 where the object knows that the run
/// was there, else 404.
pub(super) async fn call(env: &Env, run: &RunToken, call: LiveRunCall) -> Result<Response> {
    let stub = environment::object(env, &run.to_string())?;
    stub.fetch_with_str(&RunObjectCall::Live(call).address())
        .await
}

/// Streams the answer to a call of a tool, whose run is watched.
pub(super) async fn watch(env: &Env, run: &RunToken, call: &WatchedCall) -> Result<Response> {
    let stub = environment::object(env, &run.to_string())?;
    post_text(&stub, &RunObjectCall::Watch, call.to_text()).await
}

/// Returns whether a call that is sent again means this run: it goes on, or has ended a moment ago. Returns `None`
/// where there is no such run.
pub(super) async fn is_recent(env: &Env, run: &RunToken) -> Result<Option<bool>> {
    let mut answer = call(env, run, LiveRunCall::IsRecent).await?;
    Ok(match answer.status_code() {
        200 => Some(answer.text().await? == "true"),
        404 => None,
        _ => Some(false),
    })
}

/// Makes a call to the object of a session of an assistant. Returns `None` where the session is not open, else the run
/// that was asked for.
pub(super) async fn call_session(env: &Env, id: &str, call: SessionCall) -> Result<Option<String>> {
    let stub = environment::object(env, &format!("session:{id}"))?;
    let address = RunObjectCall::Session(call).address();
    let mut answer = in_time(stub.fetch_with_str(&address), KEY_MS_MAX).await?;
    if answer.status_code() == 404 {
        return Ok(None);
    }
    done(&answer)?;
    Ok(Some(answer.text().await?))
}

/// Begins a run, or finds it begun; or returns why it is refused. Returns whether this call has begun it.
pub(super) async fn create(
    env: &Env,
    run: &RunToken,
    creation: &CreationJson,
) -> Result<std::result::Result<bool, Problem>> {
    let stub = environment::object(env, &run.to_string())?;
    let mut created = post(&stub, RunObjectCall::Create, creation).await?;
    if created.status_code() != 200 {
        let detail = "The run could not be started; try again.";
        return Ok(Err(Problem::new(500, detail)));
    }
    let answer: CreateAnswer = serde_json::from_str(&created.text().await?)?;
    Ok(match answer {
        CreateAnswer::Begun => Ok(true),
        CreateAnswer::Found => Ok(false),
        CreateAnswer::Deleted => Err(key_of_deleted_run()),
        CreateAnswer::Refused(refusal) => Err(refusal.problem()),
        CreateAnswer::KeyTaken => {
            let detail =
                "Another request with this Idempotency-Key came at the same time; send it again.";
            Err(Problem::new(503, detail).after(1))
        }
    })
}

/// Returns what an idempotency key was used for, or is about to be used for. The refusal is 409
/// where its run was deleted.
pub(super) async fn find_key(
    env: &Env,
    key: &Sha256Digest,
    wanted: &KeyUse,
) -> Result<std::result::Result<KeyUse, Problem>> {
    let answer = call_key(env, key.as_str(), RunObjectCall::FindKey, wanted).await?;
    Ok(match answer {
        KeyAnswer::Use(used_for) => Ok(used_for),
        KeyAnswer::Deleted => Err(key_of_deleted_run()),
    })
}

/// Takes an idempotency key for a run that begins now and expires at `expires_ms`. Returns `false`
/// where another run has the key.
pub(super) async fn claim_key(env: &Env, claim: &KeyClaim, expires_ms: u64) -> Result<bool> {
    let record = KeyRecord::new(claim.used_for.clone(), expires_ms);
    let answer = call_key(env, &claim.key, RunObjectCall::ClaimKey, &record).await?;
    Ok(answer == KeyAnswer::Use(claim.used_for.clone()))
}

/// Has an idempotency key forget what it was used for.
pub(super) async fn drop_key(env: &Env, key: &str) -> Result<()> {
    let stub = environment::object(env, &key_object(key))?;
    let answer = in_time(post(&stub, RunObjectCall::DropKey, &()), KEY_MS_MAX).await?;
    done(&answer)
}

/// Removes a run because the run that began it is removed.
pub(super) async fn delete_child(env: &Env, deletion: &ChildDeletion) -> Result<DeletionCount> {
    let stub = environment::object(env, &deletion.run)?;
    let deleted = post(&stub, RunObjectCall::DeleteChild, deletion);
    let mut answer = in_time(deleted, DELETION_MS_MAX).await?;
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

async fn call_key<T: Serialize>(
    env: &Env,
    key: &str,
    call: RunObjectCall,
    body: &T,
) -> Result<KeyAnswer> {
    let stub = environment::object(env, &key_object(key))?;
    let mut answer = in_time(post(&stub, call, body), KEY_MS_MAX).await?;
    done(&answer)?;
    Ok(serde_json::from_str(&answer.text().await?)?)
}

fn done(answer: &Response) -> Result<()> {
    match answer.status_code() {
        200 => Ok(()),
        status => Err(Error::RustError(format!("an object answers {status}"))),
    }
}

async fn post<T: Serialize>(stub: &Stub, call: RunObjectCall, body: &T) -> Result<Response> {
    post_text(stub, &call, serde_json::to_string(body)?).await
}

async fn post_text(stub: &Stub, call: &RunObjectCall, body: String) -> Result<Response> {
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(body.into()));
    let request = Request::new_with_init(&call.address(), &init)?;
    stub.fetch_with_request(request).await
}
