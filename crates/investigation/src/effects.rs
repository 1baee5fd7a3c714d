//! Executes an investigation's commands: one exhaustive `match` over the actions, with the provider, limits and price
//! of each.

mod image;
mod known_photos;
mod page_camera;
mod photo_executor;
mod run_memory;

use std::cell::{Cell, RefCell};
use std::future::ready;

use domain::{
    Candidate, Failure, FailureKind, FoundHits, Life, Limits, ListPage, PhotoCopy, PhotoFailure,
    PhotoToRemember, PlanQuestion, RecognisedBy, SearchQuestion, SearchToRemember, Sha256Digest,
    SidesToConnect, WikidataNumber,
};
use engine::RunContext;
use futures::FutureExt as _;
use futures::future::{join, join_all};
use kernel::CommandId;
use platform::{Browsers, Effects, RememberedPhotos, Stop, WireRequest, WireResponse, WriteError};
use providers::calls::{
    Asked, Attempts, CallLimits, CallResult, Choice, Choices, Failover, RetryOutcome, ask_in_order,
    ask_once, charged, limits,
};
use providers::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, Usage, wikidata};
use settings::{PricedRecogniser, PricedSearch, Providers};

use crate::judgement;
use crate::machine::{Action, Answer, Command, Fetched, Outcome, Recognised};
use crate::wire::InvestigationEngine;

use image::{Instead, NoPhoto, PhotoAddresses};
use page_camera::{PageCamera, PageToOpen};
use photo_executor::{
    KeptAnswer, KeptPhoto, PhotoCallResult, RunPhotos, SentPhoto, fetched, looked_at,
};
use run_memory::{AnswersToReuse, RunMemory};

pub use image::{WebpError, check_photo, jpeg_of_webp, webp_size};
pub use known_photos::{KnownPhotos, PhotoToFetch};
pub use photo_executor::PhotoExecutor;

/// The longest time of one attempt of a recognition, in milliseconds. It includes sending up to 7 MB.
const RECOGNITION_MS_MAX: u64 = 15_000;

/// The longest time of one attempt of a planner call, in milliseconds.
const PLAN_MS_MAX: u64 = 8_000;

/// The longest pause between two attempts of a planner call, in milliseconds.
const PLAN_PAUSE_MS_MAX: u64 = 2_000;

/// The most throttled attempts of a planner call.
const PLAN_THROTTLED_MAX: u32 = 5;

/// The longest wait for the dates of people's lives, in milliseconds.
const LIVES_MS_MAX: u64 = 4_000;

/// The longest time of one attempt of a search, in milliseconds.
const SEARCH_MS_MAX: u64 = 10_000;

/// Returns the outcome of a call that is not repeated, because reading its answer crashed the program twice.
fn passed_over(action: &Action) -> Outcome {
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
        Action::Lives(_) => Outcome::Lives(Vec::new()),
        Action::Recall(_) => Outcome::Recalled(Vec::new()),
        Action::Connect(_) => Outcome::Connected(0),
    }
}

/// The providers, the limits and the memory with which the commands of one run are executed.
struct InvestigationCaller<'run, E: Browsers> {
    effects: &'run E,
    providers: &'run Providers,
    photos: RunPhotos<'run, E>,
    failover: Failover,
    memory: RunMemory<'run, E>,
    camera: PageCamera<'run, E>,
    limits: Limits,
}

impl<'run, E: Effects + Browsers + RememberedPhotos> InvestigationCaller<'run, E> {
    /// Creates the executor of a run's commands. If the run is resumed, `run` includes what its journal says about it.
    pub fn new(effects: &'run E, run: &RunContext<'run, '_, InvestigationEngine>) -> Self {
        Self {
            effects,
            providers: run.providers,
            photos: RunPhotos::new(effects, run.providers),
            memory: RunMemory::new(effects, run),
            failover: Failover::restored(run.set_aside.iter()),
            camera: PageCamera::new(effects, run),
            // No run has an order that cannot be read.
            limits: (run.order.request()).map_or_else(|_| Limits::default(), |asked| asked.limits),
        }
    }

