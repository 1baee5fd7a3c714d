//! The effects of a run in memory: the sandbox answers requests, stored data stay in memory, and the clock jumps to the
//! next timer.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::FutureExt as _;

use domain::{CollageCheck, Face, RunToken, Secret, Sha256Digest};
use engine::run::{ConductOutcome, SavedRun, StopSwitch};
use pixels::SmallPicture;
use platform::events::WireEvent;
use platform::isolate::{Paces, PhotoPool};
use platform::{
    ARTIFACTS_BYTES_MAX, ChildRefusal, Effects, Network as _, PhotoPixels, TransportError,
    WireRequest, WriteError,
};
use sandbox::{ReplyBody, Sandbox};
use visual_degrees::engines::EngineName;
use visual_degrees::run_object::first_entry;

use crate::in_memory::InMemoryPhotos;

use super::children::Children;
use super::crash_points::{CrashPoints, RESTART_MS};
use super::event_store::EventStore;
use super::fault_injector::{
    FaultDecision, FaultInjector, FaultTiming, InjectedFault, Operation, never,
};
use super::outcome::DocumentWrite;
use super::page_world::{OpenPages, PageWorld};
use super::photo_converter::converted;
use super::pixels_cache::{check_once, fingerprint_once};
use super::tool_servers::ToolServers;
use super::virtual_clock::VirtualClock;

/// The time that the photo memory takes to answer by default, in milliseconds.
const MEMORY_MS: u64 = 20;

/// The start of virtual time: 2026-11-21T10:00:00Z.
pub const START_MS: u64 = 1_795_255_200_000;
/// The time that writing a document takes, in milliseconds.
const PUT_MS: u64 = 20;

/// A run conducted within another one. The box breaks the cycle of types.
type Conducting<'run> =
    std::pin::Pin<Box<dyn Future<Output = Result<ConductOutcome, WriteError>> + 'run>>;

/// The things that all runs of one process share.
pub(super) struct SharedOutside {
    pub(super) sandbox: RefCell<Sandbox>,
    pub(super) clock: Rc<VirtualClock>,
    paces: Paces,
    photo_pool: PhotoPool,
    pub(super) tool_servers: Option<Rc<dyn ToolServers>>,
    pages: Rc<OpenPages>,
}

/// The effects of a run in memory: everything outside the run.
pub(super) struct InMemoryEffects {
    pub(super) shared: Rc<SharedOutside>,
    faults: Rc<FaultInjector>,
    stop: StopSwitch,
    stop_after_events: Option<usize>,
    /// The journal's entries by number.
    journal: RefCell<BTreeMap<u32, String>>,
    events: EventStore,
    documents: RefCell<Vec<DocumentWrite>>,
    /// The artifacts by digest.
    pub(super) artifacts: RefCell<BTreeMap<Sha256Digest, Vec<u8>>>,
    /// The secrets sent to this process.
    pub(super) secrets: RefCell<BTreeMap<String, Secret>>,
    /// The operator's stored documents by key, as JSON.
    pub(super) stored: RefCell<BTreeMap<String, String>>,
    /// The child runs of this run.
    pub(super) children: Children<InMemoryEffects>,
    /// The photo memory that the runs of this process share.
    pub(super) memory: Rc<RefCell<InMemoryPhotos>>,
    /// How long the memory takes to answer, in milliseconds.
    pub(super) memory_ms: Cell<u64>,
    pub(super) crash_points: CrashPoints<InMemoryEffects>,
}

impl InMemoryEffects {
    /// Makes the effects of a run that has not begun.
    pub(super) fn new(sandbox: Sandbox) -> Self {
        Self::beginning_at(START_MS, sandbox)
    }

    fn beginning_at(now_ms: u64, sandbox: Sandbox) -> Self {
        Self::within(Rc::new(SharedOutside {
            sandbox: RefCell::new(sandbox),
            clock: Rc::new(VirtualClock::new(now_ms)),
            paces: Paces::default(),
            photo_pool: PhotoPool::default(),
            tool_servers: None,
            pages: Rc::default(),
        }))
    }

