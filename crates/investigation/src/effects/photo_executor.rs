//! Executes an investigation's commands, and holds each fetched photo until it is sent to the recogniser.

use std::collections::BTreeMap;
use std::rc::Rc;

use domain::{
    Candidate, Failure, FailureKind, Hints, Hit, PhotoCopy, PhotoFailure, PhotoToRemember,
    SearchToRemember, Sha256Digest, Taken,
};
use engine::{Execute, ExecutedCall, Executor, PendingCommand, RunContext, RunState};
use kernel::CommandId;
use pixels::SmallPicture;
use platform::isolate::{BytePermit, HeldPhoto, PhotoPool};
use platform::{Browsers, Effects, PhotoPixels, RememberedPhotos, WriteError, timeout};
use providers::calls::{Attempts, CallResult};
use settings::Providers;

use crate::judgement;
use crate::machine::{Action, Answer, Command, Fetched, Outcome};
use crate::wire::{InvestigationEngine, PhotoSource};

use super::image::{
    FetchedPhoto, Instead, NoPhoto, PhotoAddresses, PhotoFetcher, PhotoForm, PhotoTransport,
    check_converted,
};
use super::{InvestigationCaller, Stop, passed_over};

/// The longest time for converting a photo, in milliseconds.
const CONVERSION_MS_MAX: u64 = 10_000;

/// The most characters shown of the platform's error text.
const WORDS_CHARS_MAX: usize = 100;

/// Executes the commands of one investigation.
pub struct PhotoExecutor<'run, E: Browsers> {
    caller: Rc<InvestigationCaller<'run, E>>,
    /// The fetched photos in memory, until they are recognised.
    photos: BTreeMap<CommandId, KeptPhoto>,
}

impl<'run, E: Effects + Browsers + RememberedPhotos> PhotoExecutor<'run, E> {
    /// Creates an executor that holds no photo yet.
    pub(super) fn new(caller: InvestigationCaller<'run, E>) -> Self {
        Self {
            caller: Rc::new(caller),
            photos: BTreeMap::new(),
        }
    }
}

/// One call, with the photo that it sends.
pub struct PhotoCall<'run, E: Browsers> {
    caller: Rc<InvestigationCaller<'run, E>>,
    sent: SentPhoto,
    /// The addresses of the pages that the run opens.
    pages: Vec<String>,
}

impl<E: Effects + Browsers + RememberedPhotos> Execute<E> for InvestigationEngine {
    type Executor<'run>
        = PhotoExecutor<'run, E>
    where
        E: 'run;

    fn executor<'run>(
        effects: &'run E,
        run: &RunContext<'run, '_, Self>,
    ) -> PhotoExecutor<'run, E> {
        PhotoExecutor::new(InvestigationCaller::new(effects, run))
    }
}

