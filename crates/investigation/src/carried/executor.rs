//! The executor of commands: one exhaustive `match` over what is wanted, and for each the provider,
//! its limits and its price.

use domain::{
    Failure, FailureKind, PhotoCopy, PhotoFailure, PhotoToRemember, SearchToRemember, Sha256Digest,
    SidesToConnect,
};
use engine::RunToCarry;
use kernel::CommandId;
use platform::{Artifacts, Browsers, Effects, RememberedPhotos, WireResponse, WriteError};
use providers::calls::{
    Asked, Attempts, CallLimits, CallResult, Choice, Failover, RetryOutcome, ask_in_order, call,
    charged, limits,
};
use providers::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, Usage};
use settings::Providers;

use crate::machine::{Action, Answer, Command, Fetched, Outcome, Recognised};
use crate::stored::InvestigationEngine;

use super::image::{Instead, NoPhoto, PhotoAddresses};
use super::kept_photo::{KeptAnswer, KeptPhoto, looked_at};
use super::page_camera::{PageCamera, PageToOpen};
use super::run_memory::RunMemory;
use super::run_photos::{PhotoCallResult, RunPhotos, SentPhoto, fetched};
use super::search_call::SearchCall;

/// The longest time of one attempt of a recognition, in milliseconds: up to 7 MB are sent.
const RECOGNITION_MS_MAX: u64 = 15_000;
/// The longest time of one attempt of a planner call, in milliseconds.
const PLAN_MS_MAX: u64 = 8_000;
/// The longest pause between two attempts of a planner call, in milliseconds.
const PLAN_PAUSE_MS_MAX: u64 = 2_000;
/// The most throttled attempts of a planner call.
const PLAN_THROTTLED_MAX: u32 = 5;

/// Returns the outcome of a call that is not asked again, because reading its answer ended the
/// program twice.
pub fn passed_over(action: &Action) -> Outcome {
    const WHY: &str = "it was passed over: reading it ended the program twice";
    let failure = |kind| Failure::new(kind, WHY);
    match action {
        Action::Search { .. } => Outcome::Searched(Err(failure(FailureKind::Malformed))),
        Action::Fetch { .. } | Action::FetchKnown { .. } => {
            Outcome::Fetched(Err(PhotoFailure::Unreadable(WHY.into())))
        }
        Action::Recognise { .. } => Outcome::Recognised(Err(failure(FailureKind::BadImage))),
        Action::Plan(_) => Outcome::Planned(Err(failure(FailureKind::Malformed))),
        Action::Capture { .. } => Outcome::Captured(Err(format!("No picture was taken: {WHY}."))),
        Action::Recall(_) => Outcome::Recalled(Vec::new()),
        Action::Connect(_) => Outcome::Connected(0),
    }
}

/// The executor of the commands of one run.
pub struct Executor<'run, E: Browsers> {
    effects: &'run E,
    providers: &'run Providers,
    photos: RunPhotos<'run, E>,
    failover: Failover,
    memory: RunMemory<'run, E>,
    camera: PageCamera<'run, E>,
}

impl<'run, E: Effects + Artifacts + Browsers + RememberedPhotos> Executor<'run, E> {
    /// Makes the executor of a run as its journal tells it.
    pub fn new(effects: &'run E, run: &RunToCarry<'run, '_, InvestigationEngine>) -> Self {
        Self {
            effects,
            providers: run.providers,
            photos: RunPhotos::new(effects, run.providers),
            memory: RunMemory::new(effects, run),
            failover: Failover::restored(run.set_aside.iter()),
            camera: PageCamera::new(effects, run),
        }
    }

    /// Keeps a photo until it is sent. Returns `None` where there is no memory for it.
    pub fn keep(&self, photo: KeptPhoto) -> Option<KeptPhoto> {
        photo.keep(self.effects.photo_pool())
    }

    /// Keeps a recognised photo for other runs.
    pub fn remember(&self, photo: PhotoToRemember) {
        self.memory.keep(photo);
    }

    /// Keeps what an image search has answered for other runs.
    pub fn remember_search(&self, search: SearchToRemember) {
        self.memory.keep_search(search);
    }

    /// Notes that a recognition was not paid for, since its answer was remembered.
    pub fn note_saved(&self) {
        self.memory.note_saved();
    }

    /// Ends what is open outside, and keeps what other runs may need.
    pub async fn close(&self) {
        self.memory.tell();
        self.camera.end().await;
    }

    fn now_ms(&self) -> u64 {
        self.effects.now_ms()
    }

