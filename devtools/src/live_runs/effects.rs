//! The effects of a run with a real browser: its journal and events in memory, real time, and the sandbox's models.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;

use cdp::{BrowserClient, DevTools};
use domain::page::{BrowserAddress, BrowserTerms};
use domain::{RunToken, Secret, Sha256Digest};
use platform::events::WireEvent;
use platform::isolate::{Paces, PhotoPool};
use platform::{
    ARTIFACTS_BYTES_MAX, AddressWriter, BrowserError, Browsers, ChildRefusal, Effects, Network,
    TransportError, WireRequest, WriteError,
};
use sandbox::{ReplyBody, Sandbox};

use super::clock::now_ms;
use super::watched_browser::{Watch, WatchedBrowser};

/// The stored part of a run, which outlives the process that conducts the run.
#[derive(Debug, Default)]
pub(super) struct LiveStore {
    journal: RefCell<BTreeMap<u32, String>>,
    events: RefCell<BTreeMap<u32, WireEvent>>,
    artifacts: RefCell<BTreeMap<Sha256Digest, Vec<u8>>>,
    questions: RefCell<Vec<Value>>,
}

impl LiveStore {
    /// Stores the first entries of a journal.
    pub(super) fn begin(&self, entries: &[String]) {
        let entries = (1u32..).zip(entries.iter().cloned());
        self.journal.borrow_mut().extend(entries);
    }

    /// Returns the journal, the oldest entry first.
    pub(super) fn entries(&self) -> Vec<String> {
        self.journal.borrow().values().cloned().collect()
    }

    /// Returns the bodies of all requests that were sent to models.
    pub(super) fn questions(&self) -> Vec<Value> {
        self.questions.borrow().clone()
    }

    /// Returns the events, the oldest first.
    pub(super) fn events(&self) -> Vec<WireEvent> {
        self.events.borrow().values().cloned().collect()
    }
}

/// The effects of one process that conducts a run.
pub(super) struct LiveEffects<D: DevTools> {
    pub(super) store: Rc<LiveStore>,
    pub(super) client: BrowserClient<D>,
    pub(super) models: Rc<RefCell<Sandbox>>,
    pub(super) secrets: BTreeMap<String, Secret>,
    pub(super) watch: Rc<Watch>,
    pub(super) paces: Paces,
    pub(super) photo_pool: PhotoPool,
}

impl<D: DevTools> Network for LiveEffects<D> {
    type Body = Vec<u8>;

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }

    async fn open(&self, request: WireRequest) -> Result<http::Response<Vec<u8>>, TransportError> {
        let question = serde_json::from_slice(request.body()).unwrap_or_default();
        self.store.questions.borrow_mut().push(question);
        let reply = self.models.borrow_mut().respond(request, now_ms());
        self.sleep(reply.latency_ms).await;
        Ok(reply.response.map(|body| match body {
            ReplyBody::Whole(whole) => whole,
            ReplyBody::Pieces { chunks, .. } => {
                chunks.into_iter().flat_map(|chunk| chunk.bytes).collect()
            }
        }))
    }
}

impl<D: DevTools> Effects for LiveEffects<D> {
    fn paces(&self) -> &Paces {
        &self.paces
    }

    fn photo_pool(&self) -> &PhotoPool {
        &self.photo_pool
    }

    async fn put(&self, _key: &str, _document: &str) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError> {
        let mut journal = self.store.journal.borrow_mut();
        journal.insert(number, entry.to_owned());
        Ok(())
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        let mut events = self.store.events.borrow_mut();
        events.insert(event.number, event);
        Ok(())
    }

    async fn stop_requested(&self) {
        std::future::pending::<()>().await;
    }

    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        _mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError> {
        let mut artifacts = self.store.artifacts.borrow_mut();
        let kept: usize = artifacts.values().map(Vec::len).sum();
        if !artifacts.contains_key(digest) && kept + bytes.len() > ARTIFACTS_BYTES_MAX {
            return Ok(false);
        }
        artifacts.insert(digest.clone(), bytes.to_vec());
        Ok(true)
    }

    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError> {
        Ok(self.store.artifacts.borrow().get(digest).cloned())
    }

    fn sent_secret(&self, name: &str) -> Option<Secret> {
        self.secrets.get(name).cloned()
    }

    /// Automata in these measurements begin no child runs.
    fn child_token(&self) -> Option<RunToken> {
        None
    }

    async fn stored_document(&self, _key: &str) -> Result<Option<String>, TransportError> {
        Ok(None)
    }

    async fn begin_child(&self, _run: &RunToken, _order: &str) -> Result<(), ChildRefusal> {
        let says = "No run is begun here by another one.";
        Err(ChildRefusal::Refused(says.to_owned()))
    }

    async fn child_end(&self, _run: &RunToken) -> Result<String, TransportError> {
        Err(TransportError::Broken)
    }

    async fn stop_child(&self, _run: &RunToken) {}
}

impl<D: DevTools> Browsers for LiveEffects<D> {
    type Browser = WatchedBrowser<D>;

    async fn begin_browser(
        &self,
        terms: &BrowserTerms,
        note: AddressWriter<'_>,
        ms_max: u64,
    ) -> Result<WatchedBrowser<D>, BrowserError> {
        let noted = RefCell::new(None);
        let note = |address: &BrowserAddress| {
            note(address)?;
            *noted.borrow_mut() = Some(address.clone());
            Ok(())
        };
        let browser = self.client.begin_browser(terms, &note, ms_max).await?;
        let address = noted.borrow().clone();
        WatchedBrowser::begun(browser, address, self.watch.clone()).await
    }

    async fn attach_browser(
        &self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        lost: Option<&WatchedBrowser<D>>,
        ms_max: u64,
    ) -> Result<WatchedBrowser<D>, BrowserError> {
        let browser =
            self.client
                .attach_browser(terms, address, lost.map(WatchedBrowser::driven), ms_max);
        let browser = browser.await?;
        WatchedBrowser::begun(browser, Some(address.clone()), self.watch.clone()).await
    }

    async fn end_browser(&self, address: &BrowserAddress) {
        self.client.end_browser(address).await;
    }
}