    /// Records that an operation has taken effect, and passes a crash point.
    pub(super) fn note_effect(&self) {
        self.crash_points.note_effect();
        self.pass_crash_point();
    }

    fn pass_crash_point(&self) {
        let now_ms = self.now_ms();
        self.crash_points
            .pass(now_ms, || self.left_behind(now_ms + RESTART_MS));
    }

    /// Returns a copy of what a process that dies now would leave behind. Another process finds it at `found_at_ms`.
    /// The copy has no child runs, pages, real MCP servers or faults.
    fn left_behind(&self, found_at_ms: u64) -> Self {
        let sandbox = self.shared.sandbox.borrow().clone();
        let left = Self {
            stop_after_events: self.stop_after_events,
            journal: self.journal.clone(),
            events: self.events.left_behind(),
            documents: self.documents.clone(),
            artifacts: self.artifacts.clone(),
            stored: self.stored.clone(),
            memory: Rc::new(RefCell::clone(&self.memory)),
            memory_ms: self.memory_ms.clone(),
            ..Self::beginning_at(found_at_ms, sandbox)
        };
        if self.is_stopped() {
            left.stop();
        }
        left
    }

    /// Makes the effects of another run of the same process. The two share the sandbox, the clock and the rate limits.
    pub(super) fn beside(other: &Self) -> Self {
        Self {
            memory: other.memory.clone(),
            memory_ms: other.memory_ms.clone(),
            ..Self::within(other.shared.clone())
        }
    }

    fn within(shared: Rc<SharedOutside>) -> Self {
        Self {
            shared,
            faults: Rc::default(),
            stop: StopSwitch::default(),
            stop_after_events: None,
            journal: RefCell::default(),
            events: EventStore::default(),
            documents: RefCell::default(),
            artifacts: RefCell::default(),
            secrets: RefCell::default(),
            stored: RefCell::default(),
            children: Children::default(),
            memory: Rc::default(),
            memory_ms: Cell::new(MEMORY_MS),
            crash_points: CrashPoints::default(),
        }
    }

    pub(super) fn inject(&mut self, faults: Vec<InjectedFault>) {
        self.faults = Rc::new(FaultInjector::new(faults));
    }

    /// Sets the memory limit for photos of this run, and of runs that are made `beside` it from now on.
    pub(super) fn set_photo_pool(&mut self, pool: PhotoPool) {
        if let Some(shared) = Rc::get_mut(&mut self.shared) {
            shared.photo_pool = pool;
        }
    }

    /// Sets MCP servers that are real, besides the sandbox's.
    pub(super) fn set_tool_servers(&mut self, servers: Rc<dyn ToolServers>) {
        if let Some(shared) = Rc::get_mut(&mut self.shared) {
            shared.tool_servers = Some(servers);
        }
    }

    /// Sets the pages that browsers show to this run, and to runs that are made `beside` it from now on.
    pub(super) fn set_page_world(&mut self, world: PageWorld) {
        if let Some(shared) = Rc::get_mut(&mut self.shared) {
            shared.pages = Rc::new(OpenPages::new(world));
        }
    }

    pub(super) fn pages(&self) -> Rc<OpenPages> {
        self.shared.pages.clone()
    }

    pub(super) fn shared_clock(&self) -> Rc<VirtualClock> {
        self.shared.clock.clone()
    }

    pub(super) fn shared_faults(&self) -> Rc<FaultInjector> {
        self.faults.clone()
    }

    /// Makes the user stop the run when this many events are stored.
    pub(super) fn stop_after(&mut self, events: usize) {
        self.stop_after_events = Some(events);
    }

    pub(super) fn stop(&self) {
        self.stop.turn_on();
    }

