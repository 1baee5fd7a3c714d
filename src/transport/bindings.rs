//! The platform's bindings and services: settings, storage, objects, clock, random numbers, digests.

use std::pin::pin;
use std::time::Duration;

use domain::Sha256Digest;
use futures::future::{Either, select};
use js_sys::{Date, Function, Promise, Reflect, Uint8Array, global};
use settings::{Binding, Bindings, Settings};
use wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::{
    AnalyticsEngineDataset, D1Database, Delay, Env, Error, Fetcher, KvStore, RateLimiter, Result,
    Stub,
};

use crate::engines::EngineName;

use super::network::{AiBinding, ImagesBinding};

const KV_BINDING: &str = "KV";
const RUNS_BINDING: &str = "RUNS";
const BUDGET_BINDING: &str = "BUDGET";
const RATE_LIMITER_BINDING: &str = "RATE_LIMITER";
const ANALYTICS_BINDING: &str = "ANALYTICS";
const BROWSER_BINDING: &str = "BROWSER";
const ASSETS_BINDING: &str = "ASSETS";
const DATABASE_BINDING: &str = "DB";

/// Reads the operator's settings. Variables and secrets are read in the same way.
pub(crate) fn settings(env: &Env) -> Settings {
    let lookup = |name: &str| env.var(name).ok().map(|value| value.to_string());
    Settings::read(
        lookup,
        Bindings::among([
            (Binding::Ai, AiBinding::of(env).is_some()),
            (Binding::Browser, browser_binding(env).is_some()),
            (Binding::Images, ImagesBinding::of(env).is_some()),
            (Binding::Database, database(env).is_some()),
        ]),
        &EngineName::variables(),
    )
}

/// Returns the binding to the platform's browsers, if configured.
pub(crate) fn browser_binding(env: &Env) -> Option<Fetcher> {
    env.service(BROWSER_BINDING).ok()
}

/// Returns the object with this name. The name is a run's token, `key:` and the digest of an idempotency key, or
/// `session:` and the id of an MCP session.
pub(crate) fn object(env: &Env, name: &str) -> Result<Stub> {
    env.durable_object(RUNS_BINDING)?.get_by_name(name)
}

/// Returns the object of the daily budget.
pub(crate) fn budget_object(env: &Env) -> Result<Stub> {
    env.durable_object(BUDGET_BINDING)?.get_by_name("day")
}

/// Returns the platform's rate limiter for starts, if configured.
pub(crate) fn rate_limiter(env: &Env) -> Option<RateLimiter> {
    env.rate_limiter(RATE_LIMITER_BINDING).ok()
}

/// Returns the dataset for runs' data points, if configured.
pub(crate) fn analytics(env: &Env) -> Option<AnalyticsEngineDataset> {
    env.analytics_engine(ANALYTICS_BINDING).ok()
}

/// Returns the KV namespace with the documents of all runs.
pub(crate) fn kv_documents(env: &Env) -> Result<KvStore> {
    env.kv(KV_BINDING)
}

/// Returns the fetcher of the static files.
pub(crate) fn static_files(env: &Env) -> Result<Fetcher> {
    env.assets(ASSETS_BINDING)
}

/// Returns this Worker's database, if configured.
pub(crate) fn database(env: &Env) -> Option<D1Database> {
    env.d1(DATABASE_BINDING).ok()
}

/// Returns the current time in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    // An integer far below 2^53. This runs at every step, and `worker::Date` would allocate an object each time.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and after 1970"
    )]
    let now_ms = Date::now() as u64;
    now_ms
}

/// Waits for this number of milliseconds.
pub(crate) async fn sleep(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}

/// The fewest bytes that the platform hashes. For fewer bytes, calling the platform takes longer than hashing here.
const BYTES_MIN: usize = 8 * 1024;
const SHA256_BYTES: usize = 32;

/// Returns the SHA-256 of these bytes.
pub(crate) async fn sha256(bytes: &[u8]) -> Sha256Digest {
    if bytes.len() < BYTES_MIN {
        return Sha256Digest::of(bytes);
    }
    let made = by_the_platform(bytes).await;
    // The platform has no reason to fail. If it does, the bytes are hashed here.
    made.unwrap_or_else(|_| Sha256Digest::of(bytes))
}

/// Calls `crypto.subtle.digest("SHA-256", bytes)`.
async fn by_the_platform(bytes: &[u8]) -> Result<Sha256Digest, JsValue> {
    let crypto = Reflect::get(&global(), &"crypto".into())?;
    let subtle = Reflect::get(&crypto, &"subtle".into())?;
    let digest: Function = Reflect::get(&subtle, &"digest".into())?.dyn_into()?;
    let made = digest.call2(&subtle, &"SHA-256".into(), &Uint8Array::from(bytes))?;
    let made = JsFuture::from(made.dyn_into::<Promise>()?).await?;
    let made: [u8; SHA256_BYTES] = Uint8Array::new(&made)
        .to_vec()
        .try_into()
        .map_err(|_| JsValue::NULL)?;
    Ok(Sha256Digest::new(made))
}

/// Returns random bytes.
pub(crate) fn random() -> Result<[u8; 32]> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| Error::RustError(error.to_string()))?;
    Ok(random)
}

/// Awaits a future for at most `ms` milliseconds. Fails on timeout.
pub(crate) async fn in_time<T>(future: impl Future<Output = Result<T>>, ms: u64) -> Result<T> {
    match select(pin!(future), pin!(sleep(ms))).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(Error::RustError("no answer in time".into())),
    }
}
