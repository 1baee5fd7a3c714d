//! Conducts a run: hands inputs to the machine, carries its commands out, publishes its notices
//! and keeps its documents. One exhaustive `match` is all that it decides.

use std::cell::Cell;

use futures::channel::mpsc;
use futures::future::{Either, join, select};
use futures::{SinkExt as _, StreamExt as _};

use crate::domain::{Failure, FailureKind, PhotoDigest};
use crate::events::wire_event;
use crate::investigation::{
    Action, Answer, Command, CommandId, Fetched, Input, Investigation, Outcome, Request, Told,
};
use crate::kernel::Millis;
use crate::providers::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, gemini, google, rekognition};
use crate::store::{Documents, Keys, Ledger, RunMeta};

use sha2::{Digest as _, Sha256};

use super::calls::{Bounds, Called, call, within};
use super::effects::{Effects, WriteError};
use super::identifiers::RunToken;
use super::photos::{FetchedPhoto, fetch_photo};
use super::settings::{PlannerSettings, Providers};

/// One attempt of a search, in milliseconds.
const SEARCH_MS_MAX: u64 = 10_000;
/// One attempt of a recognition: up to 7 MB go up.
const RECOGNITION_MS_MAX: u64 = 15_000;
/// One attempt of a planner call.
const PLAN_MS_MAX: u64 = 8_000;
/// One write of a document.
const WRITE_MS_MAX: u64 = 5_000;
/// Attempts of a write.
const WRITE_ATTEMPTS_MAX: u32 = 3;
/// Between two attempts of a write; KV allows a key one write a second.
const WRITE_PAUSE_MS: u64 = 1_100;

/// Conducts one run from its first event to its last, and then its last writes.
///
/// Fails only where events cannot be kept any more: then nobody can be told anything.
pub async fn conduct<E: Effects>(
    effects: &E,
    providers: &Providers,
    run: &RunToken,
    mut request: Request,
    time_to_live_s: u64,
) -> Result<(), WriteError> {
    if providers.planner == PlannerSettings::Off {
        request.limits.planner_calls_max = 0;
    }
    let started = Millis(effects.now_ms());
    let (batches, due_batches) = mpsc::channel(0);
    let writer = Writer {
        effects,
        is_idle: Cell::new(true),
        has_failed: Cell::new(false),
    };
    let conductor = Conductor {
        effects,
        providers,
        token: run.to_string(),
        machine: Investigation::new(request),
        keys: Keys::new(run.session(), run.run()),
        ledger: Ledger::new(),
        meta: RunMeta {
            started,
            expires: Millis(
                started
                    .0
                    .saturating_add(time_to_live_s.saturating_mul(1_000)),
            ),
            ended_with: None,
            ended_because: None,
        },
        writer: &writer,
        batches,
        has_told_failure: false,
        events_published: 0,
        photo: None,
    };
    // Documents are written beside the search: a slow store never holds it up.
    let (result, ()) = join(conductor.run(), writer.write_all(due_batches)).await;
    result
}

/// Documents to write, by key.
type Batch = Vec<(String, String)>;

struct Conductor<'run, E> {
    effects: &'run E,
    providers: &'run Providers,
    token: String,
    machine: Investigation,
    keys: Keys,
    ledger: Ledger,
    meta: RunMeta,
    writer: &'run Writer<'run, E>,
    batches: mpsc::Sender<Batch>,
    has_told_failure: bool,
    events_published: u32,
    /// The bytes of the photo fetched last, until they are recognised.
    photo: Option<(CommandId, Vec<u8>)>,
}

