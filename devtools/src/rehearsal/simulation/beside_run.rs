//! The artifacts and the runs beside a run, in memory: a run that another one begins is conducted
//! where its end is waited for.

use domain::{RunToken, Secret, Sha256Digest};
use engine::run::{ConductOutcome, SavedRun};
use platform::{
    ARTIFACTS_BYTES_MAX, Artifacts, ChildRefusal, Children, Network as _, SentSecrets,
    TransportError, WriteError,
};
use visual_degrees::engines::EngineName;
use visual_degrees::run_object::first_entry;

use super::fault_injector::{FaultDecision, FaultTiming, Operation};
use super::in_memory_effects::InMemoryEffects;

/// A run that is conducted within another one. The box breaks the circle of their types.
type Conducting<'run> =
    std::pin::Pin<Box<dyn Future<Output = Result<ConductOutcome, WriteError>> + 'run>>;

impl Artifacts for InMemoryEffects {
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
}

impl SentSecrets for InMemoryEffects {
    fn sent_secret(&self, name: &str) -> Option<Secret> {
        self.secrets.borrow().get(name).cloned()
    }
}

impl Children for InMemoryEffects {
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
