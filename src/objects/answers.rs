//! The responses of a run's object.

use domain::Sha256Digest;
use engine::{Problem, Tools};
use futures::StreamExt as _;
use kernel::Millis;
use serde_json::Value;
use worker::{Response, SqlStorage};

use platform::events::timestamp;

use crate::engines::with_engine;
use crate::mcp_server::{Watch, WatchedCall, watched};
use crate::problems::no_such_address;
use crate::storage::artifact_table;
use crate::transport::bindings::{now_ms, sleep};
use crate::transport::failure::Result;
use crate::transport::replies;

use super::live_run::LiveRun;

/// Responds with the run's document that has this name, made from the events so far.
pub(crate) fn run_document(live: &LiveRun, name: &str) -> Result<Response> {
    let document = with_engine!(live.opened().engine(), E => made::<E>(live, name));
    replies::json(&document.ok_or_else(no_such_address)?)
}

fn made<E: Tools>(live: &LiveRun, name: &str) -> Option<Value> {
    let document = E::RUN_DOCUMENT.filter(|document| document.name == name)?;
    let opened = live.opened().as_engine::<E>()?;
    Some((document.make)(&opened, &live.log().jsons()))
}

/// Responds with bytes that are stored with the run.
pub(crate) fn artifact(sql: &SqlStorage, digest: &Sha256Digest) -> Result<Response> {
    let (kind, bytes) = artifact_table::find(sql, digest)?.ok_or_else(no_such_address)?;
    replies::artifact(bytes, &kind)
}

/// The content type of a run's archive.
const CONTENT_TYPE: &str = "application/x-tar";

/// Responds with the archive of the run, made from the events so far.
pub(crate) fn trace(sql: &SqlStorage, live: &LiveRun) -> Result<Response> {
    let bytes = with_engine!(live.opened().engine(), E => archive::<E>(sql, live))?;
    let name = format!("{}.trace.tar", live.opened().run());
    replies::download_bytes(bytes, CONTENT_TYPE, &name)
}

fn archive<E: Tools>(sql: &SqlStorage, live: &LiveRun) -> Result<Vec<u8>, Problem> {
    let Some(opened) = live.opened().as_engine::<E>() else {
        return Err(Problem::new(500, "The run's order cannot be read."));
    };
    let artifact = |digest: &_| artifact_table::get(sql, digest).ok().flatten();
    E::trace(&opened, &live.log().jsons(), &artifact)
}

/// Streams the events after the one with number `after`. If `waits` is set, also streams those that are yet to come.
/// Responds with 204 if the run has ended and no events follow.
pub(crate) fn view(live: &LiveRun, after: u32, waits: bool) -> Result<Response> {
    if live.log().is_ended() && after >= live.log().len() {
        return Ok(Response::empty()?.with_status(204));
    }
    if !waits {
        return replies::events(live.log().so_far(after));
    }
    let has_expired = {
        let live = live.clone();
        move || live.has_expired()
    };
    let stream = live.log().clone().view(after, sleep, has_expired);
    replies::event_stream(stream.map(Ok))
}

/// Responds with the run's last event, and waits for it if necessary.
pub(crate) async fn last(live: &LiveRun) -> Result<Response> {
    if let Some(json) = live.log().last().await {
        return replies::json_text(&json);
    }
    let detail = "The run's events can't be kept at the moment; ask for it again.";
    Err(Problem::new(503, detail).into())
}

/// Responds with the outline of a run whose documents are not yet in KV, or are no longer in it.
pub(crate) fn outlined(live: &LiveRun) -> Result<Response> {
    with_engine!(live.opened().engine(), E => match live.opened().as_engine::<E>() {
        Some(opened) => {
            let is_ended = live.log().is_ended();
            replies::json(&E::outline(&opened, &live.log().jsons(), is_ended))
        }
        None => Ok(Response::error("its order cannot be read", 500)?),
    })
}

/// The time after a run's end during which a repeated call still finds the run, in milliseconds.
const RECENT_MS: u64 = 60_000;

impl Watch for LiveRun {
    async fn sleep(&self, ms: u64) {
        sleep(ms).await;
    }

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn has_expired(&self) -> bool {
        Self::has_expired(self)
    }
}

/// Streams the response to a tool call that watches the run.
pub(crate) fn watched_answer(live: &LiveRun, call: WatchedCall) -> Result<Response> {
    let engine = live.opened().engine();
    let frames = watched(call, engine, live.log().clone(), live.clone());
    replies::event_stream(frames.map(|frame| Ok(frame.into_bytes())))
}

/// Returns whether a repeated call finds this run. It does if the run is in progress or ended within the last
/// [`RECENT_MS`] milliseconds. It does not if the run was stopped, because a caller who calls again after a stop wants
/// a new run.
pub(crate) fn is_recent(live: &LiveRun) -> bool {
    if live.stop_switch().is_on() {
        return false;
    }
    if !live.log().is_ended() {
        return true;
    }
    let last = live.log().json(live.log().len());
    let last: Option<Value> = last.and_then(|last| serde_json::from_str(&last).ok());
    let ended = last
        .as_ref()
        .and_then(|last| last.get("timestamp")?.as_str());
    // Timestamps of equal format compare as text.
    let since = timestamp(Millis(now_ms().saturating_sub(RECENT_MS)));
    ended.is_some_and(|ended| ended >= since.as_str())
}
