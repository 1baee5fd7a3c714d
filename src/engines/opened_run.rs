//! The beginning of a run of any engine.

use std::rc::Rc;

use engine::journal::Entry;
use engine::{Engine, Opened, OrderSummary, Recorded};

use super::{EngineName, with_engine};

/// The beginning of a run of any engine: its journal's first entry.
#[derive(Debug, Clone)]
pub struct OpenedRun {
    engine: EngineName,
    header: Rc<Header>,
    first_entry: Rc<str>,
}

/// The members of an opened run that every engine has.
#[derive(Debug)]
struct Header {
    engine: String,
    run: String,
    expires_ms: u64,
    forked_from: Option<String>,
    host: Option<String>,
}

impl Header {
    fn of<E: Engine>(opened: Opened<E>) -> Self {
        Self {
            engine: opened.engine,
            run: opened.run,
            expires_ms: opened.expires_ms,
            forked_from: opened.forked_from,
            host: opened.host,
        }
    }
}

impl OpenedRun {
    /// Reads a journal's first entry. Returns `None` where it is not one that this program wrote.
    #[must_use]
    pub fn of_first_entry(json: &str) -> Option<Self> {
        let engine = EngineName::of_first_entry(json)?;
        let header = with_engine!(engine, E => Header::of(opened::<E>(json)?));
        Some(Self {
            engine,
            header: Rc::new(header),
            first_entry: json.into(),
        })
    }

    /// Returns the engine of the run.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        self.engine
    }

    /// Returns the entry as its engine reads it; `None` where the run is of another engine.
    #[must_use]
    pub fn as_engine<E: Engine>(&self) -> Option<Opened<E>> {
        let is_of_it = self.engine.order_tag() == E::ORDER_TAG;
        is_of_it.then(|| opened(&self.first_entry)).flatten()
    }

    /// Returns what the operator's log tells of the run's order.
    #[must_use]
    pub fn summary(&self) -> OrderSummary {
        with_engine!(self.engine, E => match self.as_engine::<E>() {
            Some(opened) => E::summary(&opened.order),
            None => OrderSummary::default(),
        })
    }

    /// Returns the run's public token.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.header.run
    }

    /// Returns the version of the program that began the run.
    #[must_use]
    pub fn program_version(&self) -> &str {
        &self.header.engine
    }

    /// Returns when everything of the run is deleted, in milliseconds since 1970.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        self.header.expires_ms
    }

    /// Returns the run whose answers are used again.
    #[must_use]
    pub fn forked_from(&self) -> Option<&str> {
        self.header.forked_from.as_deref()
    }

    /// Returns the host of this server where the run was created.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        self.header.host.as_deref()
    }
}

fn opened<E: Engine>(json: &str) -> Option<Opened<E>> {
    match Entry::<E>::from_json(json) {
        Ok(Entry::Opened(opened)) => Some(opened),
        _ => None,
    }
}
