//! The stored forms of an engine's questions and answers.

use std::collections::BTreeMap;
use std::fmt;

use kernel::CommandId;
use platform::events::WireEvent;

use crate::machine::{Form, Machine};

/// A machine whose questions and answers are stored. Stored forms only grow: what an older version
/// wrote is read for ever.
pub trait Stored: Machine {
    /// The key of what an action asks for, whichever run asks.
    type Key: Form + Ord;
    /// The stored form of an outcome.
    type OutcomeForm: Form;
    /// A note that the carrier of a command writes, beside what the machine is told.
    type Note: Form;
    /// The knowledge of answers to which later actions refer.
    type Memory: Clone + fmt::Debug + Default;

    /// The member `engine` of its orders. The orders of the first engine have none.
    const ORDER_TAG: Option<&'static str>;
    /// Whether its runs begin runs of their own.
    const BEGINS_RUNS: bool = false;
    /// The most memory that reading an entry takes, in bytes.
    const ENTRY_WEIGHT_MAX: usize;
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

    /// Returns the stored form of an outcome.
    fn form(outcome: &Self::Outcome) -> Self::OutcomeForm;

    /// Reads an outcome back. Returns `None` where no run makes one of this form.
    fn outcome(form: Self::OutcomeForm) -> Option<Self::Outcome>;

    /// Returns whether an outcome is what was asked for, so that a fork may use it again.
    fn is_success(form: &Self::OutcomeForm) -> bool;

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
}
