//! The pure machine of an engine, and the engine as its runs are stored, told and accounted for.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use kernel::{Command, CommandId, Input, Millis};
use platform::events::{EventKinds, WireEvent};

use crate::budget::Amount;
use crate::store::{Documents, Keys, RunMeta};

/// A pure machine: it never waits, reads no clock and draws no random number. [`kernel`] tells
/// how a machine behaves.
pub trait Machine: Copy + fmt::Debug + PartialEq + 'static {
    /// A run as far as its inputs have brought it.
    type State: Clone + fmt::Debug;
    /// The question of a run, in its stored form.
    type Order: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// An action that the machine wants done.
    type Action: Clone + fmt::Debug + PartialEq;
    /// The outcome of an action, as it is stored, too.
    type Outcome: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;

    /// Whether a stop ends the calls that are under way; otherwise the machine waits for their answers.
    const STOP_ENDS_CALLS: bool;

    /// Makes the machine of an order, which may come out of anybody's file.
    fn begin(order: &Self::Order) -> Result<Self::State, OrderError>;

    /// Gives a machine its next input.
    fn handle(state: &mut Self::State, input: Input<Self::Outcome>, now: Millis);

    /// Returns the oldest command that was not carried out.
    fn next_command(state: &mut Self::State) -> Option<Command<Self::Action>>;

    /// Returns whether the last notice is out.
    fn is_ended(state: &Self::State) -> bool;

    /// Returns whether the end is decided and calls under way are to be ended.
    fn is_withdrawing(_state: &Self::State) -> bool {
        false
    }
}

/// The reason why this program does not accept an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderError {
    /// A part of the order cannot be read: which.
    Part(&'static str),
    /// Each part can be read, but they do not go together. The text says why, as a whole sentence.
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

/// The engine as its runs are stored, told and accounted for. Stored forms only grow: what an older version wrote is
/// read for ever. The forms of the events are public, and pinned by tests.
pub trait Engine: Machine {
    /// The key of what an action asks for, whichever run asks.
    type Key: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Ord;
    /// A note that the carrier of a command writes, beside what the machine is told.
    type Note: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned;
    /// The knowledge of answers to which later actions refer.
    type Memory: Clone + fmt::Debug + Default;

    /// The member `engine` of its orders. The orders of the first engine have none.
    const ORDER_TAG: Option<&'static str>;
    /// Whether its runs begin runs of their own.
    const BEGINS_RUNS: bool = false;
    /// The most memory that reading an entry takes, in bytes.
    const ENTRY_WEIGHT_MAX: usize;
    /// The longest string of an entry, in bytes, where strings have no bounds of their own.
    const ENTRY_STRING_BYTES_MAX: usize = usize::MAX;
    /// The most values of a list of an entry, where lists have no bounds of their own.
    const ENTRY_LIST_MAX: usize = usize::MAX;
    /// The longest order, in bytes of JSON.
    const ORDER_BYTES_MAX: usize;

    /// Returns what an action asks for.
    fn key(action: &Self::Action, memory: &Self::Memory) -> Self::Key;

    /// Notes that an action was answered.
    fn remember(
        _memory: &mut Self::Memory,
        _command: CommandId,
        _action: Self::Action,
        _outcome: &Self::Outcome,
    ) {
    }

    /// Returns whether an outcome is what was asked for, so that a fork may use it again.
    fn is_success(outcome: &Self::Outcome) -> bool;

    /// Returns the answer of an earlier run to a call.
    fn inherited(
        answers: &BTreeMap<Self::Key, Self::Outcome>,
        key: &Self::Key,
    ) -> Option<Self::Outcome> {
        answers.get(key).cloned()
    }

    /// Returns whether an event tells that the run reached the point from which a fork does everything
    /// anew. `point` is what the request names, 64 letters, digits or `-` at most.
    /// Where there is none, a fork uses all answers.
    #[must_use]
    fn reaches(_event: &WireEvent, _point: &str) -> bool {
        false
    }

    /// Returns the token of the run that is begun, where a note says that one is.
    fn child_begun(_note: &Self::Note) -> Option<&str> {
        None
    }

    /// Returns whether a call is a run of its own, which tells by itself what it has spent.
    fn is_child(_key: &Self::Key) -> bool {
        false
    }

    /// The kinds of its events.
    const KINDS: EventKinds;

    /// Takes the oldest notice that was not told, as the run's event of this number.
    fn next_event(
        state: &mut Self::State,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>>;

    /// Returns the last event of a run that cannot go on. It has this number and comes after the
    /// `stored` ones.
    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent;

    /// Returns the documents of a run as it is.
    fn documents(keys: &Keys, state: &Self::State, meta: &RunMeta, is_end: bool) -> Documents;

    /// Returns which kind of provider a call is paid to, and what the call is about; `None` where
    /// nobody is paid.
    fn paid_call(key: &Self::Key) -> Option<(&'static str, &str)>;

    /// Returns how long a run may take, in milliseconds.
    fn runtime_ms_max(state: &Self::State) -> u64;

    /// Returns the choices from this number on, from 0, as a sealed file shows them with their reasons.
    fn decisions(_state: &Self::State, _from: usize) -> Vec<Value> {
        Vec::new()
    }

    /// Returns how many things the machine may look at in one step.
    fn steps(state: &Self::State) -> u64;

    /// Returns what the operator's log tells of an order.
    fn summary(order: &Self::Order) -> OrderSummary;

    /// Returns what a run has spent by its last event, its children included; `None` where the event
    /// does not tell it.
    fn spent(last_event: &str) -> Option<Amount>;

    /// Returns whether an attempt of this number and price may have cost something.
    #[must_use]
    fn may_cost(_attempt: u32, nano_usd: u64) -> bool {
        nano_usd > 0
    }
}

/// The summary of an order in the operator's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderSummary {
    /// The plan that the run follows, in a word.
    pub plan: &'static str,
    /// Names and their values, which are told only where the operator wants them.
    pub named: Vec<(&'static str, String)>,
}
