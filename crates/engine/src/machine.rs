//! The pure machine of an engine, and how its runs are stored, shown and accounted for.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use kernel::{Command, CommandId, Input, Millis};
use platform::events::{EventKinds, WireEvent};

use crate::budget::Amount;
use crate::store::{Documents, Keys, RunMeta};

/// A pure machine: it never waits, reads no clock and draws no random numbers. [`kernel`] describes how a machine
/// behaves.
pub trait Machine: Copy + fmt::Debug + PartialEq + 'static {
    /// The state of a run.
    type State: Clone + fmt::Debug;
    /// The question of a run, in its stored form.
    type Order: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// An action for the executor.
    type Action: Clone + fmt::Debug + PartialEq;
    /// The outcome of an action, also in its stored form.
    type Outcome: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;

    /// Whether a stop ends the calls in flight; otherwise the machine waits for their answers.
    const STOP_ENDS_CALLS: bool;

    /// Makes the machine of an order, which may come from an untrusted file.
    fn begin(order: &Self::Order) -> Result<Self::State, OrderError>;

    /// Gives a machine its next input.
    fn handle(state: &mut Self::State, input: Input<Self::Outcome>, now: Millis);

    /// Takes the oldest command that was not yet executed.
    fn next_command(state: &mut Self::State) -> Option<Command<Self::Action>>;

    /// Returns whether the last notice was emitted.
    fn is_ended(state: &Self::State) -> bool;

    /// Returns whether the end is decided and calls in flight must be ended.
    fn is_withdrawing(_state: &Self::State) -> bool {
        false
    }
}

/// The reason why this program does not accept an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderError {
    /// This part of the order cannot be read.
    Part(&'static str),
    /// The parts do not fit together. The text is a whole sentence that says why.
    Together(String),
}

impl fmt::Display for OrderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(part) => write!(formatter, "{part} of its order cannot be read"),
            Self::Together(why) => formatter.write_str(why.trim_end_matches('.')),
        }
    }
}

/// An engine: how its runs are stored, shown and accounted for. Stored forms only grow: what an older version wrote
/// stays readable forever. The forms of the events are public and pinned by tests.
pub trait Engine: Machine {
    /// The key of an action: equal in all runs for equal requests to the outside.
    type Key: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Ord;
    /// A note that the executor of a command writes, besides what the machine is told.
    type Note: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// What the machine knows from answers and later actions refer to.
    type Memory: Clone + fmt::Debug + Default;

    /// The member `engine` of its orders; `None` for the first engine, whose orders have no such member.
    const ORDER_TAG: Option<&'static str>;
    /// Whether its runs begin child runs.
    const BEGINS_RUNS: bool = false;
    /// The most memory that reading an entry takes, in bytes.
    const ENTRY_WEIGHT_MAX: usize;
    /// The longest string of an entry, in bytes; `usize::MAX` if strings have their own bounds.
    const ENTRY_STRING_BYTES_MAX: usize = usize::MAX;
    /// The longest list of an entry; `usize::MAX` if lists have their own bounds.
    const ENTRY_LIST_MAX: usize = usize::MAX;
    /// The longest order, in bytes of JSON.
    const ORDER_BYTES_MAX: usize;

    /// Returns the key of an action.
    fn key(action: &Self::Action, memory: &Self::Memory) -> Self::Key;

    /// Notes that an action was answered.
    fn remember(
        _memory: &mut Self::Memory,
        _command: CommandId,
        _action: Self::Action,
        _outcome: &Self::Outcome,
    ) {
    }

    /// Returns whether an outcome is a success, which a fork may reuse.
    fn is_success(outcome: &Self::Outcome) -> bool;

    /// Returns an earlier run's answer to a call.
    fn inherited(
        answers: &BTreeMap<Self::Key, Self::Outcome>,
        key: &Self::Key,
    ) -> Option<Self::Outcome> {
        answers.get(key).cloned()
    }

    /// Returns whether an event shows that the run reached the point from which a fork makes all calls again. `point`
    /// comes from the request: at most 64 letters, digits or `-`. By default no point is ever reached, and a fork
    /// reuses all answers.
    #[must_use]
    fn reaches(_event: &WireEvent, _point: &str) -> bool {
        false
    }

    /// Returns the token of the child run that a note announces, if any.
    fn child_begun(_note: &Self::Note) -> Option<&str> {
        None
    }

    /// Returns whether a call is a child run, which reports its spending itself.
    fn is_child(_key: &Self::Key) -> bool {
        false
    }

    /// The kinds of its events.
    const KINDS: EventKinds;

    /// Takes the oldest notice that was not yet emitted, as the run's event of this number.
    fn next_event(
        state: &mut Self::State,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>>;

    /// Returns the last event of a run that cannot continue. It has this number and follows the `stored` events.
    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent;

    /// Returns the documents of a run in its current state.
    fn documents(keys: &Keys, state: &Self::State, meta: &RunMeta, is_end: bool) -> Documents;

    /// Returns the kind of provider that charges for a call, and the call's subject; `None` if the call is free.
    fn paid_call(key: &Self::Key) -> Option<(&'static str, &str)>;

    /// Returns the longest time that a run may take, in milliseconds.
    fn runtime_ms_max(state: &Self::State) -> u64;

    /// Returns the decisions from number `from` on (the first is 0), with their reasons, for a sealed file.
    fn decisions(_state: &Self::State, _from: usize) -> Vec<Value> {
        Vec::new()
    }

    /// Returns how many items the machine may look at in one step.
    fn steps(state: &Self::State) -> u64;

    /// Returns the summary of an order for the operator's log.
    fn summary(order: &Self::Order) -> OrderSummary;

    /// Returns what a run has spent, children included, according to its last event; `None` if the event does not say.
    fn spent(last_event: &str) -> Option<Amount>;

    /// Returns whether an attempt may have cost something. `attempt` is its number.
    #[must_use]
    fn may_cost(_attempt: u32, nano_usd: u64) -> bool {
        nano_usd > 0
    }
}

/// The summary of an order for the operator's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderSummary {
    /// The plan that the run follows, in one word.
    pub plan: &'static str,
    /// The names in the order, each after its label. They are logged only if the operator sets `LOG_NAMES`.
    pub named: Vec<(&'static str, String)>,
}
