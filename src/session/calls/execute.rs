//! Carries one command out: one exhaustive `match` over what is wanted, and for each the provider,
//! its limits and its price.

use crate::domain::{
    Failure, FailureKind, Hit, NamedPerson, PhotoFailure, PlanAnswer, PlanQuestion, SearchQuestion,
    Sha256Digest, Wording,
};
use crate::investigation::{Action, Answer, Command, CommandId, Fetched, Outcome, Recognised};
use crate::journal::{CallKey, PhotoSource};
use crate::providers::{
    JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, WireResponse, gemini, google, rekognition,
};
use crate::session::effects::{Effects, WriteError};
use crate::session::settings::{AddressPolicy, PlannerSettings, Prices, Providers};

use super::image::{FetchedPhoto, fetch_photo};
use super::retry::{Attempts, CallLimits, RetryOutcome, call};

/// One attempt of a search, in milliseconds.
const SEARCH_MS_MAX: u64 = 10_000;
/// One attempt of a recognition: up to 7 MB go up.
const RECOGNITION_MS_MAX: u64 = 15_000;
/// One attempt of a planner call.
const PLAN_MS_MAX: u64 = 8_000;
/// Between two attempts of a planner call.
const PLAN_PAUSE_MS_MAX: u64 = 2_000;

/// What carrying a command out came to.
#[derive(Debug)]
pub struct CallResult {
    answer: Answer,
    body_digest: Option<Sha256Digest>,
    photo: Option<Vec<u8>>,
}

impl CallResult {
    /// An answer of an earlier run: nothing was sent.
    pub fn reused(command: CommandId, outcome: Outcome) -> Self {
        Self {
            answer: Answer {
                command,
                attempts: 0,
                nano_usd: 0,
                outcome,
            },
            body_digest: None,
            photo: None,
        }
    }

    /// The answer for the machine.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// SHA-256 of the provider's raw body, where one came.
    pub fn body_digest(&self) -> Option<&Sha256Digest> {
        self.body_digest.as_ref()
    }

    /// The answer, and the bytes of the photo that was fetched.
    pub fn into_answer_and_photo(self) -> (Answer, Option<Vec<u8>>) {
        (self.answer, self.photo)
    }

    fn of<T>(
        command: CommandId,
        called: RetryOutcome<T>,
        outcome: fn(Result<T, Failure>) -> Outcome,
    ) -> Self {
        Self {
            answer: Answer {
                command,
                attempts: called.attempts,
                nano_usd: called.nano_usd,
                outcome: outcome(called.result),
            },
            body_digest: called.body_digest,
            photo: None,
        }
    }
}

/// The photo that is to be recognised.
#[derive(Debug)]
pub enum PhotoInput {
    /// Its bytes are in memory.
    Bytes(Vec<u8>),
    /// It was fetched by an earlier process, or for an earlier run.
    FetchAgain(PhotoSource),
    /// The command sends no photo, or its source is not known.
    None,
}

/// Carries one command out. Fails where the journal cannot be written.
pub async fn execute<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    photo: PhotoInput,
    attempts: Attempts<'_>,
) -> Result<CallResult, WriteError> {
    let id = command.id;
    Ok(match &command.action {
        Action::Search { query, count } => {
            let called = search(effects, providers, command, attempts, query, *count).await?;
            CallResult::of(id, called, Outcome::Searched)
        }
        Action::Fetch {
            image_url,
            thumbnail_url,
        } => {
            attempts.begin(0).await?;
            let (policy, left_ms) = (&providers.addresses, command.time_left_ms);
            let thumbnail_url = thumbnail_url.as_deref();
            let photo = fetch_photo(effects, policy, image_url, thumbnail_url, left_ms).await;
            fetched(id, photo)
        }
        Action::Recognise { .. } => {
            let began_ms = effects.now_ms();
            let bytes = match photo {
                PhotoInput::Bytes(bytes) => Some(bytes),
                PhotoInput::FetchAgain(source) => {
                    attempts.begin_fetching_again()?;
                    let (policy, left_ms) = (&providers.addresses, command.time_left_ms);
                    fetch_again(effects, policy, &source, left_ms).await
                }
                PhotoInput::None => None,
            };
            let passed_ms = effects.now_ms().saturating_sub(began_ms);
            let command = Command {
                time_left_ms: command.time_left_ms.saturating_sub(passed_ms),
                ..command.clone()
            };
            let called = recognise(effects, providers, &command, attempts, bytes).await?;
            CallResult::of(id, called, Outcome::Recognised)
        }
        Action::Plan(question) => {
            let called = plan(effects, providers, command, attempts, question).await?;
            CallResult::of(id, called, Outcome::Planned)
        }
    })
}

