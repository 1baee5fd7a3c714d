//! Deletes a run early, with its child runs and its published files. Its documents in KV are removed at once and again
//! later, because writes in flight may still arrive. The object remembers the deletion until the run would have
//! expired, so that the run's idempotency key does not begin it again.

use std::time::Duration;

use domain::RunToken;
use engine::Problem;
use futures::StreamExt as _;
use worker::{Env, Response, Result, SqlStorage, State};

use crate::engines::with_engine;
use crate::run_object::{ChildDeletion, DeletedRun, DeletionCount, Remainder, children_of};
use crate::run_summary::Unended;
use crate::storage::{artifact_table, chains, documents, event_table, journal_table, json_table};
use crate::transport::bindings::{now_ms, sleep};
use crate::transport::failure::Failure;
use crate::transport::replies;

use super::alarm::{self, AlarmConductor, try_later};
use super::beginning::claimed_key;
use super::client::{delete_child, drop_key};
use super::live_run::LiveRun;
use super::publication;

/// The name under which the object stores that its run was deleted.
const DELETED_NAME: &str = "deleted";
/// The delay before a deleted run's documents are removed once more. By then, writes in flight have arrived or failed,
/// and key listings are up to date.
const SWEPT_AGAIN: Duration = Duration::from_secs(70);

/// The most polls of a run that is being deleted. The next constant is the pause between two polls, in milliseconds.
/// Together they give the run five seconds to stop.
const REST_LOOKS_MAX: u32 = 100;
const REST_LOOK_MS: u64 = 50;
/// The number of concurrent removals. The platform allows an object six open requests.
const REMOVALS_AT_ONCE: usize = 5;

/// Returns whether the run of this object was deleted.
pub(crate) fn is_deleted(sql: &SqlStorage) -> Result<bool> {
    Ok(json_table::get::<DeletedRun>(sql, DELETED_NAME)?.is_some())
}

/// Deletes the object's run and its child runs. The response is a 204 if the run has no child runs to delete. Otherwise
/// it is a [`DeletionCount`] with status 200, or 202 if some child runs have not answered. `forget` drops the object's
/// cached run.
pub(crate) async fn answer(
    state: &State,
    env: &Env,
    conductor: &AlarmConductor,
    live: &LiveRun,
    forget: impl Fn(),
) -> Result<Response, Failure> {
    match delete(state, env, conductor, live, forget).await? {
        DeletionCount {
            deleted: 1,
            pending: 0,
        } => Ok(Response::empty()?.with_status(204)),
        count => {
            let status = if count.pending == 0 { 200 } else { 202 };
            Ok(replies::json(&count)?.with_status(status))
        }
    }
}

/// Deletes the object's run because its parent run is deleted.
pub(crate) async fn answer_as_child(
    state: &State,
    env: &Env,
    conductor: &AlarmConductor,
    live: Option<LiveRun>,
    deletion: ChildDeletion,
    forget: impl Fn(),
) -> Result<Response, Failure> {
    let Some(live) = live else {
        forestall(state, deletion).await?;
        return replies::json(&DeletionCount::default());
    };
    replies::json(&delete(state, env, conductor, &live, forget).await?)
}

/// Stops the run, settles its spending, and deletes it with the documents that KV lists now.
async fn delete(
    state: &State,
    env: &Env,
    conductor: &AlarmConductor,
    live: &LiveRun,
    forget: impl Fn(),
) -> Result<DeletionCount, Failure> {
    let storage = state.storage();
    let sql = storage.sql();
    bring_to_rest(&sql, conductor, live).await?;
    if !alarm::settle(&sql, env).await? {
        try_later(state).await?;
        let detail = "What the run has spent could not be told to the budget of the day yet, so it \
                      is still here; delete it again in a minute.";
        return Err(Problem::new(503, detail).after(60).into());
    }
    alarm::tell_once(&sql, env, live, Unended::Deleted)?;
    let entries = journal_table::entries(&sql)?;
    let mut deleted = DeletedRun::new(
        live.opened().run(),
        live.opened().expires_ms(),
        &publication::published(&sql)?,
        &with_engine!(live.opened().engine(), E => children_of::<E>(&entries)),
        claimed_key(&sql)?,
    );
    // There is no await between these statements, so the platform commits them together.
    forget();
    artifact_table::remove(&sql)?;
    journal_table::remove(&sql)?;
    event_table::remove(&sql)?;
    json_table::remove_all(&sql)?;
    json_table::put(&sql, DELETED_NAME, &deleted)?;
    alarm::note_told(&sql)?;
    live.log().delete();
    storage.set_alarm(SWEPT_AGAIN).await?;
    let mut count = DeletionCount::of_one();
    let swept = sweep(env, &mut deleted, &mut count).await;
    json_table::put(&sql, DELETED_NAME, &deleted)?;
    if let Err(error) = swept {
        worker::console_error!("a run could not be deleted whole: {error}");
        let detail = "The run is deleted; some of its documents could not be removed yet. That is \
                      tried again within two minutes.";
        return Err(Problem::new(503, detail).after(120).into());
    }
    Ok(count)
}

