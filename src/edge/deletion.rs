//! Removes a run before its time: out of its object at once, and out of KV, which may still get a
//! document that was on its way. That a run was here is known until it would have expired, so that
//! its idempotency key does not begin it again.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use worker::{Env, Result, SqlStorage, State};

use crate::session::RunToken;

use super::clock::now_ms;
use super::live_run::LiveRun;
use super::{event_table, journal_table, json_table, records};

/// Under this name stands that a run was deleted.
const DELETED_NAME: &str = "deleted";
/// Writes that were on their way have arrived or failed by then, and lists of keys are up to date.
const SWEPT_AGAIN: Duration = Duration::from_secs(70);

/// What is left of a run that was deleted.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeletedRun {
    run: String,
    expires_ms: u64,
    is_swept: bool,
}

/// Whether a run was deleted here.
pub(super) fn is_deleted(sql: &SqlStorage) -> Result<bool> {
    Ok(json_table::get::<DeletedRun>(sql, DELETED_NAME)?.is_some())
}

/// Removes the run, and its documents as far as they are listed now. Nothing may write for it any
/// more, and what it has spent is settled.
pub(super) async fn delete(state: &State, env: &Env, live: &LiveRun) -> Result<()> {
    let storage = state.storage();
    let sql = storage.sql();
    let deleted = DeletedRun {
        run: live.opened().run.clone(),
        expires_ms: live.opened().expires_ms,
        is_swept: false,
    };
    // Nothing can come between these: they are one step for the platform.
    journal_table::remove(&sql)?;
    event_table::remove(&sql)?;
    json_table::remove_all(&sql)?;
    json_table::put(&sql, DELETED_NAME, &deleted)?;
    storage.set_alarm(SWEPT_AGAIN).await?;
    sweep(env, &deleted).await
}

/// In the alarm of a run that was deleted: removes its documents once more, and at last that it
/// was. False where none was deleted here.
pub(super) async fn go_on(state: &State, env: &Env) -> Result<bool> {
    let storage = state.storage();
    let sql = storage.sql();
    let Some(deleted) = json_table::get::<DeletedRun>(&sql, DELETED_NAME)? else {
        return Ok(false);
    };
    let left_ms = deleted.expires_ms.saturating_sub(now_ms());
    if !deleted.is_swept {
        if let Err(error) = sweep(env, &deleted).await {
            worker::console_error!("documents of a deleted run could not be removed yet: {error}");
            storage.set_alarm(SWEPT_AGAIN).await?;
            return Ok(true);
        }
        let swept = DeletedRun {
            is_swept: true,
            ..deleted
        };
        json_table::put(&sql, DELETED_NAME, &swept)?;
    }
    if left_ms == 0 {
        storage.delete_all().await?;
    } else {
        storage.set_alarm(Duration::from_millis(left_ms)).await?;
    }
    Ok(true)
}

async fn sweep(env: &Env, deleted: &DeletedRun) -> Result<()> {
    // It was read before the run began.
    let Ok(run) = RunToken::parse(&deleted.run) else {
        return Ok(());
    };
    records::remove(env, &run).await
}
