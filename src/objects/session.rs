//! The part of the objects' class that serves an MCP session.

use std::time::Duration;

use serde_json::{Value, json};
use worker::{Response, State};

use crate::run_object::{SessionCall, find_call, find_run, note_call};
use crate::storage::json_table;
use crate::transport::failure::Result;

/// The name under which a session is stored.
const SESSION_NAME: &str = "session";
/// How long a session remains open without a new run.
const SESSION_TIME: Duration = Duration::from_hours(24);

/// Executes a call on this object's session.
pub(crate) async fn in_session(state: &State, call: SessionCall) -> Result<Response> {
    let storage = state.storage();
    let sql = storage.sql();
    let kept: Option<Value> = json_table::get(&sql, SESSION_NAME)?;
    let is_opened = call == SessionCall::Open;
    let Some(mut session) = kept.or_else(|| is_opened.then(|| json!([]))) else {
        return Ok(Response::error("no such session", 404)?);
    };
    match call {
        SessionCall::Check => {}
        SessionCall::Find(request) => {
            return Ok(Response::ok(
                find_call(&session, &request).unwrap_or_default(),
            )?);
        }
        SessionCall::FindRun(run) => {
            return Ok(Response::ok(find_run(&session, &run).unwrap_or_default())?);
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
    Ok(Response::ok("")?)
}
