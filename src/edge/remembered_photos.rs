//! What a run has of the memory, and what it gives to it.

use std::cell::Cell;

use worker::wasm_bindgen_futures::spawn_local;

use domain::{
    MemoryNews, PeopleToRecall, RecalledPhoto, RememberedAnswer, RememberedSearch, Sha256Digest,
};
use platform::{MemoryDown, RememberedPhotos, WantedAnswers};

use crate::memory::{read_search, search_answer};

use super::photo_database::PhotoDatabase;
use super::platform::Platform;

thread_local! {
    /// Whether the operator was told that something could not be kept: once for each isolate.
    static IS_TOLD: Cell<bool> = const { Cell::new(false) };
}

impl Platform {
    fn database(&self) -> Result<PhotoDatabase, MemoryDown> {
        let none = || MemoryDown("this Worker has no binding DB".to_owned());
        PhotoDatabase::of(self.env()).ok_or_else(none)
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
        // A run waits for nothing that others may need, and a database that takes nothing costs what it would have
        // saved.
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
