//! What the journal, and all that stands around a run, needs of an engine.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::events::WireEvent;
use crate::kernel::{Command, CommandId, Input, Millis};
use crate::sorted::SortedMap;

/// A value that is stored.
pub trait Form: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned {}

impl<T: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned> Form for T {}

/// An engine with the stored forms of its order, its questions and its answers. How a machine behaves
/// is told in [`crate::kernel`].
pub trait Engine: Copy + fmt::Debug + PartialEq + 'static {
    /// The pure machine.
    type Machine: Clone + fmt::Debug;
    /// What a run was asked.
    type Order: Form;
    /// What a machine wants done.
    type Action: Clone + fmt::Debug + PartialEq;
    /// What came of it.
    type Outcome: Clone + fmt::Debug + PartialEq;
    /// What an action asks for, whichever run asks.
    type Key: Form + Ord;
    /// The stored form of an outcome.
    type OutcomeForm: Form;
    /// What whoever carries the commands out writes down, beside what the machine is told.
    type Note: Form;
    /// What is known of answers that later actions refer to.
    type Memory: Clone + fmt::Debug + Default;

    /// The most memory that reading an entry takes, in bytes.
    const ENTRY_WEIGHT_MAX: usize;
    /// Whether a stop ends the calls that are under way; else the machine waits for their answers.
    const STOP_ENDS_CALLS: bool;

    /// A machine for an order, which may come out of anybody's file.
    fn begin(order: &Self::Order) -> Result<Self::Machine, OrderError>;

    /// Gives a machine its next input.
    fn handle(machine: &mut Self::Machine, input: Input<Self::Outcome>, now: Millis);

    /// The oldest notice that was not told, as the run's event of this number.
    fn next_event(
        machine: &mut Self::Machine,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>>;

    /// The last event of a run that cannot go on, of this number, after the `stored` ones.
    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent;

    /// The oldest command that was not carried out.
    fn next_command(machine: &mut Self::Machine) -> Option<Command<Self::Action>>;

    /// Whether the last notice is out.
    fn is_ended(machine: &Self::Machine) -> bool;

    /// Whether the end is decided and calls in flight are to be ended.
    fn is_withdrawing(machine: &Self::Machine) -> bool;

    /// What an action asks for.
    fn key(action: &Self::Action, memory: &Self::Memory) -> Self::Key;

    /// An action was answered.
    fn remember(
        memory: &mut Self::Memory,
        command: CommandId,
        action: Self::Action,
        outcome: &Self::Outcome,
    );

    /// The stored form of an outcome.
    fn form(outcome: &Self::Outcome) -> Self::OutcomeForm;

    /// The outcome again; none where no run makes one of this form.
    fn outcome(form: Self::OutcomeForm) -> Option<Self::Outcome>;

    /// Whether an outcome is what was asked for, so that a fork may use it again.
    fn is_success(form: &Self::OutcomeForm) -> bool;

    /// The answer of an earlier run to a call.
    fn inherited(
        answers: &SortedMap<Self::Key, Self::Outcome>,
        key: &Self::Key,
    ) -> Option<Self::Outcome>;
}

/// Why this program does not accept an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderError {
    /// A part of it cannot be read: which.
    Part(&'static str),
    /// Each part can be read, and they do not go together: why, as a whole sentence.
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