    /// Returns whether a recogniser must be told whom to look for.
    pub fn needs_candidates(&self) -> bool {
        let mut all = self.providers.recognisers.iter();
        all.any(|priced| priced.recogniser.needs_candidates())
    }

    /// Holds a photo in memory until it is sent; `None` if there is no memory for it.
    pub fn keep(&self, photo: KeptPhoto) -> Option<KeptPhoto> {
        photo.keep(self.effects.photo_pool())
    }

    /// Stores a recognised photo for other runs.
    pub fn remember(&self, photo: PhotoToRemember) {
        self.memory.keep(photo);
    }

    /// Stores an image search's answer for other runs.
    pub fn remember_search(&self, search: SearchToRemember) {
        self.memory.keep_search(search);
    }

    /// Counts a recognition that cost nothing, because the answer was remembered.
    pub fn note_saved(&self, recogniser: &str) {
        self.memory.note_saved(recogniser);
    }

    /// Closes the browser, and stores what other runs may need.
    pub async fn close(&self) {
        self.memory.tell();
        self.camera.end().await;
    }

    fn now_ms(&self) -> u64 {
        self.effects.now_ms()
    }

    /// Executes one command; `pages` are the addresses of the pages that the run opens. Fails if the journal is not
    /// writable.
    pub async fn execute(
        &self,
        command: &Command,
        sent: SentPhoto,
        pages: &[String],
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let id = command.id;
        let left_ms = command.time_left_ms;
        match &command.action {
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
                call.execute(command, attempts).await
            }
            Action::Fetch {
                image_url,
                original_url,
                thumbnail_url,
                may_convert,
            } => {
                let addresses = PhotoAddresses {
                    image: image_url,
                    original: original_url.as_deref(),
                    thumbnail: thumbnail_url.as_deref(),
                };
                let photo =
                    self.fetch(addresses, *may_convert, &sent.candidates, command, attempts);
                fetched(id, attempts, photo.await)
            }
            Action::FetchKnown {
                sides,
                place,
                may_convert,
            } => {
                let known = (sides.as_ref(), *place);
                let photo = self.fetch_known(known, *may_convert, command, attempts);
                fetched(id, attempts, photo.await)
            }
            Action::Recognise { .. } => self.recognise_photo(command, sent, attempts).await,
            Action::Plan(question) => self.plan(question, command, attempts).await,
            Action::Lives(people) => {
                let lives = self.lives(people, left_ms).await;
                Ok(remembered(id, Outcome::Lives(lives)))
            }
            Action::Recall(people) => {
                let photos = self.memory.recall(people, left_ms, attempts).await;
                Ok(remembered(id, Outcome::Recalled(photos)))
            }
            Action::Connect(sides) => {
                let photos = self.memory.connect(sides, left_ms, attempts).await;
                Ok(remembered(id, Outcome::Connected(photos)))
            }
            Action::Capture { url } => {
                let page = PageToOpen {
                    url,
                    of_run: pages,
                    ms_max: left_ms,
                };
                self.camera.capture(id, &page, attempts).await
            }
        }
    }

    /// Asks Wikidata when people were born and died. Leaves out those for whom it does not answer: the run goes on
    /// without their dates.
    async fn lives(&self, people: &[WikidataNumber], left_ms: u64) -> Vec<Life> {
        let Some(settings) = &self.providers.wikidata else {
            return Vec::new();
        };
        let ms_max = left_ms.min(LIVES_MS_MAX);
        let asked = people.iter().map(async |number| {
            let [born, died] = wikidata::life_requests(settings, number)
                .map(|request| ask_once(self.effects, ms_max, request));
            let (born, died) = join(born, died).await;
            wikidata::read_life(number, [&born?, &died?])
        });
        let lives: Vec<Result<Life, Failure>> = join_all(asked).await;
        lives.into_iter().filter_map(Result::ok).collect()
    }

    /// Asks a planner whom to try next.
    async fn plan(
        &self,
        question: &PlanQuestion,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let choices = self.providers.planners.iter().map(|priced| Choice {
            id: priced.planner.id(),
            name: priced.planner.name(),
            // The number of tokens is known only from the answer, so the highest price of a call is assumed.
            price_nano_usd: priced.nano_usd_max(),
            per_second_max: None,
            build: Box::new(|_| ready(priced.planner.request(question)).boxed_local()),
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
        let choices: Vec<_> = choices.collect();
        let limits = CallLimits {
            // The pauses are short, because the ranking decides if the planner does not answer.
            pause_ms_max: PLAN_PAUSE_MS_MAX,
            throttled_max: command.throttled_max.min(PLAN_THROTTLED_MAX),
            is_waited_for: false,
            ..limits(command, JSON_BYTES_MAX, PLAN_MS_MAX)
        };
        // The answer is an `Outcome`, so that `ask_in_order` is compiled once for searches and plans.
        let asked = ask_in_order(
            self.effects,
            &self.failover,
            choices.into(),
            limits,
            attempts,
        );
        Ok(CallResult::of(command.id, asked.await?, |outcome| {
            outcome.unwrap_or_else(|failure| Outcome::Planned(Err(failure)))
        }))
    }

    /// Fetches a photo, and looks up whether an earlier run stored a recognition for the same bytes.
    async fn fetch(
        &self,
        addresses: PhotoAddresses<'_>,
        may_convert: bool,
        candidates: &[Candidate],
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<(Fetched, KeptPhoto), Stop<PhotoFailure>> {
        let deadline_ms = self.now_ms().saturating_add(command.time_left_ms);
        attempts.begin(0).await?;
        let known = || self.memory.recalled_digest(addresses.image);
        let fetch = (self.photos).fetch(addresses, may_convert, command, attempts);
        let photo = match fetch.await {
            Ok(photo) => looked_at(photo, self.effects, attempts).await?,
            Err(stop) => {
                let no_photo = stop.failure()?;
                let failure = match known() {
                    Some(known) => self.noted(&known, no_photo).await,
                    None => no_photo.failure,
                };
                return Err(failure.into());
            }
        };
        // The digest of a recalled photo belongs to the photo's own address. Other copies have different bytes, so they
        // do not show whether the photo has changed.
        if let Some(known) = known().filter(|_| photo.0.copy == PhotoCopy::Image) {
            self.memory.note_come(&known, photo.0.digest == known);
        }
        let left_ms = deadline_ms.saturating_sub(self.now_ms());
        let wanted = AnswersToReuse::About(candidates);
        Ok((self.memory)
            .with_answer(photo, wanted, left_ms, attempts)
            .await?)
    }

    /// Records what arrived in place of the recalled photo with this digest, and returns the failure. The recalled
    /// photo counts as changed only if it was deleted or other bytes arrived.
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

    /// Fetches a photo of a remembered chain, of which the run knows only the length. Returns what the photo shows, if
    /// the photo's bytes are unchanged. If they have changed, fails and reveals nothing else.
    async fn fetch_known(
        &self,
        (sides, place): (&SidesToConnect, usize),
        may_convert: bool,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<(Fetched, KeptPhoto), Stop<PhotoFailure>> {
        let deadline_ms = self.now_ms().saturating_add(command.time_left_ms);
        attempts.begin(0).await?;
        let left_ms = command.time_left_ms;
        let Some(known) = (self.memory.photo_of(sides, place, left_ms, attempts)).await else {
            return Err(PhotoFailure::Unfetchable("it is remembered no more".into()).into());
        };
        let addresses = PhotoAddresses::only(&known.hit.image_url);
        let fetch = (self.photos).fetch(addresses, may_convert, command, attempts);
        let photo = match fetch.await {
            Ok(photo) => looked_at(photo, self.effects, attempts).await?,
            Err(stop) => {
                let failure = self.noted(&known.digest, stop.failure()?).await;
                return Err(failure.into());
            }
        };
        let is_same = photo.0.digest == known.digest;
        self.memory.note_come(&known.digest, is_same);
        if !is_same {
            let why = "it is not the one any more that was recognised before";
            return Err(PhotoFailure::Unreadable(why.into()).into());
        }
        let left_ms = deadline_ms.saturating_sub(self.now_ms());
        let photo = (self.memory).with_answer(photo, AnswersToReuse::All, left_ms, attempts);
        let (mut fetched, kept) = photo.await?;
        let Some(remembered) = &mut fetched.remembered else {
            self.memory.note_missed(&known.digest);
            let why = "its answer cannot be had";
            return Err(PhotoFailure::Unreadable(why.into()).into());
        };
        let is_vetoed = remembered.recognised.collage_check.veto().is_some();
        remembered.hit = Some(known.hit.clone());
        if judgement::word_doubt(&self.limits, &known.hit).is_some_and(|doubt| doubt.rejects) {
            self.memory.note_vetoed(&known.digest);
        }
        if is_vetoed || judgement::rejection(&self.limits, &known.hit, &fetched).is_some() {
            // A rejected photo makes no link, so another chain must be looked for.
            self.memory.note_missed(&known.digest);
        }
        Ok((fetched, kept))
    }

    /// Sends a photo to the recogniser, and stores what other runs may need of the answer.
    async fn recognise_photo(
        &self,
        command: &Command,
        SentPhoto {
            photo,
            candidates,
            found,
        }: SentPhoto,
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let began_ms = self.now_ms();
        let photo = self.photos.to_send(command, photo, attempts).await;
        let passed_ms = self.now_ms().saturating_sub(began_ms);
        let command = Command {
            time_left_ms: command.time_left_ms.saturating_sub(passed_ms),
            ..command.clone()
        };
        let photo = match photo {
            Ok(photo) => photo,
            Err(stop) => {
                // Nothing was sent, but converting the photo may have cost something.
                let called = RetryOutcome {
                    nano_usd: attempts.nano_usd(),
                    ..RetryOutcome::not_sent(stop.failure()?)
                };
                let first = self.providers.recognisers.first();
                let id = first.map_or("recogniser", |priced| priced.recogniser.id());
                let asked = Asked::of_one(id, called);
                return Ok(CallResult::of(command.id, asked, Outcome::Recognised));
            }
        };
        let is_whole = Cell::new(false);
        let choices = self.providers.recognisers.iter();
        let choices =
            choices.map(|priced| self.recognition(priced, &photo, &candidates, &is_whole));
        let choices: Vec<_> = choices.collect();
        let limits = limits(&command, RECOGNITION_BYTES_MAX, RECOGNITION_MS_MAX);
        let asked = ask_in_order(
            self.effects,
            &self.failover,
            choices.into(),
            limits,
            attempts,
        )
        .await?;
        let kept = match &asked.called.result {
            Ok(Outcome::Recognised(Ok(recognised))) if is_whole.get() => {
                let body = asked.called.body_digest.as_ref();
                (self.memory).worth_keeping(found, recognised, candidates, body)
            }
            _ => None,
        };
        let kept = kept.map(|photo| KeptAnswer::Recognised(Box::new(photo)));
        let result = CallResult::of(command.id, asked, |outcome| {
            outcome.unwrap_or_else(|failure| Outcome::Recognised(Err(failure)))
        });
        Ok(result.keeping(kept))
    }

    /// Returns how one recogniser is asked for a photo. `is_whole` is set to whether everybody was looked for.
    fn recognition<'call>(
        &'call self,
        priced: &'call PricedRecogniser,
        photo: &'call KeptPhoto,
        candidates: &'call [Candidate],
        is_whole: &'call Cell<bool>,
    ) -> Choice<'call, Outcome> {
        let recogniser = priced.recogniser.as_ref();
        Choice {
            id: recogniser.id(),
            name: recogniser.name(),
            price_nano_usd: priced.nano_usd,
            per_second_max: Some(priced.per_second_max),
            build: Box::new(move |now_ms| {
                // A body is hardly ever sent twice, so a repeated attempt builds it again.
                let request = async move {
                    let body = recogniser.body(photo.bytes(), candidates);
                    let digest = self.effects.digest(&body).await;
                    recogniser.request_with(body, &digest, now_ms)
                };
                request.boxed_local()
            }),
            read: Box::new(move |response| {
                let answer = recogniser.read(response);
                let nano_usd = charged(&answer, response, priced.nano_usd);
                // A photo that is too large for one recogniser says nothing about the next photos.
                let answer = answer.map_err(|mut failure| {
                    if failure.kind == FailureKind::TooLarge {
                        failure.kind = FailureKind::BadImage;
                    }
                    failure
                });
                let outcome = answer.map(|answer| {
                    is_whole.set(answer.is_whole);
                    let (bytes, picture) = (photo.bytes(), photo.picture());
                    Outcome::Recognised(Ok(Recognised {
                        collage_check: (self.effects).collage_check(bytes, picture, &answer.faces),
                        faces: answer.faces,
                        by: Some(RecognisedBy {
                            recogniser: recogniser.id().to_owned(),
                            model: answer.model,
                        }),
                    }))
                });
                (outcome, nano_usd)
            }),
        }
    }
}

/// Returns the result of a request to the memory, which is free.
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

/// One search with the parts of its run that it needs.
struct SearchCall<'call, 'run, E> {
    pub effects: &'run E,
    /// The image searches in the operator's order.
    pub searches: &'run [PricedSearch],
    pub failover: &'call Failover,
    pub memory: &'call RunMemory<'run, E>,
    pub question: &'call SearchQuestion,
    /// The number of requested hits.
    pub count: u32,
    /// The requested image search, and the page of that image search's list.
    pub part: &'call ListPage,
    /// The ids of the image searches that were already asked the same question.
    pub asked_before: &'call [String],
}

/// The question in the form of one image search.
#[derive(Clone, Copy)]
struct AskedSearch<'call> {
    priced: &'call PricedSearch,
    question: &'call SearchQuestion,
    count: u32,
    page: u32,
}