impl<E: Effects> Conductor<'_, E> {
    async fn run(mut self) -> Result<(), WriteError> {
        self.input(Input::Start)?;
        while let Some(command) = self.machine.next_command() {
            self.write_when_due();
            let input = self.carry_out(&command).await;
            self.input(input)?;
            if self.writer.has_failed.get() && !self.has_told_failure && !self.machine.is_ended() {
                self.has_told_failure = true;
                let remark = "The run's record could not be written; the search goes on.";
                self.input(Input::Remark(remark.to_owned()))?;
            }
        }
        // The last event is out by now and does not wait for this.
        let batch = self.changed_documents(true);
        let _ = self.batches.send(batch).await;
        Ok(())
    }

    /// One input, then its notices: numbered, kept and shown.
    fn input(&mut self, input: Input) -> Result<(), WriteError> {
        self.machine.handle(input, Millis(self.effects.now_ms()));
        while let Some(notice) = self.machine.next_notice() {
            self.events_published += 1;
            let event =
                wire_event(&self.token, self.events_published, &notice).map_err(|_| WriteError)?;
            if event.is_last {
                self.meta.ended_with = Some(event.kind);
                self.meta.ended_because = match &notice.told {
                    Told::NoPath(report) => Some(report.reason.as_str().to_owned()),
                    Told::Error(report) => Some(report.code.as_str().to_owned()),
                    _ => None,
                };
            }
            self.effects.publish(event)?;
        }
        Ok(())
    }

    /// A command's answer, or the user's stop.
    async fn carry_out(&mut self, command: &Command) -> Input {
        let photo = self.photo.take();
        let work = std::pin::pin!(perform(self.effects, self.providers, command, photo));
        let stop = std::pin::pin!(self.effects.stop_requested());
        // The stop is looked at first: after it no further call begins.
        match select(stop, work).await {
            Either::Left(_) => Input::Stop,
            Either::Right(((answer, photo), _)) => {
                self.photo = photo.map(|bytes| (command.id, bytes));
                Input::Answer(answer)
            }
        }
    }

    fn write_when_due(&mut self) {
        if self.writer.is_idle.get() && self.ledger.is_due(self.effects.now_ms()) {
            let batch = self.changed_documents(false);
            // The writer is idle, so there is room.
            if self.batches.try_send(batch).is_ok() {
                self.writer.is_idle.set(false);
            }
        }
    }

    fn changed_documents(&mut self, is_end: bool) -> Batch {
        let documents = Documents::new(&self.keys, &self.machine, &self.meta);
        if self.writer.has_failed.get() {
            // What did not arrive counts as changed again.
            self.ledger.forget_all();
        }
        self.ledger
            .take_changed(documents, self.effects.now_ms(), is_end)
    }
}

/// Carries one command out. A fetched photo's bytes come along with the answer.
async fn perform<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    photo: Option<(CommandId, Vec<u8>)>,
) -> (Answer, Option<Vec<u8>>) {
    let mut fetched = None;
    let (outcome, attempts, nano_usd) = match &command.action {
        Action::Search { query, count } => {
            let called = search(effects, providers, command, query, *count).await;
            (
                Outcome::Searched(called.result),
                called.attempts,
                called.nano_usd,
            )
        }
        Action::Fetch {
            image_url,
            thumbnail_url,
        } => {
            let policy = &providers.addresses;
            let left_ms = command.time_left_ms;
            let photo = fetch_photo(
                effects,
                policy,
                image_url,
                thumbnail_url.as_deref(),
                left_ms,
            )
            .await;
            let outcome = photo.map(
                |FetchedPhoto {
                     bytes,
                     is_thumbnail,
                 }| {
                    let digest = PhotoDigest::new(Sha256::digest(&bytes).into());
                    fetched = Some(bytes);
                    Fetched {
                        digest,
                        is_thumbnail,
                    }
                },
            );
            (Outcome::Fetched(outcome), 1, 0)
        }
        Action::Recognise { fetched_by } => {
            let bytes = photo
                .filter(|(id, _)| id == fetched_by)
                .map(|(_, bytes)| bytes);
            let called = recognise(effects, providers, command, bytes).await;
            (
                Outcome::Recognised(called.result),
                called.attempts,
                called.nano_usd,
            )
        }
        Action::Plan(question) => {
            let called = plan(effects, providers, command, question).await;
            (
                Outcome::Planned(called.result),
                called.attempts,
                called.nano_usd,
            )
        }
    };
    (
        Answer {
            command: command.id,
            attempts,
            nano_usd,
            outcome,
        },
        fetched,
    )
}

