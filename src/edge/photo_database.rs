//! Tells how much memory the program has in this isolate.

use std::cell::Cell;

use domain::{
    MemoryNews, PeopleToRecall, RecalledPhoto, RememberedAnswer, RememberedSearch, Sha256Digest,
};
use wasm_bindgen::JsValue;
use worker::wasm_bindgen_futures::spawn_local;
use worker::{D1Database, D1PreparedStatement, Env};

use platform::{MemoryDown, RememberedPhotos, WantedAnswers};

use crate::memory::{
    self, Parameter, Statement, VERSION, answer_of, read_answer, read_recalled, read_search,
    search_answer, version,
};

use super::environment::Platform;

/// The size of a page of WebAssembly's memory.
const PAGE_BYTES: u64 = 65_536;

/// Returns the bytes of the program's memory. It grows and never shrinks, so this is the most that
/// was needed at once.
pub(super) fn bytes() -> u64 {
    let pages = core::arch::wasm32::memory_size(0);
    u64::try_from(pages).unwrap_or_default() * PAGE_BYTES
}

const BINDING: &str = "DB";
/// The most of the platform's words that are told, in characters.
const WORDS_CHARS_MAX: usize = 100;

thread_local! {
    /// Whether this isolate has found the tables of this program's version.
    static IS_KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// The database with what runs have recognised.
pub(super) struct PhotoDatabase(D1Database);

impl PhotoDatabase {
    /// Returns the database of this Worker, if it has one.
    pub(super) fn of(env: &Env) -> Option<Self> {
        env.d1(BINDING).ok().map(Self)
    }

    fn prepare(&self, statement: &Statement) -> Result<D1PreparedStatement, MemoryDown> {
        let values = statement.parameters.iter().map(|value| match value {
            Parameter::Text(text) => JsValue::from_str(text),
            // It is below 2^53.
            Parameter::Number(number) => JsValue::from_f64(*number as f64),
        });
        let values: Vec<JsValue> = values.collect();
        let prepared = self.0.prepare(&statement.sql);
        if values.is_empty() {
            return Ok(prepared);
        }
        prepared.bind(&values).map_err(|error| down(&error))
    }

    /// Returns what a question finds.
    pub(super) async fn ask(&self, statement: &Statement) -> Result<Option<String>, MemoryDown> {
        if !IS_KNOWN.get() {
            self.check_version().await?;
        }
        self.first(statement).await
    }

    async fn first(&self, statement: &Statement) -> Result<Option<String>, MemoryDown> {
        let asked = self.prepare(statement)?;
        asked
            .first(Some("json"))
            .await
            .map_err(|error| down(&error))
    }

    /// Checks that the tables are those of this program's version.
    pub(super) async fn check_version(&self) -> Result<(), MemoryDown> {
        let found = self.first(&version()).await?;
        if found.is_some_and(|found| found == VERSION.to_string()) {
            IS_KNOWN.set(true);
            return Ok(());
        }
        Err(MemoryDown("its database is of another version".to_owned()))
    }

    /// Returns the remembered answer to the bytes of this digest.
    pub(super) async fn answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Result<Option<RememberedAnswer>, MemoryDown> {
        let found = self.ask(&answer_of(digest, wanted)).await?;
        Ok(found.and_then(|json| read_answer(&json, &wanted.recogniser)))
    }

    /// Returns remembered photos of these people.
    pub(super) async fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> Result<Vec<RecalledPhoto>, MemoryDown> {
        let found = self.ask(&memory::recall(people, wanted)).await?;
        Ok(found.map_or_else(Vec::new, |json| read_recalled(&json)))
    }

    /// Keeps what a run tells, all of it or nothing.
    pub(super) async fn keep(&self, news: &MemoryNews) -> Result<(), MemoryDown> {
        self.change(&memory::keeping(news)).await
    }

    /// Executes statements, all of them or none.
    pub(super) async fn change(&self, statements: &[Statement]) -> Result<(), MemoryDown> {
        let prepared: Result<Vec<_>, _> =
            (statements.iter()).map(|one| self.prepare(one)).collect();
        self.0
            .batch(prepared?)
            .await
            .map(|_| ())
            .map_err(|error| down(&error))
    }
}

fn down(error: &worker::Error) -> MemoryDown {
    let words = match error {
        // The rest is where it happened in the platform's code.
        worker::Error::D1(error) => match error.cause() {
            unknown if unknown == "unknown error" => {
                let error: &js_sys::Error = error.as_ref();
                error.message().into()
            }
            cause => cause,
        },
        other => other.to_string(),
    };
    MemoryDown(words.chars().take(WORDS_CHARS_MAX).collect())
}

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
