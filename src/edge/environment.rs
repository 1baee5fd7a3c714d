//! The run object's [`Effects`].

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use domain::{RunToken, Secret, Sha256Digest};
use engine::run::{EventLog, StopSwitch};
use js_sys::{Date, Function, Promise, Reflect, Uint8Array, global};
use serde_json::value::RawValue;
use settings::{Binding, Bindings, Settings};
use wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::{
    AnalyticsEngineDataset, Delay, Env, Fetcher, KvStore, RateLimiter, Result, SqlStorage, Stub,
};

use platform::events::WireEvent;
use platform::isolate::{Paces, PhotoPool};
use platform::{ChildRefusal, Effects, Network, TransportError, WireRequest, WriteError};

use crate::auth::Requester;
use crate::engines::{EngineName, OpenedRun};
use crate::run_object::{CreationJson, LiveRunCall, Starter};

use super::alarm::FencingToken;
use super::failure::Failure;
use super::network::{AiBinding, ImagesBinding, TransportBody, WorkerNetwork};
use super::object::LiveRun;
use super::photo_database::PhotoDatabase;
use super::run_creation::creator_key;
use super::{artifact_table, deletion, documents, event_table, journal_table, json_table};

thread_local! {
    /// The paces that all runs of this isolate share.
    static PACES: Rc<Paces> = Rc::default();
    static PHOTO_POOL: Rc<PhotoPool> = Rc::default();
}

/// The shortest time that KV keeps a document.
const DOCUMENT_S_MIN: u64 = 60;

/// The outside of a run, as the platform offers it.
pub(super) struct Platform {
    network: WorkerNetwork,
    paces: Rc<Paces>,
    photo_pool: Rc<PhotoPool>,
    sql: SqlStorage,
    kv: KvStore,
    time_to_live_s: u64,
    /// The time at which everything of the run is deleted, in milliseconds since 1970.
    expires_ms: u64,
    log: Rc<EventLog>,
    stop: Rc<StopSwitch>,
    token: FencingToken,
    secrets: Rc<BTreeMap<String, Secret>>,
    env: Env,
    opened: OpenedRun,
}

impl Platform {
    /// Makes the platform for one conductor of a run: the one that has this token.
    pub(super) fn new(
        env: &Env,
        sql: SqlStorage,
        kv: KvStore,
        live: &LiveRun,
        time_to_live_s: u64,
        token: FencingToken,
        secrets: Rc<BTreeMap<String, Secret>>,
    ) -> Self {
        Self {
            network: WorkerNetwork::new(env),
            paces: PACES.with(Rc::clone),
            photo_pool: PHOTO_POOL.with(Rc::clone),
            sql,
            kv,
            time_to_live_s,
            expires_ms: live.opened().expires_ms(),
            log: live.log().clone(),
            stop: live.stop_switch().clone(),
            token,
            secrets,
            env: env.clone(),
            opened: live.opened().clone(),
        }
    }

    /// Returns the things that the platform gives by name.
    pub(super) fn env(&self) -> &Env {
        &self.env
    }

    /// Returns the KV namespace with the documents of all runs.
    pub(super) fn kv(&self) -> &KvStore {
        &self.kv
    }

    /// Checks that this conductor may still write: one that was broken off and replaced writes and
    /// tells nothing any more.
    fn check_token(&self) -> Result<(), WriteError> {
        if self.token.is_valid() {
            Ok(())
        } else {
            Err(WriteError)
        }
    }

    /// Returns the time to live of a document: none outlives its run, and KV keeps none shorter
    /// than a minute.
    pub(super) fn document_time_to_live_s(&self) -> u64 {
        let left_s = self.expires_ms.saturating_sub(now_ms()) / 1_000;
        self.time_to_live_s.min(left_s).max(DOCUMENT_S_MIN)
    }
}

impl Network for Platform {
    type Body = TransportBody;

    fn now_ms(&self) -> u64 {
        self.network.now_ms()
    }

    fn jitter(&self) -> f64 {
        self.network.jitter()
    }

    async fn sleep(&self, ms: u64) {
        self.network.sleep(ms).await;
    }

    async fn open(
        &self,
        request: WireRequest,
    ) -> Result<http::Response<TransportBody>, TransportError> {
        self.network.open(request).await
    }
}

impl Effects for Platform {
    fn paces(&self) -> &Paces {
        &self.paces
    }

