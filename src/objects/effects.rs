//! The [`Effects`] of runs in production, provided by the run's object.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cdp::DrivenBrowser;
use domain::page::{BrowserAddress, BrowserTerms};
use domain::{
    MemoryNews, PeopleToRecall, RecalledPhoto, RememberedAnswer, RememberedSearch, RunToken,
    Secret, Sha256Digest,
};
use engine::run::{EventLog, StopSwitch};
use serde_json::value::RawValue;
use worker::wasm_bindgen_futures::spawn_local;
use worker::{Env, KvStore, Result, SqlStorage};

use platform::events::WireEvent;
use platform::isolate::{Paces, PhotoPool};
use platform::{
    AddressWriter, BrowserError, Browsers, ChildRefusal, Effects, MemoryDown, Network,
    RememberedPhotos, TransportError, WantedAnswers, WireRequest, WriteError,
};

use crate::auth::Requester;
use crate::engines::OpenedRun;
use crate::memory::{read_search, search_answer};
use crate::run_object::{CreationJson, LiveRunCall, Starter};
use crate::storage::photo_database::PhotoDatabase;
use crate::storage::{artifact_table, documents, event_table, journal_table};
use crate::transport::bindings::{now_ms, sha256};
use crate::transport::browsers::{EdgeDevTools, client as browser_client};
use crate::transport::failure::Failure;
use crate::transport::network::{ImagesBinding, TransportBody, WorkerNetwork};

use super::alarm::FencingToken;
use super::beginning::{creator_key, starter};
use super::client;
use super::live_run::LiveRun;

thread_local! {
    /// The rate limits shared by all runs of this isolate.
    static PACES: Rc<Paces> = Rc::default();
    static PHOTO_POOL: Rc<PhotoPool> = Rc::default();
}

/// KV's minimum time to live, in seconds.
const DOCUMENT_S_MIN: u64 = 60;

/// A run's effects on the platform.
pub(crate) struct Platform {
    network: WorkerNetwork,
    paces: Rc<Paces>,
    photo_pool: Rc<PhotoPool>,
    sql: SqlStorage,
    kv: KvStore,
    time_to_live_s: u64,
    /// The time at which everything about the run is deleted, in milliseconds since 1970.
    expires_ms: u64,
    log: Rc<EventLog>,
    stop: Rc<StopSwitch>,
    token: FencingToken,
    secrets: Rc<BTreeMap<String, Secret>>,
    env: Env,
    opened: OpenedRun,
}

impl Platform {
    /// Makes the effects for the conductor with this fencing token.
    pub(crate) fn new(
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

    /// Returns the KV namespace with the documents of all runs.
    pub(crate) fn kv(&self) -> &KvStore {
        &self.kv
    }

    /// Checks that this conductor may still write. One that was replaced must write and send nothing more.
    fn check_token(&self) -> Result<(), WriteError> {
        if self.token.is_valid() {
            Ok(())
        } else {
            Err(WriteError)
        }
    }

    /// Returns the time to live of a document, in seconds. It is the rest of the run's time to live, but at least KV's
    /// minimum.
    pub(crate) fn document_time_to_live_s(&self) -> u64 {
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
        // A conductor that was replaced must not begin a run.
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

/// Begins a child run for the starter of this object's run.
async fn begin(
    env: &Env,
    sql: &SqlStorage,
    parent: &OpenedRun,
    run: &RunToken,
    order: &str,
) -> Result<(), ChildRefusal> {
    let unreachable = |_| ChildRefusal::Unreachable;
    let order = RawValue::from_string(order.to_owned());
    let order =
        order.map_err(|_| ChildRefusal::Refused("The run's order cannot be read.".to_owned()))?;
    let starter = starter(sql).map_err(unreachable)?;
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
    match client::create(env, run, &creation).await {
        Ok(_) => Ok(()),
        Err(Failure::Refused(problem)) if problem.status() < 500 => {
            Err(ChildRefusal::Refused(problem.detail().to_owned()))
        }
        Err(_) => Err(ChildRefusal::Unreachable),
    }
}

/// Returns the last event of a run, and waits for it if necessary.
async fn end(env: &Env, run: &RunToken) -> Result<String, TransportError> {
    let broken = |_| TransportError::Broken;
    let answer = client::call(env, run, LiveRunCall::Last).await;
    let mut answer = answer.map_err(broken)?;
    if answer.status_code() != 200 {
        return Err(TransportError::Broken);
    }
    answer.text().await.map_err(broken)
}

/// Stops a run.
async fn stop(env: &Env, run: &RunToken) {
    let stop = LiveRunCall::Stop(Requester::Operator);
    if let Err(error) = client::call(env, run, stop).await {
        worker::console_warn!("a run that another run began could not be stopped: {error}");
    }
}

impl Browsers for Platform {
    type Browser = DrivenBrowser<EdgeDevTools>;

    async fn begin_browser(
        &self,
        terms: &BrowserTerms,
        note: AddressWriter<'_>,
        ms_max: u64,
    ) -> Result<Self::Browser, BrowserError> {
        browser_client(&self.env)?
            .begin_browser(terms, note, ms_max)
            .await
    }

    async fn attach_browser(
        &self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        lost: Option<&Self::Browser>,
        ms_max: u64,
    ) -> Result<Self::Browser, BrowserError> {
        browser_client(&self.env)?
            .attach_browser(terms, address, lost, ms_max)
            .await
    }

    async fn end_browser(&self, address: &BrowserAddress) {
        if let Ok(client) = browser_client(&self.env) {
            client.end_browser(address).await;
        }
    }
}

thread_local! {
    /// Whether this isolate has logged a failure to write to the memory.
    static IS_TOLD: Cell<bool> = const { Cell::new(false) };
}

impl Platform {
    fn database(&self) -> Result<PhotoDatabase, MemoryDown> {
        let none = || MemoryDown("this Worker has no binding DB".to_owned());
        PhotoDatabase::of(&self.env).ok_or_else(none)
    }
}

impl RememberedPhotos for Platform {
    async fn remembered_answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Result<Option<RememberedAnswer>, MemoryDown> {
        self.database()?.answer(digest, wanted).await
    }

    async fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> Result<Vec<RecalledPhoto>, MemoryDown> {
        self.database()?.recall(people, wanted).await
    }

    async fn remembered_search(
        &self,
        question: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Result<Option<RememberedSearch>, MemoryDown> {
        let found = self
            .database()?
            .ask(&search_answer(question, wanted))
            .await?;
        Ok(found.as_deref().and_then(read_search))
    }

    fn remember(&self, news: MemoryNews) {
        // The run does not wait for this write. If the write fails, only the savings of later runs are lost.
        if let Ok(database) = self.database() {
            spawn_local(async move {
                if let Err(MemoryDown(why)) = database.keep(&news).await
                    && !IS_TOLD.replace(true)
                {
                    worker::console_error!("what runs recognise could not be kept: {why}");
                }
            });
        }
    }
}
