//! The run object's [`Effects`].

use std::collections::BTreeMap;
use std::rc::Rc;

use worker::{Env, KvStore, SqlStorage};

use domain::{RunToken, Secret, Sha256Digest};
use engine::run::{EventLog, StopSwitch};
use platform::events::WireEvent;
use platform::isolate::{Paces, PhotoPool};
use platform::{
    Artifacts, ChildRefusal, Children, Effects, Network, SentSecrets, TransportError, WireRequest,
    WriteError,
};

use crate::engines::OpenedRun;

use super::clock::now_ms;
use super::fencing::FencingToken;
use super::images_binding::ImagesBinding;
use super::live_run::LiveRun;
use super::transport::TransportBody;
use super::worker_network::WorkerNetwork;
use super::{artifact_table, child_runs, digest, event_table, journal_table, stored_documents};

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
        digest::sha256(bytes).await
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
}

impl Artifacts for Platform {
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
}

impl SentSecrets for Platform {
    fn sent_secret(&self, name: &str) -> Option<Secret> {
        self.secrets.get(name).cloned()
    }
}

impl Children for Platform {
    fn child_token(&self) -> Option<RunToken> {
        let mut random = [0; 24];
        getrandom::fill(&mut random).ok()?;
        let session = RunToken::parse(self.opened.run()).ok()?;
        RunToken::new(Some(session.session()), random).ok()
    }

    async fn stored_document(&self, key: &str) -> Result<Option<String>, TransportError> {
        let read = stored_documents::read_key(&self.env, key).await;
        read.map_err(|_| TransportError::Broken)
    }

    async fn begin_child(&self, run: &RunToken, order: &str) -> Result<(), ChildRefusal> {
        // A conductor that was replaced begins no run.
        if self.check_token().is_err() {
            return Err(ChildRefusal::Unreachable);
        }
        child_runs::begin(&self.env, &self.sql, &self.opened, run, order).await
    }

    async fn child_end(&self, run: &RunToken) -> Result<String, TransportError> {
        child_runs::end(&self.env, run).await
    }

    async fn stop_child(&self, run: &RunToken) {
        child_runs::stop(&self.env, run).await;
    }
}
