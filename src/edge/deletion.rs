//! Removes a run before its time: out of its object at once, and out of KV, which may still get a
//! document that was on its way. That a run was here is known until it would have expired, so that
//! its idempotency key does not begin it again.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use worker::{Env, Result, SqlStorage, State};

use crate::domain::Sha256Digest;
use crate::session::{Problem, RunToken, Unended};

use super::alarm::{AlarmConductor, try_later};
use super::clock::{now_ms, sleep};
use super::live_run::LiveRun;
use super::{
    artifact_table, chains, event_table, journal_table, json_table, records, run_log, sealing,
    settling, tombstones,
};

/// Under this name stands that a run was deleted.
const DELETED_NAME: &str = "deleted";
/// Writes that were on their way have arrived or failed by then, and lists of keys are up to date.
const SWEPT_AGAIN: Duration = Duration::from_secs(70);

/// A run that is to be deleted has five seconds to come to rest; it is looked at so often.
const REST_LOOKS_MAX: u32 = 100;
const REST_LOOK_MS: u64 = 50;

/// What is left of a run that was deleted.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeletedRun {
    run: String,
    expires_ms: u64,
    is_swept: bool,
    /// The digest of what was published of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published: Option<String>,
}

/// Whether a run was deleted here.
pub(super) fn is_deleted(sql: &SqlStorage) -> Result<bool> {
    Ok(json_table::get::<DeletedRun>(sql, DELETED_NAME)?.is_some())
}

/// Ends the run, settles what it has spent and removes it, and its documents as far as they are
/// listed now. `forget` drops what the object knows of it.
pub(super) async fn delete(
    state: &State,
    env: &Env,
    conductor: &AlarmConductor,
    live: &LiveRun,
    forget: impl Fn(),
) -> Result<std::result::Result<(), Problem>> {
    let storage = state.storage();
    let sql = storage.sql();
    bring_to_rest(&sql, conductor, live).await?;
    if !settling::settle(&sql, env).await? {
        try_later(state).await?;
        let detail = "What the run has spent could not be told to the budget of the day yet, so it \
                      is still here; delete it again in a minute.";
        return Ok(Err(Problem::new(503, detail).after(60)));
    }
    run_log::tell_once(&sql, env, live, Unended::Deleted)?;
    let deleted = DeletedRun {
        run: live.opened().run().to_owned(),
        expires_ms: live.opened().expires_ms(),
        is_swept: false,
        published: sealing::published(&sql)?.map(|digest| digest.to_string()),
    };
    // Nothing can come between these: they are one step for the platform.
    forget();
    artifact_table::remove(&sql)?;
    journal_table::remove(&sql)?;
    event_table::remove(&sql)?;
    json_table::remove_all(&sql)?;
    json_table::put(&sql, DELETED_NAME, &deleted)?;
    run_log::note_told(&sql)?;
    live.log().delete();
    storage.set_alarm(SWEPT_AGAIN).await?;
    if let Err(error) = sweep(env, &deleted).await {
        worker::console_error!("a run could not be deleted whole: {error}");
        let detail = "The run is deleted; some of its documents could not be removed yet. That is \
                      tried again within two minutes.";
        return Ok(Err(Problem::new(503, detail).after(120)));
    }
    Ok(Ok(()))
}

/// Stops the run and waits for its last write: so the budget gets back what was not spent. Who
/// takes longer is cut off.
async fn bring_to_rest(sql: &SqlStorage, conductor: &AlarmConductor, live: &LiveRun) -> Result<()> {
    if !live.log().is_ended() {
        live.stop(sql)?;
    }
    for _ in 0..REST_LOOKS_MAX {
        if live.log().is_ended() && !conductor.is_at_work() {
            break;
        }
        sleep(REST_LOOK_MS).await;
    }
    conductor.cut_off();
    Ok(())
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
    let published = deleted.published.as_deref().and_then(Sha256Digest::parse);
    let unpublished = match published {
        Some(digest) => chains::remove(env, &digest).await,
        None => Ok(()),
    };
    // It was read before the run began.
    let Ok(run) = RunToken::parse(&deleted.run) else {
        return unpublished;
    };
    records::remove(env, &run).await?;
    tombstones::note(env, &deleted.run).await;
    unpublished
}