    /// Returns whether the run was asked to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.wait().now_or_never().is_some()
    }

    pub(super) fn stop_when_due(&self) {
        let events = self.stop_after_events;
        if events.is_some_and(|events| self.events.kept().len() >= events) {
            self.stop();
        }
    }

    pub(super) fn clock(&self) -> &VirtualClock {
        &self.shared.clock
    }

    /// Returns the sandbox's response to a request that belongs to no run.
    pub(super) fn ask_sandbox(&self, request: WireRequest) -> http::Response<Vec<u8>> {
        let now_ms = self.shared.clock.now_ms();
        let reply = self.shared.sandbox.borrow_mut().respond(request, now_ms);
        reply.response.map(|body| match body {
            ReplyBody::Whole(whole) => whole,
            ReplyBody::Pieces { chunks, .. } => {
                chunks.into_iter().flat_map(|chunk| chunk.bytes).collect()
            }
        })
    }

    /// Passes a crash point, and then decides whether an operation fails.
    pub(super) fn fault(&self, operation: Operation) -> FaultDecision {
        self.pass_crash_point();
        self.faults.decide(operation)
    }

    pub(super) fn faults(&self) -> &FaultInjector {
        &self.faults
    }

    pub(super) fn events(&self) -> &EventStore {
        &self.events
    }

    /// Stores a journal entry, replacing one with the same number.
    pub(super) fn append_entry(&self, number: u32, entry: String) {
        self.journal.borrow_mut().insert(number, entry);
    }

    /// Returns the entries of the journal, in order.
    pub(super) fn entries(&self) -> Vec<String> {
        self.journal.borrow().values().cloned().collect()
    }

    /// Returns the documents written so far, in order.
    pub(super) fn documents(&self) -> Vec<DocumentWrite> {
        self.documents.borrow().clone()
    }

    /// Returns the sandbox's calls in order, as `(provider, key, status)`.
    pub(super) fn calls(&self) -> Vec<(String, String, u16)> {
        let sandbox = self.shared.sandbox.borrow();
        let calls = sandbox.calls().map(|call| {
            let provider = call.provider.name().to_owned();
            (provider, call.key.clone(), call.status)
        });
        calls.collect()
    }

    /// Executes an operation of the object's own store, which takes no time.
    fn store(&self, operation: Operation, effect: impl FnOnce()) -> Result<(), WriteError> {
        let decision = self.fault(operation);
        if !matches!(
            decision,
            FaultDecision::Fail(FaultTiming::Before) | FaultDecision::Hang(FaultTiming::Before)
        ) {
            effect();
            self.note_effect();
        }
        match decision {
            FaultDecision::Fail(_) => Err(WriteError),
            // There is no need to wait for ever, since a dead process does not continue after this point.
            FaultDecision::Proceed | FaultDecision::Hang(_) => Ok(()),
        }
    }
}

impl Effects for InMemoryEffects {
    fn paces(&self) -> &Paces {
        &self.shared.paces
    }

