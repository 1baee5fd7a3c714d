//! What a workflow's run does outside beside what every run does, done in memory: the runs that it
//! begins are conducted where their end is waited for.

use crate::domain::Sha256Digest;
use crate::journal::{Entry, InvestigationEngine, Opened, Order};
use crate::session::{
    ChildRefusal, Network as _, RunToken, SavedRun, TransportError, WorkflowEffects, WriteError,
    conduct, opening,
};

use super::fault_injector::{FaultDecision, FaultTiming, Operation};
use super::in_memory_effects::InMemoryEffects;

impl WorkflowEffects for InMemoryEffects {
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        _mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError> {
        let mut artifacts = self.artifacts.borrow_mut();
        artifacts.insert(digest.clone(), bytes.to_vec());
        Ok(true)
    }

    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError> {
        Ok(self.artifacts.borrow().get(digest).cloned())
    }

    fn child_token(&self) -> Option<RunToken> {
        let number = self.children.next_number();
        RunToken::new(Some("s1"), [100_u8.wrapping_add(number); 24]).ok()
    }

    async fn begin_child(&self, run: &RunToken, order: Order) -> Result<(), ChildRefusal> {
        let decision = self.fault(Operation::BeginChild);
        if decision == FaultDecision::Hang(FaultTiming::Before) {
            return std::future::pending().await;
        }
        let terms = self.children.terms().ok_or(ChildRefusal::Unreachable)?;
        self.children.begin(run, || {
            let child = Self::beside(self);
            let ttl_s = terms.record.time_to_live_s;
            let opened: Opened<InvestigationEngine> =
                opening(&terms.providers, run, order, self.now_ms(), ttl_s);
            child.append_entry(1, <Entry>::Opened(opened).to_json());
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
        // A run of the first engine awaits nothing of the second: the box ends the circle of types.
        let conducting: std::pin::Pin<Box<dyn Future<Output = _> + '_>> = Box::pin(conduct(
            &*child,
            &terms.providers,
            run,
            &saved,
            terms.record,
        ));
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
