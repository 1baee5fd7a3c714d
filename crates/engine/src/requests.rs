//! The requests that begin runs of an engine: from a caller, a link, or another run.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use domain::{RunToken, Secret, stored_name};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::budget::Amount;
use crate::child_run::{ChildResult, ParentLimits};
use crate::{Engine, Problem};

/// An engine whose runs can be requested. Nothing is spent before [`Self::accept`] accepts a request.
pub trait Requests: Engine {
    /// A parsed request.
    type Wanted;

    /// Whether its runs store artifacts (bytes) besides events.
    const KEEPS_ARTIFACTS: bool = false;
    /// The setting that holds the operator's secrets for its runs; `None` if they need none.
    const KEPT_SECRETS: Option<&'static str> = None;
    /// The longest body of a request, in bytes.
    const BODY_BYTES_MAX: usize;
    /// A sentence for users whose run to fork has expired: how to begin a new run.
    const BEGIN_ANEW: &'static str;
    /// A sentence for users who requested a fork in another engine's form: how to fork a run of this engine.
    const HOW_TO_FORK: &'static str;

    /// Parses the body of a request. `None` if it requests no run of this engine.
    fn read(body: &[u8], caps: &Caps) -> Option<Result<Self::Wanted, Problem>>;

    /// Parses the query of a link that starts a run. `None` if links start no run of this engine.
    #[must_use]
    fn read_query(_query: &str, _caps: &Caps) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns the parts of a request besides its question.
    fn terms(wanted: &Self::Wanted) -> StartTerms<'_>;

    /// Returns the secrets of a request by name. They are passed along with the order and kept only in memory.
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

    /// Returns the requests, as bodies of `POST /runs`, of the child runs that this request would begin, except those
    /// from the operator's stored documents.
    #[must_use]
    fn begins(_wanted: &Self::Wanted) -> Vec<Value> {
        Vec::new()
    }

    /// Returns the parts of the operator's settings that a run of this order needs besides those that every run needs.
    #[must_use]
    fn needs(_order: &Self::Order) -> Vec<SettingsPart> {
        Vec::new()
    }

    /// Makes the order of a run, within the operator's limits.
    fn accept(wanted: Self::Wanted, given: Given<'_, Self>) -> Result<Self::Order, Problem>;

    /// Returns the order with additions from the operator's current settings.
    fn with_settings(order: Self::Order, _providers: &Providers) -> Self::Order {
        order
    }

    /// Returns the longest time that a run of this order may take, in milliseconds.
    fn order_runtime_ms_max(order: &Self::Order) -> u64;

    /// Returns the most that a run may spend, excluding its children; `None` if the order cannot be read.
    fn most(order: &Self::Order, providers: &Providers) -> Option<Amount>;

    /// The noun for one of its runs in sentences.
    const NOUN: &'static str;

    /// Lowers the limits of an order to what its parent has left. Fails with a whole sentence if too little is left.
    fn limited(order: Self::Order, left: &ParentLimits<'_>) -> Result<Self::Order, String>;

    /// Returns the most that a run of this order may cost, in billionths of a dollar; 0 if unlimited.
    fn nano_usd_max(order: &Self::Order) -> u64;

    /// Returns how a run ended, according to its last event, and its cost in billionths of a dollar.
    fn end(last_event: &Value) -> (ChildResult, u64);
}

/// Checks that these parts of the operator's settings have no faults.
pub fn check_parts(providers: &Providers, parts: &[SettingsPart]) -> Result<(), Problem> {
    let wrong = providers.faults.of(parts);
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Problem::missing_settings(&wrong))
}

/// The parts of a request besides its question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartTerms<'wanted> {
    /// The session for the run's token.
    pub session: Option<&'wanted str>,
    /// The Turnstile token (the check for humans).
    pub turnstile_token: Option<&'wanted str>,
    /// The run whose answers are reused.
    pub fork: Option<ForkTerms<'wanted>>,
    /// The name of the operator's stored document that the run is made from.
    pub stored_name: Option<&'wanted str>,
}

/// The run whose answers another one reuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForkTerms<'wanted> {
    /// The token of that run.
    pub run: &'wanted RunToken,
    /// The point from which all calls are made again, as in [`Engine::reaches`].
    pub before: Option<String>,
}

/// The document that a run is to be made from.
#[derive(Debug, Clone, PartialEq)]
pub enum WantedDocument {
    /// The document that was sent.
    Sent(Value),
    /// One of the operator's documents, by its name.
    Stored(String),
}

impl WantedDocument {
    /// Reads a document, the name of one, or null. `what` completes the sentence that begins with the member's name.
    pub fn optional<'de, D: Deserializer<'de>>(
        deserializer: D,
        what: &str,
    ) -> Result<Option<Self>, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(None),
            Value::String(name) if stored_name(&name).is_some() => Ok(Some(Self::Stored(name))),
            sent @ (Value::Object(_) | Value::Array(_)) => Ok(Some(Self::Sent(sent))),
            _ => Err(D::Error::custom(what)),
        }
    }

    /// Returns the name, where it is one of the operator's.
    #[must_use]
    pub fn stored_name(&self) -> Option<&str> {
        match self {
            Self::Sent(_) => None,
            Self::Stored(name) => Some(name),
        }
    }
}

/// The inputs of an order besides the request.
#[derive(Debug)]
pub struct Given<'given, E: Engine> {
    /// The operator's stored document that the request names.
    pub stored: Option<Value>,
    /// The order of the run that is forked.
    pub forked: Option<&'given E::Order>,
    /// The operator's providers.
    pub providers: &'given Providers,
    /// The limits of this caller's runs.
    pub caps: &'given Caps,
}
