//! The things that the platform gives to the Worker by name: settings, run objects, KV and static
//! files.

use worker::kv::KvStore;
use worker::{AnalyticsEngineDataset, Env, Fetcher, RateLimiter, Result, Stub};

use settings::{Binding, Bindings, Settings};

use crate::engines::EngineName;

use super::ai_binding::AiBinding;
use super::images_binding::ImagesBinding;
use super::photo_database::PhotoDatabase;

const KV_BINDING: &str = "KV";
const RUNS_BINDING: &str = "RUNS";
const BUDGET_BINDING: &str = "BUDGET";
const RATE_LIMITER_BINDING: &str = "RATE_LIMITER";
const ANALYTICS_BINDING: &str = "ANALYTICS";
const BROWSER_BINDING: &str = "BROWSER";
const ASSETS_BINDING: &str = "ASSETS";

/// Reads the operator's settings, from variables and secrets alike.
pub(super) fn settings(env: &Env) -> Settings {
    let lookup = |name: &str| env.var(name).ok().map(|value| value.to_string());
    Settings::read(
        lookup,
        Bindings::among([
            (Binding::Ai, AiBinding::of(env).is_some()),
            (Binding::Browser, browser_binding(env).is_some()),
            (Binding::Images, ImagesBinding::of(env).is_some()),
            (Binding::Database, PhotoDatabase::of(env).is_some()),
        ]),
        &EngineName::variables(),
    )
}

/// Returns the binding of the platform's browsers, if this Worker has it.
pub(super) fn browser_binding(env: &Env) -> Option<Fetcher> {
    env.service(BROWSER_BINDING).ok()
}

/// Returns the object of this name: a run's token, or `key:` and the digest of an idempotency key.
pub(super) fn object(env: &Env, name: &str) -> Result<Stub> {
    env.durable_object(RUNS_BINDING)?.get_by_name(name)
}

/// Returns the object that keeps the budget of the day.
pub(super) fn budget_object(env: &Env) -> Result<Stub> {
    env.durable_object(BUDGET_BINDING)?.get_by_name("day")
}

/// Returns the platform's limiter of starts, or `None` where this Worker has none.
pub(super) fn rate_limiter(env: &Env) -> Option<RateLimiter> {
    env.rate_limiter(RATE_LIMITER_BINDING).ok()
}

/// Returns the dataset for data points of runs, or `None` where this Worker has none.
pub(super) fn analytics(env: &Env) -> Option<AnalyticsEngineDataset> {
    env.analytics_engine(ANALYTICS_BINDING).ok()
}

/// Returns the KV namespace with the documents of all runs.
pub(super) fn documents(env: &Env) -> Result<KvStore> {
    env.kv(KV_BINDING)
}

/// Returns the fetcher of the page's files.
pub(super) fn static_files(env: &Env) -> Result<Fetcher> {
    env.assets(ASSETS_BINDING)
}