impl AskedSearch<'_> {
    fn id(self) -> &'static str {
        self.priced.search.id()
    }

    fn request(self) -> Result<WireRequest, Failure> {
        (self.priced.search).request(self.question, self.count, self.page)
    }

    fn read(self, response: &WireResponse) -> Result<FoundHits, Failure> {
        let mut list = self.priced.search.read(self.question, response)?;
        // Some providers return more hits than requested.
        list.hits
            .truncate(usize::try_from(self.count).unwrap_or(usize::MAX));
        Ok(FoundHits {
            has_more: list.has_more(self.count),
            hits: list.hits,
            part: ListPage {
                source: Some(self.id().to_owned()),
                page: self.page,
            },
        })
    }

    /// Returns the digest under which the answer is stored; `None` if the provider's terms forbid storing it.
    fn digest(self) -> Option<Sha256Digest> {
        let request = self.priced.search.may_be_kept().then(|| self.request())?;
        let asked = format!("{} {}", self.id(), request.ok()?.uri());
        Some(Sha256Digest::of(asked.as_bytes()))
    }
}

impl<E: Effects + RememberedPhotos> SearchCall<'_, '_, E> {
    /// Searches, unless an earlier run's answer is stored. Fails if the journal is not writable.
    async fn execute(
        self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let result = |asked: Asked<Outcome>| {
            CallResult::of(command.id, asked, |outcome| {
                outcome.unwrap_or_else(|failure| Outcome::Searched(Err(failure)))
            })
        };
        let began_ms = self.effects.now_ms();
        let (asked, answered_by) = self.in_order();
        if let Some((asked, at_ms)) = self.remembered(&asked, command, attempts).await? {
            return Ok(result(asked).given_before(at_ms));
        }
        let kept = RefCell::new(None);
        let (call, to_keep) = (&self, &kept);
        let choices = asked.into_iter().map(|one| Choice {
            id: one.id(),
            name: one.priced.search.name(),
            price_nano_usd: one.priced.nano_usd,
            per_second_max: None,
            build: Box::new(move |_| ready(one.request()).boxed_local()),
            read: Box::new(move |response| {
                let found = one.read(response);
                // An empty list is not stored, because a person without photos today may have some tomorrow.
                if found.as_ref().is_ok_and(|found| !found.hits.is_empty()) {
                    to_keep.replace(call.worth_keeping(one, response));
                }
                let nano_usd = charged(&found, response, one.priced.nano_usd);
                (found.map(Outcome::Found), nano_usd)
            }),
        });
        let choices = Choices {
            list: choices.collect(),
            answered_by,
        };
        let passed_ms = self.effects.now_ms().saturating_sub(began_ms);
        let limits = CallLimits {
            time_left_ms: command.time_left_ms.saturating_sub(passed_ms),
            ..limits(command, JSON_BYTES_MAX, SEARCH_MS_MAX)
        };
        let asked = ask_in_order(self.effects, self.failover, choices, limits, attempts).await?;
        let kept = kept.take().map(Box::new);
        Ok(result(asked).keeping(kept.map(KeptAnswer::Searched)))
    }

