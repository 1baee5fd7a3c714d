//! The part of a run's object that answers calls of tools: it streams the run's progress, and its answer.

use futures::StreamExt as _;
use serde_json::Value;
use worker::{Response, Result};

use kernel::Millis;
use platform::events::timestamp;

use crate::watched_call::{Watch, WatchedCall, watched};

use super::clock::{now_ms, sleep};
use super::live_run::LiveRun;
use super::replies;

/// The time after a run's end within which a call that is sent again means that run, in milliseconds.
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

/// Streams the answer to a call.
pub(super) fn answer(live: &LiveRun, call: &str) -> Result<Response> {
    let Some(call) = WatchedCall::of_text(call) else {
        return Response::error("no such call", 400);
    };
    let engine = live.opened().engine();
    let frames = watched(call, engine, live.log().clone(), live.clone());
    replies::event_stream(frames.map(|frame| Ok(frame.into_bytes())))
}

/// Returns whether a call that is sent again means the run: it goes on, or has ended a moment ago, and nobody has ended
/// it. Whoever asks anew then wants it anew.
pub(super) fn is_recent(live: &LiveRun) -> bool {
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
    // Times of one form are in the order of their texts.
    let since = timestamp(Millis(now_ms().saturating_sub(RECENT_MS)));
    ended.is_some_and(|ended| ended >= since.as_str())
}