/// Records the deletion of a run that has not begun, because the request to begin it may still be in flight.
async fn forestall(state: &State, deletion: ChildDeletion) -> Result<()> {
    let storage = state.storage();
    let sql = storage.sql();
    if is_deleted(&sql)? {
        return Ok(());
    }
    let left_ms = deletion.expires_ms.saturating_sub(now_ms());
    let deleted = DeletedRun::before_it_began(deletion);
    json_table::put(&sql, DELETED_NAME, &deleted)?;
    storage.set_alarm(Duration::from_millis(left_ms)).await
}

/// Stops the run and waits for its last write, so that the unspent part of the reservation is released. After five
/// seconds, revokes the run's right to write.
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

/// Continues a deletion in the object's alarm. Removes the documents once more, and at the end the record of the
/// deletion. Returns `false` if the object's run was not deleted.
pub(crate) async fn go_on(state: &State, env: &Env) -> Result<bool> {
    let storage = state.storage();
    let sql = storage.sql();
    let Some(mut deleted) = json_table::get::<DeletedRun>(&sql, DELETED_NAME)? else {
        return Ok(false);
    };
    if !deleted.is_swept() {
        let swept = sweep(env, &mut deleted, &mut DeletionCount::default()).await;
        match &swept {
            Ok(()) => deleted.note_documents_removed(),
            Err(error) => {
                worker::console_error!(
                    "documents of a deleted run could not be removed yet: {error}"
                );
            }
        }
        json_table::put(&sql, DELETED_NAME, &deleted)?;
        if !deleted.is_swept() {
            storage.set_alarm(SWEPT_AGAIN).await?;
            return Ok(true);
        }
    }
    let left_ms = deleted.expires_ms().saturating_sub(now_ms());
    if left_ms == 0 {
        storage.delete_all().await?;
    } else {
        storage.set_alarm(Duration::from_millis(left_ms)).await?;
    }
    Ok(true)
}

/// Removes what remains of a run elsewhere, and counts its child runs. A child run that does not answer is not an
/// error.
async fn sweep(env: &Env, deleted: &mut DeletedRun, count: &mut DeletionCount) -> Result<()> {
    let mut unremoved = Ok(());
    let removals = deleted
        .remainders()
        .into_iter()
        .map(|remainder| async move {
            let removed = remove(env, &remainder).await;
            (remainder, removed)
        });
    let mut removals = futures::stream::iter(removals).buffer_unordered(REMOVALS_AT_ONCE);
    while let Some((remainder, removed)) = removals.next().await {
        match (&remainder, removed) {
            (Remainder::Child(_), Ok(answer)) => count.add(answer),
            (Remainder::Child(_), Err(error)) => {
                worker::console_error!("a run that a deleted run began is still there: {error}");
                count.add(None);
                continue;
            }
            (_, Ok(_)) => {}
            (_, Err(error)) => {
                unremoved = Err(error);
                continue;
            }
        }
        deleted.note_removed(&remainder);
    }
    // The token was valid when the run began, so it can be parsed.
    if let Ok(run) = RunToken::parse(deleted.run()) {
        documents::remove(env, &run).await?;
        documents::note(env, deleted.run()).await;
    }
    unremoved
}

/// Removes one remainder. Returns the count that a child run responded with; `None` for any other remainder.
async fn remove(env: &Env, remainder: &Remainder) -> Result<Option<DeletionCount>> {
    match remainder {
        Remainder::Chain(digest) => chains::remove(env, digest).await.map(|()| None),
        Remainder::Key(key) => drop_key(env, key).await.map(|()| None),
        Remainder::Child(child) => delete_child(env, child).await.map(Some),
    }
}
