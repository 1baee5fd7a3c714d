//! What an engine shows to the outside: the requests that begin its runs, the answers at its addresses, and the
//! tools with which assistants begin runs.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use domain::{RunToken, Secret, Sha256Digest};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::Problem;
use crate::assistant::{Answer, CallPlace, make_plain, quoted, quoted_value};
use crate::budget::Amount;
use crate::child_run::{Begun, ChildResult};
use crate::machine::Opened;
use crate::store::Recorded;

/// An engine whose runs are begun by requests. Nothing is spent before a request is accepted here.
pub trait Asked: Recorded {
    /// The content of a request.
    type Wanted;

    /// Whether its runs keep bytes beside what they tell.
    const KEEPS_ARTIFACTS: bool = false;
    /// The setting with the secrets that the operator keeps for its runs; `None` where they need none.
    const KEPT_SECRETS: Option<&'static str> = None;
    /// The longest body that asks for a run, in bytes.
    const BODY_BYTES_MAX: usize;
    /// The sentence for somebody whose run to fork is gone, which says how to begin anew.
    const BEGIN_ANEW: &'static str;
    /// The sentence for somebody who asked for a fork of another kind, which says how a run of this engine is
    /// forked.
    const HOW_TO_FORK: &'static str;

    /// Reads the body of a request. Returns `None` where it asks for no run of this engine.
    fn read(body: &[u8], caps: &Caps) -> Option<Result<Self::Wanted, Problem>>;

    /// Reads the query of a link that starts a run. Returns `None` where no link starts a run of this
    /// engine.
    #[must_use]
    fn read_query(_query: &str, _caps: &Caps) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns what a request says beside its question.
    fn terms(wanted: &Self::Wanted) -> StartTerms<'_>;

    /// Returns the secrets of a request, by their names. They are handed on beside the order, and kept in
    /// memory alone.
    #[must_use]
    fn secrets(_wanted: &Self::Wanted) -> BTreeMap<String, Secret> {
        BTreeMap::default()
    }

    /// Returns whether a caller who may start runs may start this one.
    fn may_start(
        settings: &Settings,
        is_operator: bool,
        wanted: &Self::Wanted,
    ) -> Result<(), Problem>;

    /// Returns the requests, as `POST /runs` takes them, for the runs that a run of this request would begin
    /// in its turn. Those of the operator's stored documents are not among them.
    #[must_use]
    fn begins(_wanted: &Self::Wanted) -> Vec<Value> {
        Vec::new()
    }

    /// Returns the parts of the operator's settings that a run of this order needs, beside what every run
    /// needs.
    #[must_use]
    fn needs(_order: &Self::Order) -> Vec<SettingsPart> {
        Vec::new()
    }

    /// Makes the order of a run, within what the operator allows.
    fn accept(wanted: Self::Wanted, given: Given<'_, Self>) -> Result<Self::Order, Problem>;

    /// Returns the order with what the operator's settings of today add.
    fn with_settings(order: Self::Order, _providers: &Providers) -> Self::Order {
        order
    }

    /// Returns how long a run of this order may take, in milliseconds.
    fn order_runtime_ms_max(order: &Self::Order) -> u64;

    /// Returns the most that a run may spend, without what its children spend; `None` where the order
    /// cannot be read.
    fn most(order: &Self::Order, providers: &Providers) -> Option<Amount>;
}

/// Checks that nothing is wrong with these parts of the operator's settings.
pub fn check_parts(providers: &Providers, parts: &[SettingsPart]) -> Result<(), Problem> {
    let wrong = providers.faults.of(parts);
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Problem::missing_settings(&wrong))
}

/// The parts of a request beside its question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartTerms<'wanted> {
    /// The session that the run's token shall have.
    pub session: Option<&'wanted str>,
    /// The token of the check for humans.
    pub turnstile_token: Option<&'wanted str>,
    /// The run whose answers are used again.
    pub fork: Option<ForkTerms<'wanted>>,
    /// The name of the operator's stored document that the run is made from.
    pub stored_name: Option<&'wanted str>,
}

/// The run whose answers another one uses again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForkTerms<'wanted> {
    /// The token of that run.
    pub run: &'wanted RunToken,
    /// The point from which everything is done anew, as [`crate::Stored::reaches`] takes it.
    pub before: Option<String>,
}

/// The means to make an order, beside what the request says.
#[derive(Debug)]
pub struct Given<'given, E: Recorded> {
    /// The operator's stored document of the name that was asked for.
    pub stored: Option<Value>,
    /// The order of the run that is forked.
    pub forked: Option<&'given E::Order>,
    /// The operator's providers.
    pub providers: &'given Providers,
    /// The most that a run of this caller may ask for.
    pub caps: &'given Caps,
}

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

/// An engine whose runs assistants begin by calling tools.
pub trait Offered: Begun + Served {
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