impl<'run, E: Effects + Browsers + RememberedPhotos> Executor<'run, InvestigationEngine>
    for PhotoExecutor<'run, E>
{
    type Prepared = PhotoCall<'run, E>;
    type Kept = KeptAnswer;

    fn prepare(
        &mut self,
        pending: &PendingCommand<InvestigationEngine>,
        state: &RunState<InvestigationEngine>,
    ) -> PhotoCall<'run, E> {
        let fetched_by = match pending.command().action {
            Action::Recognise { fetched_by } => Some(fetched_by),
            _ => None,
        };
        let held = fetched_by.and_then(|fetched_by| self.photos.remove(&fetched_by));
        let source = fetched_by.and_then(|fetched_by| state.memory().photo(fetched_by));
        let photo = match (held, source) {
            (Some(photo), _) => PhotoInput::Held(photo),
            (None, Some(source)) => PhotoInput::FetchAgain(source.clone()),
            (None, None) => PhotoInput::None,
        };
        let found = state
            .machine()
            .photo_to_recognise(pending.id())
            .and_then(|(hit, fetched)| {
                // A small copy is not stored for other runs, because a search engine may change its address at any
                // time. Nor is a photo with words against it: other runs would know only the title.
                let limits = &state.machine().request().limits;
                let is_stored = fetched.copy != PhotoCopy::Thumbnail
                    && judgement::word_doubt(limits, hit).is_none();
                is_stored.then(|| FoundPhoto {
                    hit: Hit {
                        image_url: hit.url(fetched.copy).to_owned(),
                        original_url: None,
                        thumbnail_url: None,
                        hints: Hints::default(),
                        ..hit.clone()
                    },
                    digest: fetched.digest.clone(),
                    taken: judgement::taken(hit, fetched),
                })
            });
        let candidates = if self.caller.needs_candidates() {
            state.machine().candidates(pending.id())
        } else {
            Vec::new()
        };
        PhotoCall {
            caller: self.caller.clone(),
            sent: SentPhoto {
                photo,
                candidates,
                found,
            },
            pages: state.machine().pages_to_capture(),
        }
    }

    async fn execute(
        prepared: Self::Prepared,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<ExecutedCall<InvestigationEngine, KeptAnswer>, WriteError> {
        prepared
            .caller
            .execute(command, prepared.sent, &prepared.pages, attempts)
            .await
    }

    fn keep(&mut self, command: CommandId, kept: KeptAnswer) {
        match kept {
            KeptAnswer::Photo(photo) => {
                if let Some(photo) = self.caller.keep(photo) {
                    self.photos.insert(command, photo);
                }
            }
            KeptAnswer::Remembered { recogniser } => self.caller.note_saved(&recogniser),
            KeptAnswer::Recognised(photo) => self.caller.remember(*photo),
            KeptAnswer::Searched(search) => self.caller.remember_search(*search),
        }
    }

    /// Drops the photos that need not be sent: photos that are already known, and photos of dropped searches.
    fn drop_unneeded(
        &mut self,
        state: &RunState<InvestigationEngine>,
        is_answered: impl Fn(CommandId) -> bool,
    ) {
        self.photos
            .retain(|command, _| is_answered(*command) || state.machine().needs_photo(*command));
    }

    fn drop_all(&mut self) {
        self.photos.clear();
    }

    async fn close(&self) {
        self.caller.close().await;
    }

    fn passed_over(&self, action: &Action) -> Outcome {
        passed_over(action)
    }
}

/// The result of executing a command, and the value that the executor keeps from it, such as a fetched photo.
pub type PhotoCallResult = CallResult<Outcome, KeptAnswer>;

/// The photo to recognise, as far as available.
#[derive(Debug)]
pub enum PhotoInput {
    /// The photo's bytes are in memory.
    Held(KeptPhoto),
    /// The photo must be fetched again: it was fetched by an earlier process or for an earlier run, or did not fit into
    /// memory.
    FetchAgain(PhotoSource),
    /// The command sends no photo, or its source is unknown.
    None,
}

/// The photo that a command sends, and its origin.
#[derive(Debug)]
pub struct SentPhoto {
    /// The photo itself.
    pub photo: PhotoInput,
    /// Whom the photo may show; empty if the recogniser need not be told.
    pub candidates: Vec<Candidate>,
    /// What is stored for other runs; `None` if the photo is not stored.
    pub found: Option<FoundPhoto>,
}

/// What is known of a photo before it is recognised, to be stored for other runs.
#[derive(Debug)]
pub struct FoundPhoto {
    /// The photo's address, page, title and credit.
    pub hit: Hit,
    /// The digest of the bytes as fetched.
    pub digest: Sha256Digest,
    /// When the photo was taken, if anything says so.
    pub taken: Option<Taken>,
}

/// A photo's bytes and, if there is memory for it, the decoded picture, so that the photo need not be decoded again.
#[derive(Debug)]
pub struct KeptPhoto {
    held: HeldPhoto,
    picture: Option<(SmallPicture, BytePermit)>,
}

impl KeptPhoto {
    /// Creates a photo without a decoded picture.
    pub fn new(held: HeldPhoto) -> Self {
        Self {
            held,
            picture: None,
        }
    }

    /// Creates a photo from a fetched one, in the format in which it is sent.
    pub(super) fn of(photo: FetchedPhoto) -> Self {
        Self::new(match photo.form {
            PhotoForm::Jpeg(bytes) => photo.held.converted(bytes),
            PhotoForm::AsItCame | PhotoForm::ToConvert => photo.held,
        })
    }

    /// Adds the decoded picture if there is memory for it now.
    pub fn with_pixels(mut self, pixels: PhotoPixels, pool: &PhotoPool) -> Self {
        self.picture = pixels.picture.and_then(|picture| {
            let permit = pool.keep_picture(picture.memory_bytes())?;
            Some((picture, permit))
        });
        self
    }

