//! The sessions of assistants: each has an object, which knows which runs its requests wait for. On the other side,
//! the calls to such an object.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use worker::{Env, Response, Result, State};

use crate::run_object::{SessionCall, find_call, find_run, note_call};

use super::run_keys::random;
use super::{json_table, run_objects};

/// The name under which a session is stored.
const SESSION_NAME: &str = "session";
/// The time after which a session is forgotten in which nothing was begun.
const SESSION_TIME: Duration = Duration::from_hours(24);

/// Does what a call says with the session of this object.
pub(super) async fn answer(state: &State, call: SessionCall) -> Result<Response> {
    let storage = state.storage();
    let sql = storage.sql();
    let kept: Option<Value> = json_table::get(&sql, SESSION_NAME)?;
    let is_opened = call == SessionCall::Open;
    let Some(mut session) = kept.or_else(|| is_opened.then(|| json!([]))) else {
        return Response::error("no such session", 404);
    };
    match call {
        SessionCall::Check => {}
        SessionCall::Find(request) => {
            return Response::ok(find_call(&session, &request).unwrap_or_default());
        }
        SessionCall::FindRun(run) => {
            return Response::ok(find_run(&session, &run).unwrap_or_default());
        }
        SessionCall::Close => storage.delete_all().await?,
        SessionCall::Open | SessionCall::Note { .. } => {
            if let SessionCall::Note { request, run } = call {
                note_call(&mut session, &request, &run);
            }
            json_table::put(&sql, SESSION_NAME, &session)?;
            storage.set_alarm(SESSION_TIME).await?;
        }
    }
    Response::ok("")
}

/// Begins a session, and returns its id.
pub(super) async fn open(env: &Env) -> Result<String> {
    let id = URL_SAFE_NO_PAD.encode(random()?);
    run_objects::call_session(env, &id, SessionCall::Open).await?;
    Ok(id)
}

/// Returns whether a session is open.
pub(super) async fn is_open(env: &Env, id: &str) -> Result<bool> {
    let answer = run_objects::call_session(env, id, SessionCall::Check).await?;
    Ok(answer.is_some())
}