fn fetched(command: CommandId, photo: Result<FetchedPhoto, PhotoFailure>) -> CallResult {
    let digest_of = |photo: &FetchedPhoto| Fetched {
        digest: Sha256Digest::of(&photo.bytes),
        is_thumbnail: photo.is_thumbnail,
    };
    let outcome = photo.as_ref().map(digest_of).map_err(Clone::clone);
    CallResult {
        answer: Answer {
            command,
            attempts: 1,
            nano_usd: 0,
            outcome: Outcome::Fetched(outcome),
        },
        body_digest: None,
        photo: photo.ok().map(|photo| photo.bytes),
    }
}

/// The bytes that were fetched before, if the same ones still come.
async fn fetch_again<E: Effects>(
    effects: &E,
    policy: &AddressPolicy,
    source: &PhotoSource,
    left_ms: u64,
) -> Option<Vec<u8>> {
    let photo = fetch_photo(effects, policy, source.url(), None, left_ms).await;
    let photo = photo.ok()?;
    let digest = Sha256Digest::of(&photo.bytes);
    (digest == *source.digest()).then_some(photo.bytes)
}

/// What one attempt of a call costs at the operator's prices; a plan's tokens are known only from
/// its answer.
pub fn price_of_attempt(prices: &Prices, key: &CallKey) -> u64 {
    match key {
        CallKey::Search { .. } => prices.search_nano_usd,
        CallKey::Recognise { .. } => prices.recognition_nano_usd,
        CallKey::Fetch { .. } | CallKey::Plan { .. } => 0,
    }
}

async fn search<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    attempts: Attempts<'_>,
    query: &str,
    count: u32,
) -> Result<RetryOutcome<Vec<Hit>>, WriteError> {
    let price = providers.prices.search_nano_usd;
    // The command holds the question's text alone, as if it were one name.
    let question = SearchQuestion {
        people: vec![NamedPerson {
            name: query.to_owned(),
            number: None,
        }],
        wording: Wording::Names,
    };
    call(
        effects,
        CallLimits {
            price_nano_usd: price,
            ..limits(command, JSON_BYTES_MAX, SEARCH_MS_MAX)
        },
        attempts,
        |_| google::request(&providers.search, &question, count),
        |response| (google::read(response), charged(response, price)),
    )
    .await
}

async fn recognise<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    attempts: Attempts<'_>,
    bytes: Option<Vec<u8>>,
) -> Result<RetryOutcome<Recognised>, WriteError> {
    let Some(bytes) = bytes else {
        let failure = Failure::new(FailureKind::BadImage, "its bytes could not be had again");
        return Ok(RetryOutcome::not_sent(failure));
    };
    let price = providers.prices.recognition_nano_usd;
    call(
        effects,
        CallLimits {
            price_nano_usd: price,
            ..limits(command, RECOGNITION_BYTES_MAX, RECOGNITION_MS_MAX)
        },
        attempts,
        |now_ms| rekognition::request(&providers.recogniser, &bytes, now_ms),
        |response| {
            let faces = rekognition::read(response);
            let recognised = faces.map(|faces| Recognised {
                veto: effects.collage_veto(&bytes, &faces),
                faces,
            });
            (recognised, charged(response, price))
        },
    )
    .await
}

async fn plan<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    attempts: Attempts<'_>,
    question: &PlanQuestion,
) -> Result<RetryOutcome<PlanAnswer>, WriteError> {
    let PlannerSettings::Gemini(settings) = &providers.planner else {
        let failure = Failure::new(FailureKind::Misconfigured, "no planner is configured");
        return Ok(RetryOutcome::not_sent(failure));
    };
    let prices = &providers.prices;
    call(
        effects,
        CallLimits {
            // The ranking decides as well, and sooner than a long pause.
            pause_ms_max: PLAN_PAUSE_MS_MAX,
            ..limits(command, JSON_BYTES_MAX, PLAN_MS_MAX)
        },
        attempts,
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

fn limits(command: &Command, bytes_max: usize, attempt_ms_max: u64) -> CallLimits {
    CallLimits {
        bytes_max,
        attempt_ms_max,
        attempts_max: command.attempts_max,
        time_left_ms: command.time_left_ms,
        pause_ms_max: u64::MAX,
        price_nano_usd: 0,
    }
}

/// Providers charge for what they answered, readable or not.
fn charged(response: &WireResponse, price: u64) -> u64 {
    if response.status().is_success() {
        price
    } else {
        0
    }
}
