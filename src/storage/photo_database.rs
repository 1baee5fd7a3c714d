//! The database in which runs remember photos (`memory`).

use std::cell::Cell;

use domain::{MemoryNews, PeopleToRecall, RecalledPhoto, RememberedAnswer, Sha256Digest};
use wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, Env};

use platform::{MemoryDown, WantedAnswers};

use crate::memory::{
    self, Parameter, Statement, VERSION, answer_of, read_answer, read_recalled, version,
};
use crate::transport::bindings;

/// How much of a database's error message is repeated, in characters.
const WORDS_CHARS_MAX: usize = 100;

thread_local! {
    /// Whether this isolate has checked that the tables have this program's version.
    static IS_KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// The database in which runs remember photos.
pub(crate) struct PhotoDatabase(D1Database);

impl PhotoDatabase {
    /// Returns this Worker's database, if configured.
    pub(crate) fn of(env: &Env) -> Option<Self> {
        bindings::database(env).map(Self)
    }

    fn prepare(&self, statement: &Statement) -> Result<D1PreparedStatement, MemoryDown> {
        let values = statement.parameters.iter().map(|value| match value {
            Parameter::Text(text) => JsValue::from_str(text),
            // The number is below 2^53, so the conversion is exact.
            Parameter::Number(number) => JsValue::from_f64(*number as f64),
        });
        let values: Vec<JsValue> = values.collect();
        let prepared = self.0.prepare(&statement.sql);
        if values.is_empty() {
            return Ok(prepared);
        }
        prepared.bind(&values).map_err(|error| down(&error))
    }

    /// Returns the result of a query, if it has one.
    pub(crate) async fn ask(&self, statement: &Statement) -> Result<Option<String>, MemoryDown> {
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

    /// Checks that the tables have this program's version.
    pub(crate) async fn check_version(&self) -> Result<(), MemoryDown> {
        let found = self.first(&version()).await?;
        if found.is_some_and(|found| found == VERSION.to_string()) {
            IS_KNOWN.set(true);
            return Ok(());
        }
        Err(MemoryDown("its database is of another version".to_owned()))
    }

    /// Returns the remembered answer for the bytes with this digest.
    pub(crate) async fn answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Result<Option<RememberedAnswer>, MemoryDown> {
        let found = self.ask(&answer_of(digest, wanted)).await?;
        Ok(found.and_then(|json| read_answer(&json)))
    }

    /// Returns remembered photos of these people.
    pub(crate) async fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> Result<Vec<RecalledPhoto>, MemoryDown> {
        let found = self.ask(&memory::recall(people, wanted)).await?;
        Ok(found.map_or_else(Vec::new, |json| read_recalled(&json)))
    }

    /// Stores what a run reports, in one transaction.
    pub(crate) async fn keep(&self, news: &MemoryNews) -> Result<(), MemoryDown> {
        self.change(&memory::keeping(news)).await
    }

    /// Executes statements in one transaction.
    pub(crate) async fn change(&self, statements: &[Statement]) -> Result<(), MemoryDown> {
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
        // The rest of the message only locates the error in the platform's code, so it is omitted.
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
