//! A call of a tool while the run that it began is watched: its progress as it comes, then its answer.

use std::future::Future;
use std::rc::Rc;

use futures::Stream;
use futures::future::{Either, select};
use serde_json::Value;

use engine::assistant::{Answer, CallPlace};
use engine::run::EventLog;
use platform::events::BROKEN_OFF;

use crate::engines::EngineName;
use crate::mcp_server::{CallFrames, CallPoint};

/// The silence after which a comment is sent, in milliseconds.
const SILENCE_MS_MAX: u64 = 10_000;
/// The comment that keeps a silent connection open.
const SILENCE: &str = ":\n\n";

/// A call whose run is to be watched.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchedCall {
    /// The point at which the call stands.
    pub point: CallPoint,
    /// The address at which a person sees the run.
    pub address: String,
    /// The secret with which the caller may stop the run, where it is theirs.
    pub secret: Option<String>,
}

impl WatchedCall {
    /// Returns the call as a text of three lines.
    #[must_use]
    pub fn to_text(&self) -> String {
        let secret = self.secret.as_deref().unwrap_or_default();
        format!("{}\n{}\n{secret}", self.point.to_text(), self.address)
    }

    /// Reads a text. Returns `None` where it is none that [`Self::to_text`] gave.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let mut lines = text.split('\n');
        Some(Self {
            point: CallPoint::of_text(lines.next()?)?,
            address: lines.next()?.to_owned(),
            secret: lines
                .next()
                .filter(|secret| !secret.is_empty())
                .map(str::to_owned),
        })
    }
}

/// The means to watch a run: its clock, and when it is not kept any longer.
pub trait Watch {
    /// Waits for so many milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;
    /// Returns the milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Returns whether the run's time to live is over.
    fn has_expired(&self) -> bool;
}

/// Returns the events of the stream that answers a call, whose run is of this engine.
pub fn watched(
    call: WatchedCall,
    engine: EngineName,
    log: Rc<EventLog>,
    watch: impl Watch,
) -> impl Stream<Item = String> {
    let place = CallPlace {
        run: call.point.run.clone(),
        address: call.address,
        secret: call.secret,
    };
    let watcher = Watcher {
        frames: CallFrames::new(call.point),
        engine,
        log,
        place,
        is_greeted: false,
        is_answered: false,
    };
    futures::stream::unfold((watcher, watch), |(mut watcher, watch)| async move {
        let frames = watcher.next(&watch).await?;
        Some((frames, (watcher, watch)))
    })
}

struct Watcher {
    frames: CallFrames,
    engine: EngineName,
    log: Rc<EventLog>,
    place: CallPlace,
    is_greeted: bool,
    is_answered: bool,
}

impl Watcher {
    async fn next(&mut self, watch: &impl Watch) -> Option<String> {
        if self.is_answered {
            return None;
        }
        if !std::mem::replace(&mut self.is_greeted, true) {
            return Some(self.frames.greeting());
        }
        loop {
            let news = self.news();
            if !news.is_empty() {
                return Some(news);
            }
            if let Some(words) = self.log.last_words() {
                // A client of a run that cannot be read at the moment comes back by its era's rules.
                let is_gone = words != BROKEN_OFF;
                let failed = Answer::failed(
                    "The run was deleted, or is not kept any longer; call the tool again that began it.",
                );
                return is_gone.then(|| self.answer(&failed));
            }
            let left_ms = self.frames.point().until_ms;
            let left_ms = left_ms.map(|until_ms| until_ms.saturating_sub(watch.now_ms()));
            if left_ms == Some(0) {
                let newest = self.event(self.log.len());
                let answer = self.engine.answer(&newest, false, &self.place);
                return Some(self.answer(&answer));
            }
            let pause_ms = left_ms.unwrap_or(SILENCE_MS_MAX).min(SILENCE_MS_MAX);
            let after = self.frames.point().after;
            let news = std::pin::pin!(self.log.news_after(after));
            let silence = std::pin::pin!(watch.sleep(pause_ms));
            if let Either::Right(_) = select(news, silence).await {
                if watch.has_expired() {
                    // The run should have been deleted by now, and was not.
                    self.log.expire();
                } else if pause_ms == SILENCE_MS_MAX {
                    return Some(SILENCE.to_owned());
                }
            }
        }
    }

    /// Returns the progress that was not told yet, and the answer where the run has ended.
    fn news(&mut self) -> String {
        let mut news = String::new();
        let newest = self.log.len();
        for number in self.frames.point().after.saturating_add(1)..=newest {
            let event = self.event(number);
            self.frames.pass(number);
            if let Some(says) = self.engine.progress(&event) {
                news.push_str(&self.frames.progress(number, &says).unwrap_or_default());
            }
        }
        if self.log.is_ended() {
            let answer = self.engine.answer(&self.event(newest), true, &self.place);
            news.push_str(&self.answer(&answer));
        }
        news
    }

    fn answer(&mut self, answer: &Answer) -> String {
        self.is_answered = true;
        self.frames.answer(answer)
    }

    /// Returns the event of this number, or null where there is none.
    fn event(&self, number: u32) -> Value {
        let json = self.log.json(number);
        let event = json.and_then(|json| serde_json::from_str(&json).ok());
        event.unwrap_or_default()
    }
}
