//! The requests that begin runs of an engine, by whoever sends them: a caller, a link, or another run.

use std::collections::BTreeMap;

use serde_json::Value;

use domain::{RunToken, Secret};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::budget::Amount;
use crate::child_run::{ChildResult, ParentLimits};
use crate::{Engine, Problem};

/// An engine whose runs are begun by requests, also by those of other runs. Nothing is spent before a request is accepted
/// here.
pub trait Requests: Engine {
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

    /// The noun for one of its runs in sentences.
    const NOUN: &'static str;

    /// Lowers the limits of an order to what its parent has left. Fails with a whole sentence where too
    /// little is left.
    fn limited(order: Self::Order, left: &ParentLimits<'_>) -> Result<Self::Order, String>;

    /// Returns the most that a run of this order may cost, in billionths of a dollar; 0 where nobody limits it.
    fn nano_usd_max(order: &Self::Order) -> u64;

    /// Reads how a run ended out of its last event, and what it cost in billionths of a dollar.
    fn end(last_event: &Value) -> (ChildResult, u64);
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
    /// The point from which everything is done anew, as [`Engine::reaches`] takes it.
    pub before: Option<String>,
}

/// The means to make an order, beside what the request says.
#[derive(Debug)]
pub struct Given<'given, E: Engine> {
    /// The operator's stored document of the name that was asked for.
    pub stored: Option<Value>,
    /// The order of the run that is forked.
    pub forked: Option<&'given E::Order>,
    /// The operator's providers.
    pub providers: &'given Providers,
    /// The most that a run of this caller may ask for.
    pub caps: &'given Caps,
}