    /// Returns the file's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.held.bytes()
    }

    /// Returns the decoded picture, if available.
    pub fn picture(&self) -> Option<&SmallPicture> {
        self.picture.as_ref().map(|(picture, _)| picture)
    }

    /// Holds the photo until it is sent; `None` if there is no memory for it.
    pub fn keep(self, pool: &PhotoPool) -> Option<Self> {
        let held = pool.keep(self.held)?;
        Some(Self {
            held,
            picture: self.picture,
        })
    }

    /// Waits for the memory needed to send the photo.
    pub async fn ready_to_send(self, pool: &PhotoPool, sleep: &impl AsyncFn(u64)) -> Self {
        Self {
            held: pool.to_send(sleep, self.held).await,
            picture: self.picture,
        }
    }
}

/// What a call brings in addition to its answer.
#[derive(Debug)]
pub enum KeptAnswer {
    /// The fetched photo.
    Photo(KeptPhoto),
    /// Nothing, because an earlier run has paid this recogniser for the photo's answer.
    Remembered {
        /// The recogniser's id in the settings.
        recogniser: String,
    },
    /// What is stored about a recognised photo for other runs.
    Recognised(Box<PhotoToRemember>),
    /// An image search's answer, for other runs.
    Searched(Box<SearchToRemember>),
}

/// The photos of one run.
pub(super) struct RunPhotos<'run, E> {
    effects: &'run E,
    providers: &'run Providers,
}

impl<'run, E: Effects> RunPhotos<'run, E> {
    pub(super) fn new(effects: &'run E, providers: &'run Providers) -> Self {
        Self { effects, providers }
    }

    fn now_ms(&self) -> u64 {
        self.effects.now_ms()
    }

    /// Returns the photo that a command sends, once there is memory to send it.
    pub(super) async fn to_send(
        &self,
        command: &Command,
        photo: PhotoInput,
        attempts: Attempts<'_>,
    ) -> Result<KeptPhoto, Stop<Failure>> {
        let deadline_ms = self.now_ms().saturating_add(command.time_left_ms);
        let Some(photo) = self.photo(command, photo, attempts).await? else {
            let why = "its bytes could not be fetched again";
            return Err(Failure::new(FailureKind::BadImage, why).into());
        };
        let left_ms = deadline_ms.saturating_sub(self.now_ms());
        let effects = self.effects;
        let sleep = async |ms| effects.sleep(ms).await;
        let waiting = photo.ready_to_send(effects.photo_pool(), &sleep);
        let held = timeout(effects, left_ms, waiting).await;
        held.ok_or_else(|| Failure::new(FailureKind::Down, "the run's time is over").into())
    }

    /// Returns the photo that a command sends, if available.
    async fn photo(
        &self,
        command: &Command,
        photo: PhotoInput,
        attempts: Attempts<'_>,
    ) -> Result<Option<KeptPhoto>, WriteError> {
        Ok(match photo {
            PhotoInput::Held(photo) => Some(photo),
            PhotoInput::FetchAgain(source) => {
                attempts.begin_fetching_again()?;
                let addresses = PhotoAddresses::only(source.url());
                let may_convert = self.providers.converter.is_some();
                let fetch = self.fetch(addresses, may_convert, command, attempts);
                let photo = match fetch.await {
                    Ok(photo) => photo,
                    Err(stop) => {
                        stop.failure()?;
                        return Ok(None);
                    }
                };
                // The photo may be sent only if its bytes are the same as when it was first fetched.
                let digest = self.effects.digest(photo.held.bytes()).await;
                (digest == *source.digest()).then(|| KeptPhoto::of(photo))
            }
            PhotoInput::None => None,
        })
    }

