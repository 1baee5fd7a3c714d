//! The addresses of an engine's runs, and the tools with which assistants begin runs.

use std::rc::Rc;

use serde_json::{Map, Value};

use domain::Sha256Digest;
use settings::{Caps, Settings};

use crate::assistant::{Answer, CallPlace, make_plain, quoted, quoted_value};
use crate::child_run::ChildResult;
use crate::run_state::Opened;
use crate::{Problem, Requests};

/// An engine whose runs and stored documents have addresses, and whose runs assistants begin with tools.
pub trait Tools: Requests {
    /// The page that shows its runs, like `/page`; `None` if a run's own address does.
    const PAGE: Option<&'static str> = None;
    /// Whether a run's documents are its whole record; otherwise the run's object makes the record.
    const HAS_WHOLE_DOCUMENTS: bool = false;
    /// The documents that the operator stores, from which runs are begun by name.
    const STORED_DOCUMENTS: Option<StoredDocuments> = None;

    /// A document that the engine makes of a run, at its own address.
    const RUN_DOCUMENT: Option<RunDocument<Self>> = None;

    /// Returns the record of a run from its events so far, oldest first.
    fn outline(opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value;

    /// Returns a run's trace as a tar archive. `artifact` returns the bytes of a digest, if the run has them.
    fn trace(
        _opened: &Opened<Self>,
        _events: &[Rc<str>],
        _artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let detail =
            "This run has no trace; what it has told is its events, GET /runs/{run}/events.";
        Err(Problem::new(409, detail))
    }

    /// The names of the tools that are always available, regardless of stored documents.
    const TOOLS: &'static [&'static str] = &[];

    /// Parses a call of one of [`Self::TOOLS`]; `None` for any other tool.
    #[must_use]
    fn read_call(
        _tool: &str,
        _arguments: &Map<String, Value>,
        _caps: &Caps,
    ) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns the JSON of the tool for a stored document. `about` is what its check returned. `None` if it is no tool.
    #[must_use]
    fn stored_tool(_name: &str, _about: &Value, _settings: &Settings) -> Option<String> {
        None
    }

    /// Returns the request, as a body of `POST /runs`, for a call of the stored document of this name, with arguments
    /// that [`Self::stored_tool`] describes.
    #[must_use]
    fn stored_call(_name: &str, _arguments: Map<String, Value>) -> Value {
        Value::Null
    }

    /// Returns a line about an event for waiting callers; `None` if it does not concern them.
    #[must_use]
    fn progress(_event: &Value) -> Option<String> {
        None
    }

    /// Returns the answer about a run from its newest event. The value is an object with at least `run`, `address` and
    /// `state`.
    #[must_use]
    fn answer(event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        if !is_ended {
            return Answer::going_on(place, None);
        }
        ended(Self::NOUN, Self::end(event), place)
    }
}

/// A document that an engine makes of a run from its events so far, oldest first.
#[derive(Debug, Clone, Copy)]
pub struct RunDocument<E: Tools> {
    /// The last part of its address, like `summary` for `/runs/{run}/summary`.
    pub name: &'static str,
    /// Makes the document.
    pub make: fn(opened: &Opened<E>, events: &[Rc<str>]) -> Value,
}

/// Makes the list of stored documents from their names and what [`StoredDocuments::check`] returned for each. The last
/// argument says whether the caller may see any.
pub type ListDocuments = fn(Vec<(String, Option<Value>)>, &Settings, bool) -> Value;

/// A kind of document that the operator stores by name.
#[derive(Debug, Clone, Copy)]
pub struct StoredDocuments {
    /// The first part of its addresses, like `documents` for `/documents/NAME`.
    pub path: &'static str,
    /// The noun for such a document in sentences.
    pub noun: &'static str,
    /// The prefix of its keys.
    pub key_prefix: &'static str,
    /// The setting that says who may start runs of it.
    pub variable: &'static str,
    /// Whether that setting may let everybody start runs of documents that they send.
    pub may_be_any: bool,
    /// The longest document, in bytes.
    pub bytes_max: usize,
    /// Checks a document before it is stored. Returns what the list shows besides its name.
    pub check: fn(&[u8]) -> Result<Value, Problem>,
    /// Makes the list. It is empty if `is_shown` is false: the caller may start none of them.
    pub list: ListDocuments,
}

impl StoredDocuments {
    /// Returns the key under which the document of this name is stored.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        format!("{}{name}", self.key_prefix)
    }
}

/// Returns the answer of a run that has ended.
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
