//! The answers of an engine at addresses of its own, and of its runs.

use std::rc::Rc;

use serde_json::Value;

use domain::Sha256Digest;
use settings::Settings;

use crate::Problem;
use crate::asked::Asked;
use crate::opened::Opened;

/// An engine whose runs, and whose stored documents, can be asked for.
pub trait Served: Asked {
    /// The page that shows its runs, like `/page`; `None` where the page at a run's own address does.
    const PAGE: Option<&'static str> = None;
    /// Whether the documents of a run are its whole record; otherwise the run's object tells it.
    const HAS_WHOLE_DOCUMENTS: bool = false;
    /// The documents that the operator stores, for runs that are begun by a name.
    const STORED_DOCUMENTS: Option<StoredDocuments> = None;

    /// The document that the engine makes of a run, at an address of its own.
    const RUN_DOCUMENT: Option<RunDocument<Self>> = None;

    /// Returns the record of a run by its events so far, the oldest first.
    fn outline(opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value;

    /// Returns what a run has told as one tar archive; `artifact` gives the bytes of a digest, where the
    /// run has them.
    fn trace(
        _opened: &Opened<Self>,
        _events: &[Rc<str>],
        _artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let detail =
            "This run has no trace; what it has told is its events, GET /runs/{run}/events.";
        Err(Problem::new(409, detail))
    }
}

/// A document that an engine makes of a run by its events so far, the oldest first.
#[derive(Debug, Clone, Copy)]
pub struct RunDocument<E: Served> {
    /// The last part of its address, like `summary` for `/runs/{run}/summary`.
    pub name: &'static str,
    /// Makes it.
    pub make: fn(opened: &Opened<E>, events: &[Rc<str>]) -> Value,
}

/// Makes the list of stored documents out of their names and of what is told of each; the last argument says
/// whether the one who asks may see any.
pub type ListDocuments = fn(Vec<(String, Option<Value>)>, &Settings, bool) -> Value;

impl StoredDocuments {
    /// Returns the key under which the document of this name is stored.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        format!("{}{name}", self.key_prefix)
    }
}

/// Documents of one kind that the operator stores by name.
#[derive(Debug, Clone, Copy)]
pub struct StoredDocuments {
    /// The first part of their addresses, like `documents` for `/documents/NAME`.
    pub path: &'static str,
    /// The noun for one of them in sentences.
    pub noun: &'static str,
    /// The beginning of their keys.
    pub key_prefix: &'static str,
    /// The setting that says who may start runs of them.
    pub variable: &'static str,
    /// Whether that setting may allow everybody to start runs of what they send themselves.
    pub may_be_any: bool,
    /// The longest of them, in bytes.
    pub bytes_max: usize,
    /// Checks one that is to be stored; returns what the list tells of it beside its name.
    pub check: fn(&[u8]) -> Result<Value, Problem>,
    /// Makes the list out of the names and of what is told of each. Somebody who may start none of them
    /// (`is_shown` is false) is told of none.
    pub list: ListDocuments,
}
