//! The addresses at which the runs of an engine are read, and the tools with which assistants begin runs.

use std::rc::Rc;

use serde_json::{Map, Value};

use domain::Sha256Digest;
use settings::{Caps, Settings};

use crate::assistant::{Answer, CallPlace, make_plain, quoted, quoted_value};
use crate::child_run::ChildResult;
use crate::run_state::Opened;
use crate::{Problem, Requests};

/// An engine whose runs, and whose stored documents, are read at addresses, and whose runs assistants begin by calling
/// tools.
pub trait Tools: Requests {
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

    /// The names of the tools that begin a run whatever the operator has stored.
    const TOOLS: &'static [&'static str] = &[];

    /// Reads a call of one of [`Self::TOOLS`]. Returns `None` where it is none of them.
    #[must_use]
    fn read_call(
        _tool: &str,
        _arguments: &Map<String, Value>,
        _caps: &Caps,
    ) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns the JSON of the tool that one of the operator's stored documents is, by what its check told of it; `None`
    /// where it is no tool.
    #[must_use]
    fn stored_tool(_name: &str, _about: &Value, _settings: &Settings) -> Option<String> {
        None
    }

    /// Returns the request, as `POST /runs` takes it, for a call of the stored document of this name. The arguments are
    /// among those that [`Self::stored_tool`] describes.
    #[must_use]
    fn stored_call(_name: &str, _arguments: Map<String, Value>) -> Value {
        Value::Null
    }

    /// Returns what an event tells to those who wait, in one line; `None` where it tells them nothing.
    #[must_use]
    fn progress(_event: &Value) -> Option<String> {
        None
    }

    /// Returns the answer of a run, by the newest event that it has told. The value is an object with `run`,
    /// `address` and `state` at least.
    #[must_use]
    fn answer(event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        if !is_ended {
            return Answer::going_on(place, None);
        }
        ended(Self::NOUN, Self::end(event), place)
    }
}

/// A document that an engine makes of a run by its events so far, the oldest first.
#[derive(Debug, Clone, Copy)]
pub struct RunDocument<E: Tools> {
    /// The last part of its address, like `summary` for `/runs/{run}/summary`.
    pub name: &'static str,
    /// Makes it.
    pub make: fn(opened: &Opened<E>, events: &[Rc<str>]) -> Value,
}

/// Makes the list of stored documents out of their names and of what is told of each; the last argument says
/// whether the one who asks may see any.
pub type ListDocuments = fn(Vec<(String, Option<Value>)>, &Settings, bool) -> Value;

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
