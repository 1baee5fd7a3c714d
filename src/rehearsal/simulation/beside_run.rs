//! The artifacts and the runs beside a run, in memory: a run that another one begins is conducted
//! where its end is waited for.

use crate::domain::{RunToken, Secret, Sha256Digest};
use crate::effects::{
    ARTIFACTS_BYTES_MAX, Artifacts, ChildRefusal, Children, Network as _, SentSecrets,
    TransportError, WriteError,
};
use crate::engine::Asked;
use crate::engines::{EngineName, EveryEngine, with_engine};
use crate::journal::Entry;
use crate::run::{ConductOutcome, SavedRun, conduct};
use crate::run_object::opening;

use super::fault_injector::{FaultDecision, FaultTiming, Operation};
use super::in_memory_effects::InMemoryEffects;

/// A run that is conducted within another one. The box breaks the circle of their types.
type Conducting<'run> =
    std::pin::Pin<Box<dyn Future<Output = Result<ConductOutcome, WriteError>> + 'run>>;

impl InMemoryEffects {
    fn begin_as<G: Asked>(&self, run: &RunToken, order: G::Order) -> Result<(), ChildRefusal> {
        let terms = self.children.terms().ok_or(ChildRefusal::Unreachable)?;
        self.children.begin(run, || {
            let child = Self::beside(self);
            let ttl_s = terms.record.time_to_live_s;
            let opened = opening::<G>(&terms.providers, run, order, self.now_ms(), ttl_s);
            child.append_entry(1, Entry::Opened(opened).to_json());
            child.children.allow(terms.clone());
            child
        });
        Ok(())
    }
}

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
        let engine = EngineName::of_order(order).ok_or_else(refused)?;
        with_engine!(engine, G => {
            let order = serde_json::from_str(order).map_err(|_| refused())?;
            self.begin_as::<G>(run, order)?;
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
        let conducting: Conducting<'_> = with_engine!(engine, G => {
            Box::pin(conduct::<_, G>(&*child, providers, caps, &EveryEngine, run, &saved, record))
        });
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