    fn photo_pool(&self) -> &PhotoPool {
        &self.photo_pool
    }

    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        self.check_token()?;
        let put = self.kv.put(key, document).map_err(|_| WriteError)?;
        put.expiration_ttl(self.document_time_to_live_s())
            .execute()
            .await
            .map_err(|_| WriteError)
    }

    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError> {
        self.check_token()?;
        journal_table::write(&self.sql, number, entry).map_err(|_| WriteError)
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.check_token()?;
        event_table::write(&self.sql, &event).map_err(|_| WriteError)?;
        self.log.show(&event);
        Ok(())
    }

    async fn digest(&self, bytes: &[u8]) -> Sha256Digest {
        sha256(bytes).await
    }

    async fn jpeg_of(&self, photo: &[u8]) -> Result<Vec<u8>, String> {
        match ImagesBinding::of(&self.env) {
            Some(images) => images.jpeg_of(photo).await,
            None => Err("this Worker has no binding IMAGES".to_owned()),
        }
    }

    async fn stop_requested(&self) {
        self.stop.wait().await;
    }

    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError> {
        self.check_token()?;
        artifact_table::put(&self.sql, digest, mime_type, bytes).map_err(|_| WriteError)
    }

    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError> {
        artifact_table::get(&self.sql, digest).map_err(|_| WriteError)
    }

    fn sent_secret(&self, name: &str) -> Option<Secret> {
        self.secrets.get(name).cloned()
    }

    fn child_token(&self) -> Option<RunToken> {
        let mut random = [0; 24];
        getrandom::fill(&mut random).ok()?;
        let session = RunToken::parse(self.opened.run()).ok()?;
        RunToken::new(Some(session.session()), random).ok()
    }

    async fn stored_document(&self, key: &str) -> Result<Option<String>, TransportError> {
        let read = documents::read_key(&self.env, key).await;
        read.map_err(|_| TransportError::Broken)
    }

    async fn begin_child(&self, run: &RunToken, order: &str) -> Result<(), ChildRefusal> {
        // A conductor that was replaced begins no run.
        if self.check_token().is_err() {
            return Err(ChildRefusal::Unreachable);
        }
        begin(&self.env, &self.sql, &self.opened, run, order).await
    }

    async fn child_end(&self, run: &RunToken) -> Result<String, TransportError> {
        end(&self.env, run).await
    }

    async fn stop_child(&self, run: &RunToken) {
        stop(&self.env, run).await;
    }
}

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
pub(super) fn kv_documents(env: &Env) -> Result<KvStore> {
    env.kv(KV_BINDING)
}

/// Returns the fetcher of the page's files.
pub(super) fn static_files(env: &Env) -> Result<Fetcher> {
    env.assets(ASSETS_BINDING)
}

/// The name under which is stored who started a run.
const STARTER_NAME: &str = "starter";

/// Keeps who started a run: the runs that it begins have the same starter.
pub(super) fn keep_starter(sql: &SqlStorage, starter: &Starter) -> Result<()> {
    json_table::put(sql, STARTER_NAME, starter)
}

/// Begins a run for the starter of this object's run.
pub(super) async fn begin(
    env: &Env,
    sql: &SqlStorage,
    parent: &OpenedRun,
    run: &RunToken,
    order: &str,
) -> std::result::Result<(), ChildRefusal> {
    let unreachable = |_| ChildRefusal::Unreachable;
    let order = RawValue::from_string(order.to_owned());
    let order =
        order.map_err(|_| ChildRefusal::Refused("The run's order cannot be read.".to_owned()))?;
    let starter: Option<Starter> = json_table::get(sql, STARTER_NAME).map_err(unreachable)?;
    let creation = CreationJson {
        run: run.to_string(),
        order,
        creator: creator_key(sql).map_err(unreachable)?,
        fork: None,
        secrets: BTreeMap::default(),
        host: parent.host().map(str::to_owned),
        key: None,
        kept_until_ms: Some(parent.expires_ms()),
        starter: starter.map(|starter| Starter {
            limits: starter.limits.of_child(),
            ..starter
        }),
    };
    match deletion::create(env, run, &creation).await {
        Ok(_) => Ok(()),
        Err(Failure::Refused(problem)) if problem.status() < 500 => {
            Err(ChildRefusal::Refused(problem.detail().to_owned()))
        }
        Err(_) => Err(ChildRefusal::Unreachable),
    }
}

/// Returns the last event of a run, once it is there.
pub(super) async fn end(env: &Env, run: &RunToken) -> std::result::Result<String, TransportError> {
    let broken = |_| TransportError::Broken;
    let answer = deletion::call(env, run, LiveRunCall::Last).await;
    let mut answer = answer.map_err(broken)?;
    if answer.status_code() != 200 {
        return Err(TransportError::Broken);
    }
    answer.text().await.map_err(broken)
}

/// Asks a run to end.
pub(super) async fn stop(env: &Env, run: &RunToken) {
    let stop = LiveRunCall::Stop(Requester::Operator);
    if let Err(error) = deletion::call(env, run, stop).await {
        worker::console_warn!("a run that another run began could not be stopped: {error}");
    }
}

/// Returns the milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    // The number is whole and far below 2^53. It is asked for at every step: `worker::Date` would
    // make an object each time.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and after 1970"
    )]
    let now_ms = Date::now() as u64;
    now_ms
}

/// Waits for this number of milliseconds.
pub(super) async fn sleep(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}

/// The fewest bytes that are given to the platform: with fewer the way there and back takes longer.
const BYTES_MIN: usize = 8 * 1024;
const SHA256_BYTES: usize = 32;

/// Returns the SHA-256 of these bytes.
pub(super) async fn sha256(bytes: &[u8]) -> Sha256Digest {
    if bytes.len() < BYTES_MIN {
        return Sha256Digest::of(bytes);
    }
    let made = by_the_platform(bytes).await;
    // The platform has no reason to fail.
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
