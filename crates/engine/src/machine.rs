//! The pure machine of an engine.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use kernel::{Command, Input, Millis};

/// A value that is stored.
pub trait Form: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned {}

impl<T: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned> Form for T {}

/// A pure machine: it never waits, reads no clock and draws no random number. [`kernel`] tells
/// how a machine behaves.
pub trait Machine: Copy + fmt::Debug + PartialEq + 'static {
    /// A run as far as its inputs have brought it.
    type State: Clone + fmt::Debug;
    /// The question of a run, in its stored form.
    type Order: Form;
    /// An action that the machine wants done.
    type Action: Clone + fmt::Debug + PartialEq;
    /// The outcome of an action.
    type Outcome: Clone + fmt::Debug + PartialEq;

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