    /// Returns the image searches to ask, the requested one first. Other image searches that were already asked this
    /// question are left out. If one of those is not set aside, also returns its id and name. A further page is
    /// requested only from the requested image search; the others are asked for the first page of their own lists.
    fn in_order(&self) -> (Vec<AskedSearch<'_>>, Option<(&'static str, &'static str)>) {
        let is_meant = |one: &&PricedSearch| Some(one.search.id()) == self.part.source.as_deref();
        let (meant, others): (Vec<_>, Vec<_>) = self.searches.iter().partition(is_meant);
        let was_asked = |one: &&PricedSearch| {
            let mut before = self.asked_before.iter();
            before.any(|id| *id == one.search.id())
        };
        let (known, others): (Vec<_>, Vec<_>) = others.into_iter().partition(was_asked);
        let asked = meant.into_iter().chain(others).map(|priced| AskedSearch {
            priced,
            question: self.question,
            count: self.count.min(priced.search.extent().hits_max),
            page: if is_meant(&priced) { self.part.page } else { 0 },
        });
        let now_ms = self.effects.now_ms();
        let may_ask = |one: &&&PricedSearch| self.failover.may_ask(one.search.id(), now_ms);
        let known = known
            .iter()
            .find(may_ask)
            .map(|priced| (priced.search.id(), priced.search.name()));
        (asked.collect(), known)
    }

