//! What a run's object answers to those who watch its run.

use futures::StreamExt as _;
use worker::{Response, Result};

use engine::{Problem, Served as _};

use crate::engines::with_engine;

use super::clock::sleep;
use super::live_run::LiveRun;
use super::replies;

/// Streams the events after this one, or gives those that there are; 204 where the run has ended and
/// nothing comes after it.
pub(super) fn view(live: &LiveRun, after: u32, waits: bool) -> Result<Response> {
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

/// Answers with the last event, once it is there.
pub(super) async fn last(live: &LiveRun) -> Result<Response> {
    if let Some(json) = live.log().last().await {
        return replies::json_text(&json);
    }
    let detail = "The run's events can't be kept at the moment; ask for it again.";
    replies::problem(&Problem::new(503, detail))
}

/// Answers with what is known of a run whose documents are not in KV yet, or not any more.
pub(super) fn outlined(live: &LiveRun) -> Result<Response> {
    with_engine!(live.opened().engine(), E => match live.opened().as_engine::<E>() {
        Some(opened) => {
            let is_ended = live.log().is_ended();
            replies::json(&E::outline(&opened, &live.log().jsons(), is_ended))
        }
        None => Response::error("its order cannot be read", 500),
    })
}