async fn search<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    query: &str,
    count: u32,
) -> Called<Vec<crate::domain::Hit>> {
    let price = providers.prices.search_nano_usd;
    call(
        effects,
        bounds(command, JSON_BYTES_MAX, SEARCH_MS_MAX),
        |_| google::request(&providers.search, query, count),
        |response| (google::read(response), charged(response, price)),
    )
    .await
}

async fn recognise<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    bytes: Option<Vec<u8>>,
) -> Called<Vec<crate::domain::Face>> {
    let Some(bytes) = bytes else {
        let failure = Failure::new(FailureKind::BadImage, "its bytes are no longer here");
        return Called {
            result: Err(failure),
            attempts: 0,
            nano_usd: 0,
        };
    };
    let price = providers.prices.recognition_nano_usd;
    call(
        effects,
        bounds(command, RECOGNITION_BYTES_MAX, RECOGNITION_MS_MAX),
        |now_ms| rekognition::request(&providers.recogniser, &bytes, now_ms),
        |response| (rekognition::read(response), charged(response, price)),
    )
    .await
}

async fn plan<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    question: &crate::domain::PlanQuestion,
) -> Called<crate::domain::PlanAnswer> {
    let PlannerSettings::Gemini(settings) = &providers.planner else {
        let failure = Failure::new(FailureKind::Misconfigured, "no planner is configured");
        return Called {
            result: Err(failure),
            attempts: 0,
            nano_usd: 0,
        };
    };
    let prices = &providers.prices;
    call(
        effects,
        bounds(command, JSON_BYTES_MAX, PLAN_MS_MAX),
        |_| gemini::request(settings, question),
        |response| {
            let (result, usage) = gemini::read(response);
            let tokens_in = usage.tokens_in.saturating_mul(prices.token_in_nano_usd);
            let tokens_out = usage.tokens_out.saturating_mul(prices.token_out_nano_usd);
            (result, tokens_in.saturating_add(tokens_out))
        },
    )
    .await
}

fn bounds(command: &Command, bytes_max: usize, attempt_ms_max: u64) -> Bounds {
    Bounds {
        bytes_max,
        attempt_ms_max,
        attempts_max: command.attempts_max,
        time_left_ms: command.time_left_ms,
    }
}

/// Providers charge for what they answered, readable or not.
fn charged(response: &crate::providers::WireResponse, price: u64) -> u64 {
    if response.status().is_success() {
        price
    } else {
        0
    }
}

/// Writes batches one after the other.
struct Writer<'run, E> {
    effects: &'run E,
    is_idle: Cell<bool>,
    has_failed: Cell<bool>,
}

impl<E: Effects> Writer<'_, E> {
    async fn write_all(&self, mut batches: mpsc::Receiver<Batch>) {
        while let Some(batch) = batches.next().await {
            let mut has_failed = false;
            for (key, document) in batch {
                if !self.write(&key, &document).await {
                    // A store that fails this often is down: the rest would fail as slowly.
                    has_failed = true;
                    break;
                }
            }
            self.has_failed.set(has_failed);
            self.is_idle.set(true);
        }
    }

    async fn write(&self, key: &str, document: &str) -> bool {
        for attempt in 1..=WRITE_ATTEMPTS_MAX {
            let put = self.effects.put(key, document);
            if let Some(Ok(())) = within(self.effects, WRITE_MS_MAX, put).await {
                return true;
            }
            if attempt < WRITE_ATTEMPTS_MAX {
                self.effects.sleep(WRITE_PAUSE_MS).await;
            }
        }
        false
    }
}
