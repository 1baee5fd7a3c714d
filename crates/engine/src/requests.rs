//! The requests that begin runs of an engine. They come from a caller, a link, or another run.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use domain::{RunToken, Secret, stored_name};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::budget::Amount;
use crate::child_run::{ChildResult, ParentLimits};
use crate::{Engine, Problem};

/// An engine whose runs can be requested. Nothing is spent until [`Self::accept`] has accepted a request.
pub trait Requests: Engine {
    /// A parsed request for a run.
    type Wanted;

    /// Whether runs of this engine store artifacts (bytes) in addition to events.
    const KEEPS_ARTIFACTS: bool = false;
    /// The setting that holds the operator's secrets for runs of this engine; `None` if the runs need no secrets.
    const KEPT_SECRETS: Option<&'static str> = None;
    /// The longest body of a request, in bytes.
    const BODY_BYTES_MAX: usize;
    /// A sentence for users who want to fork a run that has expired. It explains how to begin a new run.
    const BEGIN_ANEW: &'static str;
    /// A sentence for users who requested a fork in the form of another engine. It explains how to fork a run of this
    /// engine.
    const HOW_TO_FORK: &'static str;

    /// Parses the body of a request. Returns `None` if the body does not request a run of this engine.
    fn read(body: &[u8], caps: &Caps) -> Option<Result<Self::Wanted, Problem>>;

    /// Parses the query of a link that starts a run. Returns `None` if links start no runs of this engine.
    #[must_use]
    fn read_query(_query: &str, _caps: &Caps) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns the parts of a request that all engines have in common.
    fn terms(wanted: &Self::Wanted) -> StartTerms<'_>;

    /// Returns the secrets in a request, by name. They are passed along with the order and exist only in memory.
    #[must_use]
    fn secrets(_wanted: &Self::Wanted) -> BTreeMap<String, Secret> {
        BTreeMap::default()
    }

    /// Checks whether a caller who may start runs may start this one.
    fn may_start(
        settings: &Settings,
        is_operator: bool,
        wanted: &Self::Wanted,
    ) -> Result<(), Problem>;

    /// Returns the requests for the child runs that this request would begin, as bodies of `POST /runs`. Child runs
    /// that the operator's stored documents request are not included.
    #[must_use]
    fn begins(_wanted: &Self::Wanted) -> Vec<Value> {
        Vec::new()
    }

    /// Returns the parts of the operator's settings that a run of this order needs, except those that every run
    /// needs.
    #[must_use]
    fn needs(_order: &Self::Order) -> Vec<SettingsPart> {
        Vec::new()
    }

    /// Makes the order of a run from a request, within the operator's limits.
    fn accept(wanted: Self::Wanted, given: Given<'_, Self>) -> Result<Self::Order, Problem>;

    /// Adds to an order what the operator's current settings contribute.
    fn with_settings(order: Self::Order, _providers: &Providers) -> Self::Order {
        order
    }

    /// Returns the longest time that a run of this order may take, in milliseconds.
    fn order_runtime_ms_max(order: &Self::Order) -> u64;

    /// Returns the most that a run of this order may spend, excluding its child runs; `None` if the order cannot be
    /// read.
    fn most(order: &Self::Order, providers: &Providers) -> Option<Amount>;

    /// The noun for a run of this engine in sentences.
    const NOUN: &'static str;

    /// Lowers the limits of an order to what the parent run has left. Fails with a whole sentence if too little is
    /// left.
    fn limited(order: Self::Order, left: &ParentLimits<'_>) -> Result<Self::Order, String>;

    /// Returns the most that a run of this order may cost, in billionths of a dollar; 0 if unlimited.
    fn nano_usd_max(order: &Self::Order) -> u64;

    /// Returns the result of a run according to its last event, and the run's cost in billionths of a dollar.
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

/// The parts of a request that all engines have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartTerms<'wanted> {
    /// The session that the new run's token should have, if requested.
    pub session: Option<&'wanted str>,
    /// The token from Turnstile, which checks that the caller is human.
    pub turnstile_token: Option<&'wanted str>,
    /// The run whose answers the new run reuses, if it is a fork.
    pub fork: Option<ForkTerms<'wanted>>,
    /// The name of the operator's stored document from which the run is made, if it is made from one.
    pub stored_name: Option<&'wanted str>,
}

/// The run whose answers a fork reuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForkTerms<'wanted> {
    /// The token of the run to fork.
    pub run: &'wanted RunToken,
    /// The point from which the fork makes all calls again, see [`Engine::reaches`]; `None` if it reuses all answers.
    pub before: Option<String>,
}

/// The document from which a run is to be made.
#[derive(Debug, Clone, PartialEq)]
pub enum WantedDocument {
    /// A document that was sent in the request.
    Sent(Value),
    /// One of the operator's stored documents, by its name.
    Stored(String),
}

impl WantedDocument {
    /// Deserializes a document, the name of a stored document, or null. `what` completes the sentence that begins
    /// with the member's name.
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

    /// Returns the name of the operator's stored document; `None` if the document was sent.
    #[must_use]
    pub fn stored_name(&self) -> Option<&str> {
        match self {
            Self::Sent(_) => None,
            Self::Stored(name) => Some(name),
        }
    }
}

/// What an order is made from, in addition to the request.
#[derive(Debug)]
pub struct Given<'given, E: Engine> {
    /// The operator's stored document that the request names, if any.
    pub stored: Option<Value>,
    /// The order of the run that is forked, if any.
    pub forked: Option<&'given E::Order>,
    /// The operator's providers.
    pub providers: &'given Providers,
    /// The limits that apply to this caller's runs.
    pub caps: &'given Caps,
}
