//! The photo memory that the runs of one process share, with injected faults.

use domain::{
    MemoryNews, PeopleToRecall, RecalledPhoto, RememberedAnswer, RememberedSearch, Sha256Digest,
};
use platform::{MemoryDown, Network as _, RememberedPhotos, WantedAnswers};

use crate::in_memory::InMemoryPhotos;

use super::fault_injector::{FaultDecision, FaultTiming, Operation, never};
use super::in_memory_effects::InMemoryEffects;
use super::processes::Simulation;

impl InMemoryEffects {
    async fn ask_memory<T>(
        &self,
        read: impl FnOnce(&InMemoryPhotos) -> T,
    ) -> Result<T, MemoryDown> {
        match self.fault(Operation::Recall) {
            FaultDecision::Fail(_) => return Err(MemoryDown("D1 is overloaded".to_owned())),
            FaultDecision::Hang(_) => return never().await,
            FaultDecision::Proceed => {}
        }
        self.sleep(self.memory_ms.get()).await;
        Ok(read(&self.memory.borrow()))
    }
}

impl Simulation {
    /// Returns the photo memory of this simulation's process.
    #[must_use]
    pub fn memory(&self) -> InMemoryPhotos {
        self.effects.memory.borrow().clone()
    }

    /// Sets the time that the photo memory takes to answer, in milliseconds.
    #[must_use]
    pub fn with_memory_ms(self, ms: u64) -> Self {
        self.effects.memory_ms.set(ms);
        self
    }

    /// Sets the content of the photo memory before the run.
    #[must_use]
    pub fn remembering(self, memory: InMemoryPhotos) -> Self {
        *self.effects.memory.borrow_mut() = memory;
        self
    }
}

impl RememberedPhotos for InMemoryEffects {
    async fn remembered_answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Result<Option<RememberedAnswer>, MemoryDown> {
        self.ask_memory(|memory| memory.answer(digest, wanted))
            .await
    }

    async fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> Result<Vec<RecalledPhoto>, MemoryDown> {
        self.ask_memory(|memory| memory.recall(people, wanted))
            .await
    }

    async fn remembered_search(
        &self,
        question: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Result<Option<RememberedSearch>, MemoryDown> {
        self.ask_memory(|memory| memory.search(question, wanted).cloned())
            .await
    }

    fn remember(&self, news: MemoryNews) {
        let decision = self.fault(Operation::Remember);
        let is_before = |timing| timing == FaultTiming::Before;
        let is_lost = match decision {
            FaultDecision::Proceed => false,
            FaultDecision::Fail(timing) | FaultDecision::Hang(timing) => is_before(timing),
        };
        if !is_lost {
            self.memory.borrow_mut().take(news);
            self.note_effect();
        }
    }
}
