//! Carries one command out, in one exhaustive `match`: which provider is asked, within which bounds,
//! at which price.

use std::cell::Cell;

use sha2::{Digest as _, Sha256};

use crate::domain::{Face, Failure, FailureKind, Hit, PhotoDigest, PlanAnswer, PlanQuestion};
use crate::investigation::{Action, Answer, Command, CommandId, Fetched, Outcome};
use crate::providers::{
    JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, WireResponse, gemini, google, rekognition,
};

use super::calls::{Bounds, Called, call};
use super::effects::Effects;
use super::photos::{FetchedPhoto, fetch_photo};
use super::settings::{PlannerSettings, Providers};

/// One attempt of a search, in milliseconds.
const SEARCH_MS_MAX: u64 = 10_000;
/// One attempt of a recognition: up to 7 MB go up.
const RECOGNITION_MS_MAX: u64 = 15_000;
/// One attempt of a planner call.
const PLAN_MS_MAX: u64 = 8_000;
/// Between two attempts of a planner call.
const PLAN_PAUSE_MS_MAX: u64 = 2_000;

/// Carries one command out. A fetched photo's bytes come along with the answer.
pub(super) async fn perform<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    photo: Option<(CommandId, Vec<u8>)>,
    attempts_made: &Cell<u32>,
) -> (Answer, Option<Vec<u8>>) {
    let mut fetched = None;
    let (outcome, attempts, nano_usd) = match &command.action {
        Action::Search { query, count } => {
            let called = search(effects, providers, command, attempts_made, query, *count).await;
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
            let called = recognise(effects, providers, command, attempts_made, bytes).await;
            (
                Outcome::Recognised(called.result),
                called.attempts,
                called.nano_usd,
            )
        }
        Action::Plan(question) => {
            let called = plan(effects, providers, command, attempts_made, question).await;
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
    attempts_made: &Cell<u32>,
    query: &str,
    count: u32,
) -> Called<Vec<Hit>> {
    let price = providers.prices.search_nano_usd;
    call(
        effects,
        bounds(command, attempts_made, JSON_BYTES_MAX, SEARCH_MS_MAX),
        |_| google::request(&providers.search, query, count),
        |response| (google::read(response), charged(response, price)),
    )
    .await
}

async fn recognise<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    attempts_made: &Cell<u32>,
    bytes: Option<Vec<u8>>,
) -> Called<Vec<Face>> {
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
        bounds(
            command,
            attempts_made,
            RECOGNITION_BYTES_MAX,
            RECOGNITION_MS_MAX,
        ),
        |now_ms| rekognition::request(&providers.recogniser, &bytes, now_ms),
        |response| (rekognition::read(response), charged(response, price)),
    )
    .await
}

async fn plan<E: Effects>(
    effects: &E,
    providers: &Providers,
    command: &Command,
    attempts_made: &Cell<u32>,
    question: &PlanQuestion,
) -> Called<PlanAnswer> {
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
        Bounds {
            // The ranking decides as well, and sooner than a long pause.
            pause_ms_max: PLAN_PAUSE_MS_MAX,
            ..bounds(command, attempts_made, JSON_BYTES_MAX, PLAN_MS_MAX)
        },
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

fn bounds<'call>(
    command: &Command,
    attempts_made: &'call Cell<u32>,
    bytes_max: usize,
    attempt_ms_max: u64,
) -> Bounds<'call> {
    Bounds {
        bytes_max,
        attempt_ms_max,
        attempts_max: command.attempts_max,
        time_left_ms: command.time_left_ms,
        pause_ms_max: u64::MAX,
        attempts_made,
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
