//! The pure machine of an engine, with the stored forms of its questions and answers and the events of its
//! notices; and the state of a run: the machine with its pending commands and its events. Conducting, going on
//! after a crash and replaying a sealed file all go through [`RunState`], so that they cannot differ.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use domain::Sha256Digest;
use kernel::{Answer, Command, CommandId, Input, Millis};
use platform::events::{EventKinds, WireEvent};

use crate::Engine;

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

/// A machine whose notices are told as events. The forms of the events are public, and pinned by
/// tests.
pub trait Told: Machine {
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
}

/// The beginning of a run: its first entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct Opened<E: Engine> {
    /// The version of the journal's entries of the program that began it.
    pub version: u32,
    /// The version of the program that began it.
    pub engine: String,
    /// The run's public token, `{session}.{run}`.
    pub run: String,
    /// The question that was asked and accepted.
    pub order: E::Order,
    /// The time at which everything of the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The run whose answers are used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// The host of this server where it was created, like `example.org` or `127.0.0.1:8787`: no
    /// photo is fetched from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// Returns the SHA-256 of the stored form of what a call asks for.
#[must_use]
pub fn key_digest(key: &impl Serialize) -> Sha256Digest {
    // A key holds strings and numbers: writing them cannot fail.
    let json = serde_json::to_vec(key).unwrap_or_default();
    Sha256Digest::of(&json)
}

/// A command that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCommand<E: Engine> {
    command: Command<E::Action>,
    key: E::Key,
}

impl<E: Engine> PendingCommand<E> {
    /// Returns the number under which the command is answered.
    #[must_use]
    pub fn id(&self) -> CommandId {
        self.command.id
    }

    /// Returns what the machine wants done.
    #[must_use]
    pub fn command(&self) -> &Command<E::Action> {
        &self.command
    }

    /// Returns the key of what the command asks for, which is the same in every run.
    #[must_use]
    pub fn key(&self) -> &E::Key {
        &self.key
    }
}

/// The error of an event that could not be written as JSON. That would be a mistake of this
/// program's; it was never seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventError;

impl fmt::Display for EventError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an event could not be written")
    }
}

/// A run as far as its inputs have brought it.
#[derive(Debug, Clone)]
pub struct RunState<E: Engine> {
    token: String,
    machine: E::State,
    events: u32,
    pending: BTreeMap<CommandId, PendingCommand<E>>,
    memory: E::Memory,
}

impl<E: Engine> RunState<E> {
    /// Makes a run that has not begun. `token` is the public one that its events carry.
    #[must_use]
    pub fn new(token: &str, machine: E::State) -> Self {
        Self {
            token: token.to_owned(),
            machine,
            events: 0,
            pending: BTreeMap::new(),
            memory: E::Memory::default(),
        }
    }

    /// Gives the machine an input. Returns the events that come of it, numbered on.
    pub fn handle(
        &mut self,
        input: Input<E::Outcome>,
        now: Millis,
    ) -> Result<Vec<WireEvent>, EventError> {
        self.remove_settled(&input);
        E::handle(&mut self.machine, input, now);
        let mut events = Vec::new();
        while let Some(event) = E::next_event(
            &mut self.machine,
            &self.token,
            self.events.saturating_add(1),
        ) {
            self.events = self.events.saturating_add(1);
            events.push(event.map_err(|_| EventError)?);
        }
        while let Some(command) = E::next_command(&mut self.machine) {
            let key = E::key(&command.action, &self.memory);
            let pending = PendingCommand { command, key };
            self.pending.insert(pending.id(), pending);
        }
        Ok(events)
    }

    /// Removes the commands that this input answers or withdraws from the pending ones.
    fn remove_settled(&mut self, input: &Input<E::Outcome>) {
        match input {
            Input::Answer(answer) => self.remove_answered(answer),
            Input::Stop { .. } if E::STOP_ENDS_CALLS => self.pending.clear(),
            Input::Withdrawn { .. } => self.pending.clear(),
            Input::Stop { lost } | Input::Resumed { lost } => {
                for call in lost {
                    self.pending.remove(&call.command);
                }
            }
            Input::Start | Input::Remark(_) => {}
        }
    }

    fn remove_answered(&mut self, answer: &Answer<E::Outcome>) {
        if let Some(pending) = self.pending.remove(&answer.command) {
            let action = pending.command.action;
            E::remember(&mut self.memory, answer.command, action, &answer.outcome);
        }
    }

    /// Returns the pending commands, the oldest first. There are none once the run has ended.
    pub fn pending(&self) -> impl Iterator<Item = &PendingCommand<E>> {
        let is_ended = self.is_ended();
        self.pending.values().filter(move |_| !is_ended)
    }

    /// Returns the pending command of this number.
    #[must_use]
    pub fn pending_command(&self, command: CommandId) -> Option<&PendingCommand<E>> {
        self.pending.get(&command)
    }

    /// Returns what is known of answers that later commands refer to.
    #[must_use]
    pub fn memory(&self) -> &E::Memory {
        &self.memory
    }

    /// Returns whether the machine has told its last notice.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        E::is_ended(&self.machine)
    }

    /// Returns whether the end is decided and calls in flight are to be ended.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        E::is_withdrawing(&self.machine)
    }

    /// Returns the machine.
    #[must_use]
    pub fn machine(&self) -> &E::State {
        &self.machine
    }
}
