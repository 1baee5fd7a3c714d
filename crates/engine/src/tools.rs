//! The addresses of an engine's runs, and the MCP tools with which assistants begin runs.

use std::rc::Rc;

use serde_json::{Map, Value};

use domain::Sha256Digest;
use settings::{Caps, Settings};

use crate::assistant::{Answer, CallPlace, make_plain, quoted, quoted_value};
use crate::child_run::ChildResult;
use crate::run_state::Opened;
use crate::{Problem, Requests};

/// An engine whose runs and stored documents have addresses, and whose runs can be begun by MCP tools.
pub trait Tools: Requests {
    /// The page that shows the engine's runs, such as `/page`; `None` if the run's own address shows it.
    const PAGE: Option<&'static str> = None;
    /// Whether a run's documents in KV are its whole record. If not, the run's object makes the record.
    const HAS_WHOLE_DOCUMENTS: bool = false;
    /// The kind of documents that the operator stores and from which runs are begun by name.
    const STORED_DOCUMENTS: Option<StoredDocuments> = None;

    /// A document that the engine makes of a run and that has its own address.
    const RUN_DOCUMENT: Option<RunDocument<Self>> = None;

    /// Makes the record of a run from its events so far, oldest first.
    fn outline(opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value;

    /// Makes a tar archive of a run's trace. `artifact` returns the bytes that have the given digest, if the run has
    /// stored them.
    fn trace(
        _opened: &Opened<Self>,
        _events: &[Rc<str>],
        _artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let detail =
            "This run has no trace; what it has told is its events, GET /runs/{run}/events.";
        Err(Problem::new(409, detail))
    }

    /// The names of the tools that are available regardless of stored documents.
    const TOOLS: &'static [&'static str] = &[];

    /// Parses a call of one of [`Self::TOOLS`]. Returns `None` for any other tool.
    #[must_use]
    fn read_call(
        _tool: &str,
        _arguments: &Map<String, Value>,
        _caps: &Caps,
    ) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns the JSON of the tool for a stored document; `None` if the document is not a tool. `about` is what
    /// [`StoredDocuments::check`] returned for the document.
    #[must_use]
    fn stored_tool(_name: &str, _about: &Value, _settings: &Settings) -> Option<String> {
        None
    }

    /// Makes the request for a call of the stored document with this name, as a body of `POST /runs`. The arguments
    /// have the form that [`Self::stored_tool`] describes.
    #[must_use]
    fn stored_call(_name: &str, _arguments: Map<String, Value>) -> Value {
        Value::Null
    }

    /// Returns a line about an event for callers that wait for the run; `None` if the event does not concern them.
    #[must_use]
    fn progress(_event: &Value) -> Option<String> {
        None
    }

    /// Makes the answer about a run from its newest event. The answer's value is an object with at least `run`,
    /// `address` and `state`.
    #[must_use]
    fn answer(event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        if !is_ended {
            return Answer::going_on(place, None);
        }
        ended(Self::NOUN, Self::end(event), place)
    }
}

/// A document that an engine makes of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunDocument<E: Tools> {
    /// The last part of the document's address, such as `summary` for `/runs/{run}/summary`.
    pub name: &'static str,
    /// Makes the document from the run's events so far, oldest first.
    pub make: fn(opened: &Opened<E>, events: &[Rc<str>]) -> Value,
}

/// Makes the list of stored documents from their names and from what [`StoredDocuments::check`] returned for each.
/// The last argument is false if the caller may see none of them.
pub type ListDocuments = fn(Vec<(String, Option<Value>)>, &Settings, bool) -> Value;

/// A kind of document that the operator stores by name.
#[derive(Debug, Clone, Copy)]
pub struct StoredDocuments {
    /// The first part of the documents' addresses, such as `documents` for `/documents/NAME`.
    pub path: &'static str,
    /// The noun for such a document in sentences.
    pub noun: &'static str,
    /// The prefix of the documents' keys in KV.
    pub key_prefix: &'static str,
    /// The setting that determines who may start runs of stored documents.
    pub variable: &'static str,
    /// Whether the setting [`Self::variable`] may also permit everybody to start runs of documents that they send.
    pub may_be_any: bool,
    /// The length of the longest document, in bytes.
    pub bytes_max: usize,
    /// Checks a document before it is stored. Returns what the list shows about it in addition to its name.
    pub check: fn(&[u8]) -> Result<Value, Problem>,
    /// Makes the list. It is empty if the last argument is false, because then the caller may start runs of none of the
    /// documents.
    pub list: ListDocuments,
}

impl StoredDocuments {
    /// Returns the key under which the document with this name is stored.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        format!("{}{name}", self.key_prefix)
    }
}

/// Makes the answer about a run that has ended.
fn ended(noun: &str, (result, nano_usd): (ChildResult, u64), place: &CallPlace) -> Answer {
    #[allow(clippy::cast_precision_loss)]
    let usd = Value::from(nano_usd as f64 / 1e9);
    let (state, message, mut result) = match result {
        Ok(output) => ("completed", output.message, output.value),
        Err(none) => ("failed", none.message, Value::Null),
    };
    make_plain(&mut result);
    let text = format!(
        "The {noun} has ended: {}. It cost ${usd}. What it gave: {}. A person sees it at {}",
        quoted(&message),
        quoted_value(&result),
        place.address,
    );
    let mut members = place.members(state);
    members.add_text("message", &message);
    members.add("result", result);
    members.add("usd", usd);
    Answer {
        is_error: state == "failed",
        ..Answer::new(members, text)
    }
}
