//! What strangers read of the atlas: each at a bounded pace, a minute old at most, and only so much at the same time, so
//! that the database answers runs.

use std::cell::{Cell, RefCell};

use worker::{Cache, Env, Request, Response, Result};

use engine::Problem;
use engine::budget::client_digest;

use crate::door::{AtlasReaders, AtlasReading};

use super::clock::now_ms;
use super::environment;
use super::incoming::header;

/// An answer, or a refusal.
pub(super) type Told<T> = std::result::Result<T, Problem>;

/// The cache's rule for an answer.
const CACHE_CONTROL: &str = "public, max-age=60";
/// The header of a cached answer that says when it was made, in milliseconds since 1970.
const MADE_MS: &str = "atlas-made-ms";
/// The most questions of strangers that are under way in one isolate.
const UNDER_WAY_MAX: usize = 4;
/// The time after which a question is over, in milliseconds: the database ends it by then. Where a reader goes away the
/// platform may not run what a turn does when it is dropped.
const UNDER_WAY_MS_MAX: u64 = 30_000;

thread_local! {
    static READERS: RefCell<AtlasReaders> = RefCell::default();
    /// The times at which those that are under way began.
    static UNDER_WAY: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    /// When something was forgotten last: what was cached before is not told any more.
    static FORGOTTEN_MS: Cell<u64> = const { Cell::new(0) };
}

/// Notes that something was forgotten now.
pub(super) fn note_forgotten() {
    FORGOTTEN_MS.set(now_ms());
}

/// Returns what the atlas tells a stranger, as JSON. `pairs` are the question, `tell` asks the database.
pub(super) async fn told_to_stranger(
    request: &Request,
    env: &Env,
    (pairs, reading): (Vec<(&'static str, String)>, AtlasReading),
    tell: impl AsyncFnOnce() -> Told<String>,
) -> Result<Told<String>> {
    let cache = Cache::default();
    let mut address = request.url()?;
    address.set_path("/atlas/told");
    address.set_query(None);
    address.query_pairs_mut().extend_pairs(pairs);
    if let Some(mut cached) = cache.get(address.as_str(), false).await? {
        let made_ms = cached.headers().get(MADE_MS)?;
        let made_ms = made_ms.and_then(|text| text.parse::<u64>().ok());
        if made_ms.is_some_and(|made_ms| made_ms > FORGOTTEN_MS.get()) {
            return Ok(Ok(cached.text().await?));
        }
    }
    if let Err(problem) = admit(request, env, reading).await? {
        return Ok(Err(problem));
    }
    let Some(_turn) = Turn::take() else {
        let detail = "The atlas is read by many at the moment; try again in a few seconds.";
        return Ok(Err(Problem::new(503, detail).after(5)));
    };
    let made_ms = now_ms();
    let found = tell().await;
    if let Ok(text) = &found {
        let response = Response::ok(text)?;
        let headers = response.headers();
        headers.set("cache-control", CACHE_CONTROL)?;
        headers.set(MADE_MS, &made_ms.to_string())?;
        // The answer is good without the cache, too.
        if let Err(error) = cache.put(address.as_str(), response).await {
            worker::console_warn!("the atlas is not cached: {error}");
        }
    }
    Ok(found)
}

/// Lets a stranger ask, at a pace of their own: the isolate's, and for what reads much the platform's, where there is one.
async fn admit(request: &Request, env: &Env, reading: AtlasReading) -> Result<Told<()>> {
    let address = header(request, "cf-connecting-ip");
    let client = client_digest(address.as_deref(), now_ms());
    let taken = READERS.with_borrow_mut(|readers| readers.take(&client, reading, now_ms()));
    let mut wait_s = taken.err();
    if wait_s.is_none()
        && reading == AtlasReading::Many
        && let Some(limiter) = environment::rate_limiter(env)
        && !limiter.limit(format!("atlas {client}")).await?.success
    {
        wait_s = Some(60);
    }
    Ok(match wait_s {
        None => Ok(()),
        Some(wait_s) => {
            let detail = format!("Too much was read of the atlas; try again in {wait_s} seconds.");
            Err(Problem::too_many(detail, wait_s))
        }
    })
}

/// A question that is under way since this time, in milliseconds since 1970.
struct Turn(u64);

impl Turn {
    fn take() -> Option<Self> {
        let begun_ms = now_ms();
        UNDER_WAY.with_borrow_mut(|under_way| {
            under_way.retain(|one| begun_ms.saturating_sub(*one) < UNDER_WAY_MS_MAX);
            (under_way.len() < UNDER_WAY_MAX).then(|| {
                under_way.push(begun_ms);
                Self(begun_ms)
            })
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        UNDER_WAY.with_borrow_mut(|under_way| {
            if let Some(place) = under_way.iter().position(|one| *one == self.0) {
                under_way.swap_remove(place);
            }
        });
    }
}