    /// Carries one command out; `pages` are the addresses of those that the run opens. Fails where the journal cannot be written.
    pub async fn execute(
        &self,
        command: &Command,
        sent: SentPhoto,
        pages: &[String],
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let id = command.id;
        Ok(match &command.action {
            Action::Search {
                question,
                count,
                part,
                asked_before,
            } => {
                let call = SearchCall {
                    effects: self.effects,
                    searches: &self.providers.searches,
                    failover: &self.failover,
                    memory: &self.memory,
                    question,
                    count: *count,
                    part,
                    asked_before,
                };
                call.execute(command, attempts).await?
            }
            Action::Fetch { .. } => {
                let photo = self.fetch(command, attempts).await?;
                fetched(id, attempts, photo)
            }
            Action::FetchKnown {
                sides,
                place,
                may_convert,
            } => {
                let known = (sides.as_ref(), *place);
                let photo = self.fetch_known(known, *may_convert, command, attempts);
                fetched(id, attempts, photo.await?)
            }
            Action::Recognise { .. } => self.recognise_photo(command, sent, attempts).await?,
            Action::Plan(question) => {
                let planners = &self.providers.planners;
                let choices = planners.iter().map(|priced| Choice {
                    id: priced.planner.id(),
                    name: priced.planner.name(),
                    // The tokens of a call are known only from its answer.
                    price_nano_usd: priced.nano_usd_max(),
                    build: Box::new(|| priced.planner.request(question)),
                    read: Box::new(|response| {
                        let (plan, usage) = priced.planner.read(response);
                        let nano_usd = if usage == Usage::default() {
                            charged(&plan, response, priced.nano_usd_max())
                        } else {
                            priced.nano_usd_of(usage)
                        };
                        (plan.map(|plan| Outcome::Planned(Ok(plan))), nano_usd)
                    }),
                });
                let limits = CallLimits {
                    // Without an answer the ranking decides as well, and sooner than after a long
                    // pause.
                    pause_ms_max: PLAN_PAUSE_MS_MAX,
                    throttled_max: command.throttled_max.min(PLAN_THROTTLED_MAX),
                    is_waited_for: false,
                    ..limits(command, JSON_BYTES_MAX, PLAN_MS_MAX)
                };
                let choices: Vec<_> = choices.collect();
                // As an outcome, so that the asking is compiled once for searches and plans.
                let asked = ask_in_order(
                    self.effects,
                    &self.failover,
                    choices.into(),
                    limits,
                    attempts,
                );
                let asked = asked.await?;
                CallResult::of(id, asked, |outcome| {
                    outcome.unwrap_or_else(|failure| Outcome::Planned(Err(failure)))
                })
            }
            Action::Recall(people) => {
                let photos = (self.memory.recall(people, command.time_left_ms, attempts)).await;
                remembered(id, Outcome::Recalled(photos))
            }
            Action::Connect(sides) => {
                let photos = (self.memory.connect(sides, command.time_left_ms, attempts)).await;
                remembered(id, Outcome::Connected(photos))
            }
            Action::Capture { url } => {
                let page = PageToOpen {
                    url,
                    of_run: pages,
                    ms_max: command.time_left_ms,
                };
                self.camera.capture(id, &page, attempts).await?
            }
        })
    }