    /// Returns the answer that the next image search gave to an earlier run, and the answer's time in milliseconds
    /// since 1970.
    async fn remembered(
        &self,
        asked: &[AskedSearch<'_>],
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<Option<(Asked<Outcome>, u64)>, WriteError> {
        let now_ms = self.effects.now_ms();
        let mut may_be_asked = asked
            .iter()
            .filter(|one| self.failover.may_ask(one.id(), now_ms));
        let Some(next) = may_be_asked.next().filter(|_| self.memory.uses_searches()) else {
            return Ok(None);
        };
        let Some(question) = next.digest() else {
            return Ok(None);
        };
        let answer = self
            .memory
            .search(&question, command.time_left_ms, attempts);
        let Some(answer) = answer.await else {
            return Ok(None);
        };
        let body = Sha256Digest::of(answer.body.as_bytes());
        let response = WireResponse::new(answer.body.into_bytes());
        // If this version cannot read the stored answer, the image search is asked again.
        let Ok(found) = attempts.read(|| next.read(&response))? else {
            return Ok(None);
        };
        let asked = Asked::of_one(
            next.id(),
            RetryOutcome {
                result: Ok(Outcome::Found(found)),
                attempts: 0,
                throttled: 0,
                nano_usd: 0,
                body_digest: Some(body),
            },
        );
        Ok(Some((asked, answer.at_ms)))
    }

    fn worth_keeping(
        &self,
        asked: AskedSearch<'_>,
        response: &WireResponse,
    ) -> Option<SearchToRemember> {
        let question = self.memory.uses_searches().then(|| asked.digest())??;
        self.memory.search_worth_keeping(question, response.body())
    }
}
