//! Removes a run before its time: from its object at once, and from KV, which may still get a
//! document that was on its way. The runs that it began are removed with it, and so is what was
//! published. The object remembers that a run was here until the run would have expired, so that
//! its idempotency key does not begin it again.

use std::time::Duration;

use domain::{RunToken, Sha256Digest};
use engine::Problem;
use engine::store::over_key;
use futures::StreamExt as _;
use serde_json::value::to_raw_value;
use worker::{Env, Error, Method, Request, RequestInit, Response, Result, SqlStorage, State, Stub};

use crate::auth::{KeyAnswer, KeyClaim, KeyRecord, KeyUse};
use crate::engines::with_engine;
use crate::run_object::{
    ChildDeletion, CreateAnswer, CreationJson, DeletedRun, DeletionCount, LiveRunCall, Remainder,
    RunObjectCall, SessionCall, children_of,
};
use crate::run_summary::Unended;
use crate::tools::answers::WatchedCall;

use super::alarm::{self, AlarmConductor, try_later};
use super::budget::in_time;
use super::environment::{self, now_ms, sleep};
use super::failure::Failure;
use super::object::LiveRun;
use super::run_creation::claimed_key;
use super::{artifact_table, chains, documents, event_table, journal_table, json_table, replies};

/// The name under which is stored that a run was deleted.
const DELETED_NAME: &str = "deleted";
/// The time after which a deleted run's documents are removed once more. By then writes that were
/// on their way have arrived or failed, and lists of keys are up to date.
const SWEPT_AGAIN: Duration = Duration::from_secs(70);

/// The number of times that a run to be deleted is looked at, and the pause between them: it has
/// five seconds to come to rest.
const REST_LOOKS_MAX: u32 = 100;
const REST_LOOK_MS: u64 = 50;
/// The number of removals at once: the platform lets six requests of one object wait.
const REMOVALS_AT_ONCE: usize = 5;

/// Returns whether a run was deleted here.
pub(super) fn is_deleted(sql: &SqlStorage) -> Result<bool> {
    Ok(json_table::get::<DeletedRun>(sql, DELETED_NAME)?.is_some())
}

/// Removes the run of an object and the runs that it began. The answer is 204; where the run began
/// others it is 200 with a [`DeletionCount`], or 202 while some of them have not answered. `forget`
/// drops what the object knows of the run.
pub(super) async fn answer(
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

/// Removes the run of an object because the run that began it is removed.
pub(super) async fn answer_as_child(
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

/// Ends the run, settles what it has spent and removes it, with those of its documents that KV
/// lists now.
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
        &chains::published(&sql)?,
        &with_engine!(live.opened().engine(), E => children_of::<E>(&entries)),
        claimed_key(&sql)?,
    );
    // Nothing can come between these statements: they are one step for the platform.
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

/// Notes that a run was deleted before it began: a request to begin it may be on its way.
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

/// Stops the run and waits for its last write, so that the budget gets back what was not spent. A
/// run that takes longer is cut off.
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

/// Goes on with a deletion, in the alarm of a run that was deleted: removes its documents once
/// more, and at last the note that it was deleted. Returns `false` where no run was deleted here.
pub(super) async fn go_on(state: &State, env: &Env) -> Result<bool> {
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

/// Removes what is left of a run elsewhere and counts the runs that it began. That one of those has
/// not answered is no error.
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
    // The name was parsed before the run began, so it parses here too.
    if let Ok(run) = RunToken::parse(deleted.run()) {
        documents::remove(env, &run).await?;
        note(env, deleted.run()).await;
    }
    unremoved
}

/// Removes one remainder and returns the count that a child run has answered with.
async fn remove(env: &Env, remainder: &Remainder) -> Result<Option<DeletionCount>> {
    match remainder {
        Remainder::Chain(digest) => chains::remove(env, digest).await.map(|()| None),
        Remainder::Key(key) => drop_key(env, key).await.map(|()| None),
        Remainder::Child(child) => delete_child(env, child).await.map(Some),
    }
}

const KEPT_S: u64 = 30 * 86_400;
/// The whole text of a note.
const OVER: &str = "over";

/// Notes that a run is over. Where that fails, the run is told as unknown; it is gone all the same.
pub(super) async fn note(env: &Env, run: &str) {
    if let Err(error) = put(env, run).await {
        worker::console_warn!("that a run is over could not be noted: {error}");
    }
}

/// Returns whether it is noted that a run is over. Where KV does not answer, the run is told as
/// unknown.
pub(super) async fn is_noted(env: &Env, run: &RunToken) -> bool {
    let Ok(kv) = environment::kv_documents(env) else {
        return false;
    };
    let noted = kv.get(&over_key(&run.to_string())).text().await;
    noted.is_ok_and(|noted| noted.is_some())
}

async fn put(env: &Env, run: &str) -> Result<()> {
    let kv = environment::kv_documents(env)?;
    let put = kv.put(&over_key(run), OVER)?.expiration_ttl(KEPT_S);
    Ok(put.execute().await?)
}

/// The time that a call to a key's object may take at most, in milliseconds.
const KEY_MS_MAX: u64 = 10_000;
/// The time that a deletion may take at most, in milliseconds: a run has five seconds to come to
/// rest, and then tells what it has spent.
const DELETION_MS_MAX: u64 = 25_000;

/// Calls the object of a run that is there. The answer is 410 where the object knows that the run
/// was there, else 404.
pub(super) async fn call(env: &Env, run: &RunToken, call: LiveRunCall) -> Result<Response> {
    let stub = environment::object(env, &run.to_string())?;
    post(&stub, &RunObjectCall::Live(call)).await
}

/// Streams the answer to a call of a tool, whose run is watched.
pub(super) async fn watch(env: &Env, run: &RunToken, call: WatchedCall) -> Result<Response> {
    let stub = environment::object(env, &run.to_string())?;
    post(&stub, &RunObjectCall::Watch(call)).await
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
    let call = RunObjectCall::Session(call);
    let mut answer = in_time(post(&stub, &call), KEY_MS_MAX).await?;
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
) -> Result<bool, Failure> {
    let stub = environment::object(env, &run.to_string())?;
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
pub(super) async fn find_key(
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
pub(super) async fn claim_key(env: &Env, claim: &KeyClaim, expires_ms: u64) -> Result<bool> {
    let record = KeyRecord::new(claim.used_for.clone(), expires_ms);
    let answer = call_key(env, &claim.key, &RunObjectCall::ClaimKey(record)).await?;
    Ok(answer == KeyAnswer::Use(claim.used_for.clone()))
}

/// Has an idempotency key forget what it was used for.
pub(super) async fn drop_key(env: &Env, key: &str) -> Result<()> {
    let stub = environment::object(env, &key_object(key))?;
    let answer = in_time(post(&stub, &RunObjectCall::DropKey), KEY_MS_MAX).await?;
    done(&answer)
}

/// Removes a run because the run that began it is removed.
pub(super) async fn delete_child(env: &Env, deletion: &ChildDeletion) -> Result<DeletionCount> {
    let stub = environment::object(env, &deletion.run)?;
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
    let stub = environment::object(env, &key_object(key))?;
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
pub(super) async fn post(stub: &Stub, call: &RunObjectCall) -> Result<Response> {
    let mut init = RequestInit::new();
    let call = serde_json::to_string(call)?;
    init.with_method(Method::Post).with_body(Some(call.into()));
    // The object is addressed by its name.
    let request = Request::new_with_init("https://run/", &init)?;
    stub.fetch_with_request(request).await
}