    /// Fetches a photo, and looks whether its answer is remembered.
    async fn fetch(
        &self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<Result<(Fetched, KeptPhoto), PhotoFailure>, WriteError> {
        let Action::Fetch {
            image_url,
            original_url,
            thumbnail_url,
            may_convert,
        } = &command.action
        else {
            return Ok(Err(PhotoFailure::Unfetchable(
                "no photo is asked for".into(),
            )));
        };
        let deadline_ms = self.now_ms().saturating_add(command.time_left_ms);
        attempts.begin(0).await?;
        let addresses = PhotoAddresses {
            image: image_url,
            original: original_url.as_deref(),
            thumbnail: thumbnail_url.as_deref(),
        };
        let photos = &self.photos;
        let photo = photos.fetch(addresses, *may_convert, command, attempts);
        Ok(match photo.await? {
            Ok(photo) => {
                let photo = looked_at(photo, self.effects, attempts).await?;
                // Another copy than was recalled has other bytes in any case.
                let known = self.memory.recalled_digest(image_url);
                if let Some(known) = known.filter(|_| photo.0.copy == PhotoCopy::Image) {
                    self.memory.note_come(&known, photo.0.digest == known);
                }
                let left_ms = deadline_ms.saturating_sub(self.now_ms());
                Ok(self.memory.with_answer(photo, left_ms, attempts).await?)
            }
            Err(no_photo) => Err(match self.memory.recalled_digest(image_url) {
                Some(known) => self.noted(&known, no_photo).await,
                None => no_photo.failure,
            }),
        })
    }

    /// Notes what came in place of the recalled photo with the bytes of this digest, and returns why it did not. What
    /// failed here, or fails for now, says nothing about the photo.
    async fn noted(&self, known: &Sha256Digest, no_photo: NoPhoto) -> PhotoFailure {
        let NoPhoto { failure, instead } = no_photo;
        match instead {
            Instead::Nothing => self.memory.note_missed(known),
            Instead::Gone => self.memory.note_come(known, false),
            Instead::Bytes(held) => {
                let came = self.effects.digest(held.bytes()).await;
                self.memory.note_come(known, came == *known);
                self.memory.note_missed(known);
            }
        }
        failure
    }

    /// Fetches a photo of a chain of which the run was told nothing. What it shows is told where its bytes are the same as
    /// before; of another one nothing is told but that it is another.
    async fn fetch_known(
        &self,
        (sides, place): (&SidesToConnect, usize),
        may_convert: bool,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<Result<(Fetched, KeptPhoto), PhotoFailure>, WriteError> {
        let deadline_ms = self.now_ms().saturating_add(command.time_left_ms);
        attempts.begin(0).await?;
        let left_ms = command.time_left_ms;
        let Some(known) = (self.memory.photo_of(sides, place, left_ms, attempts)).await else {
            return Ok(Err(PhotoFailure::Unfetchable(
                "it is remembered no more".into(),
            )));
        };
        let addresses = PhotoAddresses::only(&known.hit.image_url);
        let photo = (self.photos).fetch(addresses, may_convert, command, attempts);
        let photo = match photo.await? {
            Ok(photo) => looked_at(photo, self.effects, attempts).await?,
            Err(no_photo) => return Ok(Err(self.noted(&known.digest, no_photo).await)),
        };
        let is_same = photo.0.digest == known.digest;
        self.memory.note_come(&known.digest, is_same);
        if !is_same {
            let why = "it is not the one any more that was recognised before";
            return Ok(Err(PhotoFailure::Unreadable(why.into())));
        }
        let left_ms = deadline_ms.saturating_sub(self.now_ms());
        let (mut fetched, kept) = (self.memory).with_answer(photo, left_ms, attempts).await?;
        let Some(remembered) = &mut fetched.remembered else {
            self.memory.note_missed(&known.digest);
            let why = "its answer cannot be had";
            return Ok(Err(PhotoFailure::Unreadable(why.into())));
        };
        if remembered.collage_check.veto().is_some() {
            // It makes no link: another chain is looked for.
            self.memory.note_missed(&known.digest);
        }
        remembered.hit = Some(known.hit);
        Ok(Ok((fetched, kept)))
    }

    /// Sends a photo to the recogniser. What other runs may need of its answer is kept.
    async fn recognise_photo(
        &self,
        command: &Command,
        SentPhoto { photo, found }: SentPhoto,
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let began_ms = self.now_ms();
        let photo = self.photos.to_send(command, photo, attempts).await?;
        let passed_ms = self.now_ms().saturating_sub(began_ms);
        let command = Command {
            time_left_ms: command.time_left_ms.saturating_sub(passed_ms),
            ..command.clone()
        };
        let called = match photo {
            Ok(photo) => self.recognise(&command, attempts, &photo).await?,
            // The photo may have been converted all the same.
            Err(failure) => RetryOutcome {
                nano_usd: attempts.nano_usd(),
                ..RetryOutcome::not_sent(failure)
            },
        };
        let body = called.body_digest.as_ref();
        let recognised = called.result.as_ref().ok();
        let kept =
            recognised.and_then(|recognised| self.memory.worth_keeping(found, recognised, body));
        let kept = kept.map(|photo| KeptAnswer::Recognised(Box::new(photo)));
        let asked = Asked::of_one(self.providers.recogniser.recogniser.id(), called);
        Ok(CallResult::of(command.id, asked, Outcome::Recognised).keeping(kept))
    }

    async fn recognise(
        &self,
        command: &Command,
        attempts: Attempts<'_>,
        photo: &KeptPhoto,
    ) -> Result<RetryOutcome<Recognised>, WriteError> {
        let bytes = photo.bytes();
        let priced = &self.providers.recogniser;
        let limits = CallLimits {
            price_nano_usd: priced.nano_usd,
            provider: (priced.recogniser.id(), priced.recogniser.name()),
            per_second_max: Some(priced.per_second_max),
            ..limits(command, RECOGNITION_BYTES_MAX, RECOGNITION_MS_MAX)
        };
        let body = priced.recogniser.body(bytes);
        let digest = self.effects.digest(&body).await;
        // The body is hardly ever sent twice, so that it is made again rather than kept.
        let mut first = Some(body);
        let build = |now_ms| {
            let body = first.take();
            let body = body.unwrap_or_else(|| priced.recogniser.body(bytes));
            priced.recogniser.request_with(body, &digest, now_ms)
        };
        let read = |response: &WireResponse| {
            let faces = priced.recogniser.read(response);
            let nano_usd = charged(&faces, response, priced.nano_usd);
            let recognised = faces.map(|faces| Recognised {
                collage_check: (self.effects).collage_check(bytes, photo.picture(), &faces),
                faces,
            });
            (recognised, nano_usd)
        };
        call(self.effects, limits, attempts, || true, build, read).await
    }
}

/// Returns the result of a question to the memory, which costs nothing.
fn remembered(command: CommandId, outcome: Outcome) -> PhotoCallResult {
    let answer = Answer {
        command,
        attempts: 0,
        throttled: 0,
        nano_usd: 0,
        outcome,
        remarks: Vec::new(),
    };
    CallResult::with(answer, None)
}
