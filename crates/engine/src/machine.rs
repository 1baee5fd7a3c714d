//! The interface of an engine's pure machine, and of the storage, display and accounting of its runs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use kernel::{Command, CommandId, Input, Millis};
use platform::events::{EventKinds, WireEvent};

use crate::budget::Amount;
use crate::store::{Documents, Keys, RunMeta};

/// A pure machine, which never waits, reads no clock and draws no random numbers. [`kernel`] describes the rules that
/// a machine follows.
pub trait Machine: Copy + fmt::Debug + PartialEq + 'static {
    /// The state of a run.
    type State: Clone + fmt::Debug;
    /// The order of a run, in its stored form. It describes what the run should do.
    type Order: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// An action that the executor performs.
    type Action: Clone + fmt::Debug + PartialEq;
    /// The outcome of an action, which is also its stored form.
    type Outcome: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;

    /// Whether the user's stop ends the calls in flight. If not, the machine waits for their answers.
    const STOP_ENDS_CALLS: bool;

    /// Makes the machine for an order. Fails if the order is not acceptable, since it may come from an untrusted
    /// file.
    fn begin(order: &Self::Order) -> Result<Self::State, OrderError>;

    /// Passes the next input to a machine.
    fn handle(state: &mut Self::State, input: Input<Self::Outcome>, now: Millis);

    /// Takes the oldest command that was not taken yet.
    fn next_command(state: &mut Self::State) -> Option<Command<Self::Action>>;

    /// Returns whether the machine has emitted its last notice.
    fn is_ended(state: &Self::State) -> bool;

    /// Returns whether the run's end is decided. If it is, calls in flight must be ended.
    fn is_withdrawing(_state: &Self::State) -> bool {
        false
    }
}

/// The reason why this program does not accept an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderError {
    /// This part of the order is invalid.
    Part(&'static str),
    /// The parts of the order do not fit together. The text is a whole sentence that says why.
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

/// An engine, which defines how its runs are stored, shown and accounted for. Stored forms may only be extended, so
/// that everything an older version wrote remains readable. The forms of the events are public, and tests guard them
/// against changes.
pub trait Engine: Machine {
    /// The key of an action. Equal requests to the outside world have equal keys in all runs.
    type Key: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Ord;
    /// A note that the executor of a command writes for other processes. The machine does not receive it.
    type Note: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// What the machine knows from answers and refers to in later actions.
    type Memory: Clone + fmt::Debug + Default;

    /// The member `engine` of the engine's orders; `None` for the first engine, whose orders lack that member.
    const ORDER_TAG: Option<&'static str>;
    /// Whether runs of this engine begin child runs.
    const BEGINS_RUNS: bool = false;
    /// The most memory that parsing a journal entry takes, in bytes.
    const ENTRY_WEIGHT_MAX: usize;
    /// The longest string in a journal entry, in bytes; `usize::MAX` if strings have limits of their own.
    const ENTRY_STRING_BYTES_MAX: usize = usize::MAX;
    /// The longest list in a journal entry; `usize::MAX` if lists have limits of their own.
    const ENTRY_LIST_MAX: usize = usize::MAX;
    /// The longest order, in bytes of JSON.
    const ORDER_BYTES_MAX: usize;

    /// Returns the key of an action.
    fn key(action: &Self::Action, memory: &Self::Memory) -> Self::Key;

    /// Records in `memory` what later actions need to know of the answer to an action.
    fn remember(
        _memory: &mut Self::Memory,
        _command: CommandId,
        _action: Self::Action,
        _outcome: &Self::Outcome,
    ) {
    }

    /// Returns whether an outcome is a success. Forks reuse only successes.
    fn is_success(outcome: &Self::Outcome) -> bool;

    /// Returns the answer that an earlier run received to a call, if any.
    fn inherited(
        answers: &BTreeMap<Self::Key, Self::Outcome>,
        key: &Self::Key,
    ) -> Option<Self::Outcome> {
        answers.get(key).cloned()
    }

    /// Returns whether an event shows that the run has reached the point from which a fork makes all calls again.
    /// `point` comes from the request and has at most 64 letters, digits or `-`. By default no point is ever reached,
    /// so a fork reuses all answers.
    #[must_use]
    fn reaches(_event: &WireEvent, _point: &str) -> bool {
        false
    }

    /// Returns the token of the child run that a note announces, if any.
    fn child_begun(_note: &Self::Note) -> Option<&str> {
        None
    }

    /// Returns whether a call is a child run. A child run reports its own spending.
    fn is_child(_key: &Self::Key) -> bool {
        false
    }

    /// The kinds of events that the engine's runs emit.
    const KINDS: EventKinds;

    /// Takes the oldest notice that was not taken yet, and converts it to the run's event with this number.
    fn next_event(
        state: &mut Self::State,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>>;

    /// Makes the last event of a run that cannot continue. The event has this number and follows the `stored` events.
    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent;

    /// Returns the documents of a run in its current state.
    fn documents(keys: &Keys, state: &Self::State, meta: &RunMeta, is_end: bool) -> Documents;

    /// Returns the kind of a paid call, such as `search`, and what the call asks for, such as the query; `None` if the
    /// call is free.
    fn paid_call(key: &Self::Key) -> Option<(&'static str, &str)>;

    /// Returns the longest time that the run may take, in milliseconds.
    fn runtime_ms_max(state: &Self::State) -> u64;

    /// Returns the run's decisions with their reasons, for a sealed file. The first decision is number 0; those
    /// before `from` are omitted.
    fn decisions(_state: &Self::State, _from: usize) -> Vec<Value> {
        Vec::new()
    }

    /// Returns the largest number of items that the machine may examine in one step.
    fn steps(state: &Self::State) -> u64;

    /// Returns the summary of an order for the operator's log.
    fn summary(order: &Self::Order) -> OrderSummary;

    /// Returns what a run and its children have spent, according to its last event; `None` if the event does not say.
    fn spent(last_event: &str) -> Option<Amount>;

    /// Returns whether an attempt with this number, which costs at most `nano_usd`, may have cost something.
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