    /// Fetches a photo. If the recogniser does not accept the photo, has it converted, if that is allowed.
    pub(super) async fn fetch(
        &self,
        addresses: PhotoAddresses<'_>,
        may_convert: bool,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<FetchedPhoto, Stop<NoPhoto>> {
        let Providers {
            addresses: policy,
            photo_agent,
            ..
        } = self.providers;
        let fetcher = PhotoFetcher {
            paces: self.effects.paces(),
            transport: PhotoTransport {
                network: self.effects,
                pool: self.effects.photo_pool(),
                addresses: policy,
                agent: photo_agent,
                may_convert: may_convert && self.providers.converter.is_some(),
            },
        };
        let began_ms = self.now_ms();
        let fetch = fetcher.fetch(addresses, command.time_left_ms, attempts);
        let photo = fetch.await?;
        if !matches!(photo.form, PhotoForm::ToConvert) {
            return Ok(photo);
        }
        let passed_ms = self.now_ms().saturating_sub(began_ms);
        let left_ms = command.time_left_ms.saturating_sub(passed_ms);
        self.convert(photo, left_ms, attempts).await
    }

    /// Has the platform convert a photo to JPEG. The cost is charged whatever the result.
    async fn convert(
        &self,
        photo: FetchedPhoto,
        left_ms: u64,
        attempts: Attempts<'_>,
    ) -> Result<FetchedPhoto, Stop<NoPhoto>> {
        let made = self.converted(photo.held.bytes(), left_ms, attempts);
        match made.await {
            Ok(jpeg) => Ok(FetchedPhoto {
                form: PhotoForm::Jpeg(jpeg),
                ..photo
            }),
            Err(stop) => {
                let failure = stop.failure()?;
                let instead = match photo.copy {
                    PhotoCopy::Image => Instead::Bytes(photo.held),
                    PhotoCopy::Original | PhotoCopy::Thumbnail => Instead::Nothing,
                };
                Err(Stop::Failed(NoPhoto { failure, instead }))
            }
        }
    }

    async fn converted(
        &self,
        bytes: &[u8],
        left_ms: u64,
        attempts: Attempts<'_>,
    ) -> Result<Vec<u8>, Stop<PhotoFailure>> {
        let unreadable = |why: String| {
            let why = format!("it could not be converted: {why}");
            Err(PhotoFailure::Unreadable(why).into())
        };
        let Some(converter) = self.providers.converter else {
            return unreadable("this server has no converter".to_owned());
        };
        attempts.begin_conversion(converter.nano_usd).await?;
        let made = self.effects.jpeg_of(bytes);
        let ms_max = left_ms.min(CONVERSION_MS_MAX);
        let jpeg = match timeout(self.effects, ms_max, made).await {
            Some(Ok(jpeg)) => jpeg,
            Some(Err(why)) => return unreadable(shortened(&why)),
            None => return unreadable("that takes too long".to_owned()),
        };
        attempts.read(|| check_converted(&jpeg))??;
        Ok(jpeg)
    }
}

/// Returns as much of the platform's words as fits into a line.
fn shortened(words: &str) -> String {
    words.chars().take(WORDS_CHARS_MAX).collect()
}

/// Returns the result of fetching a photo.
pub(super) fn fetched(
    command: CommandId,
    attempts: Attempts<'_>,
    photo: Result<(Fetched, KeptPhoto), Stop<PhotoFailure>>,
) -> Result<PhotoCallResult, WriteError> {
    let (outcome, kept) = match photo {
        Ok((fetched, photo)) => {
            let kept = match &fetched.remembered {
                Some(remembered) => KeptAnswer::Remembered {
                    recogniser: remembered.from.recogniser.clone(),
                },
                None => KeptAnswer::Photo(photo),
            };
            (Ok(fetched), Some(kept))
        }
        Err(stop) => (Err(stop.failure()?), None),
    };
    let answer = Answer {
        command,
        attempts: attempts.made(),
        throttled: 0,
        nano_usd: attempts.nano_usd(),
        outcome: Outcome::Fetched(outcome),
        remarks: Vec::new(),
    };
    Ok(CallResult::with(answer, kept))
}

/// Examines a fetched photo: computes the digest of its bytes, the digest of the bytes to send if these differ, and its
/// pixels.
pub(super) async fn looked_at<E: Effects>(
    photo: FetchedPhoto,
    effects: &E,
    attempts: Attempts<'_>,
) -> Result<(Fetched, KeptPhoto), WriteError> {
    let is_converted = matches!(photo.form, PhotoForm::Jpeg(_));
    let copy = photo.copy;
    let provenance = attempts.read(|| metadata::read(photo.held.bytes()))?;
    let digest = effects.digest(photo.held.bytes()).await;
    let kept = KeptPhoto::of(photo);
    let sent = if is_converted {
        Some(effects.digest(kept.bytes()).await)
    } else {
        None
    };
    let pixels = attempts.read(|| effects.photo_pixels(kept.bytes()))?;
    let fetched = Fetched {
        digest,
        copy,
        sent,
        provenance,
        remembered: None,
        fingerprint: pixels.fingerprint.clone(),
    };
    Ok((fetched, kept.with_pixels(pixels, effects.photo_pool())))
}