    fn photo_pool(&self) -> &PhotoPool {
        &self.shared.photo_pool
    }

    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        let decision = self.fault(Operation::Put);
        if decision == FaultDecision::Hang(FaultTiming::Before) {
            return never().await;
        }
        self.sleep(PUT_MS).await;
        if decision != FaultDecision::Fail(FaultTiming::Before) {
            self.documents.borrow_mut().push(DocumentWrite {
                at_ms: self.shared.clock.now_ms(),
                key: key.to_owned(),
                document: document.to_owned(),
            });
            self.note_effect();
        }
        match decision {
            FaultDecision::Proceed => Ok(()),
            FaultDecision::Fail(_) => Err(WriteError),
            FaultDecision::Hang(_) => never().await,
        }
    }

    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError> {
        self.store(Operation::Keep, || {
            self.append_entry(number, entry.to_owned());
        })
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.store(Operation::Publish, || self.events.keep(&event))?;
        // If the process died while it stored the event, it sends the event to nobody.
        if !self.faults.is_dead() {
            self.events.show(&event);
            self.stop_when_due();
        }
        Ok(())
    }

    async fn jpeg_of(&self, photo: &[u8]) -> Result<Vec<u8>, String> {
        converted(photo)
    }

    fn photo_pixels(&self, photo: &[u8]) -> PhotoPixels {
        PhotoPixels {
            fingerprint: fingerprint_once(photo),
            picture: None,
        }
    }

    fn collage_check(
        &self,
        photo: &[u8],
        _picture: Option<&SmallPicture>,
        faces: &[Face],
    ) -> CollageCheck {
        check_once(photo, faces)
    }

    async fn stop_requested(&self) {
        self.stop.wait().await;
    }

    fn sent_secret(&self, name: &str) -> Option<Secret> {
        self.secrets.borrow().get(name).cloned()
    }

    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        _mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError> {
        let mut artifacts = self.artifacts.borrow_mut();
        let kept: usize = artifacts.values().map(Vec::len).sum();
        if !artifacts.contains_key(digest) && kept + bytes.len() > ARTIFACTS_BYTES_MAX {
            return Ok(false);
        }
        artifacts.insert(digest.clone(), bytes.to_vec());
        drop(artifacts);
        self.note_effect();
        Ok(true)
    }

    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError> {
        Ok(self.artifacts.borrow().get(digest).cloned())
    }

    fn child_token(&self) -> Option<RunToken> {
        let number = self.children.next_number();
        RunToken::new(Some("s1"), [100_u8.wrapping_add(number); 24]).ok()
    }

    async fn stored_document(&self, key: &str) -> Result<Option<String>, TransportError> {
        Ok(self.stored.borrow().get(key).cloned())
    }

    async fn begin_child(&self, run: &RunToken, order: &str) -> Result<(), ChildRefusal> {
        let decision = self.fault(Operation::BeginChild);
        if decision == FaultDecision::Hang(FaultTiming::Before) {
            return std::future::pending().await;
        }
        let refused = || ChildRefusal::Refused("The run's order cannot be read.".to_owned());
        let terms = self.children.terms().ok_or(ChildRefusal::Unreachable)?;
        let ttl_s = terms.record.time_to_live_s;
        let first = first_entry(order, &terms.providers, run, self.now_ms(), ttl_s);
        let first = first.ok_or_else(refused)?;
        self.children.begin(run, || {
            let child = Self::beside(self);
            child.append_entry(1, first);
            child.children.allow(terms.clone());
            child
        });
        if decision == FaultDecision::Hang(FaultTiming::After) {
            return std::future::pending().await;
        }
        Ok(())
    }

    async fn child_end(&self, run: &RunToken) -> Result<String, TransportError> {
        let (child, terms) = (self.children.get(run), self.children.terms());
        let (Some(child), Some(terms)) = (child, terms) else {
            return Err(TransportError::Broken);
        };
        let events = child.events().kept();
        let saved = SavedRun {
            entries: child.entries(),
            events: events.iter().map(|event| event.json.clone()).collect(),
            has_ended: events.last().is_some_and(|event| event.is_last),
        };
        let engine = saved.entries.first();
        let engine = engine.and_then(|first| EngineName::of_first_entry(first));
        let engine = engine.ok_or(TransportError::Broken)?;
        let (providers, caps, record) = (&terms.providers, &terms.caps, terms.record);
        let conducting = engine.conduct(&*child, (providers, caps), run, &saved, record);
        let conducting: Conducting<'_> = Box::pin(conducting);
        conducting.await.map_err(|_| TransportError::Broken)?;
        let events = child.events().kept();
        let last = events.last().filter(|event| event.is_last);
        last.map(|event| event.json.clone())
            .ok_or(TransportError::Broken)
    }

    async fn stop_child(&self, run: &RunToken) {
        if let Some(child) = self.children.get(run) {
            child.stop();
        }
    }
}
