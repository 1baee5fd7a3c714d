//! The state of a run, which is its machine with the pending commands and the events. Conducting, resuming and
//! replaying a run all use [`RunState`], so they cannot differ.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use domain::Sha256Digest;
use kernel::{Answer, Command, CommandId, Input, Millis};
use platform::events::WireEvent;

use crate::Engine;

/// The beginning of a run, as stored in the journal's first entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct Opened<E: Engine> {
    /// The journal version of the program that began the run.
    pub version: u32,
    /// The version of the program that began the run.
    pub engine: String,
    /// The run's public token, `{session}.{run}`.
    pub run: String,
    /// The order that was accepted.
    pub order: E::Order,
    /// The time at which everything about the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The token of the run whose answers this one reuses, if it is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// The host name of this server when the run was created, such as `example.org` or `127.0.0.1:8787`. The run
    /// fetches no photos from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// Returns the SHA-256 of the stored form of a call's key.
#[must_use]
pub fn key_digest(key: &impl Serialize) -> Sha256Digest {
    // A key contains only strings and numbers, so serializing it cannot fail.
    let json = serde_json::to_vec(key).unwrap_or_default();
    Sha256Digest::of(&json)
}

/// A command that has no answer yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCommand<E: Engine> {
    command: Command<E::Action>,
    key: E::Key,
}

impl<E: Engine> PendingCommand<E> {
    /// Returns the number of the command, which its answer must carry.
    #[must_use]
    pub fn id(&self) -> CommandId {
        self.command.id
    }

    /// Returns the command.
    #[must_use]
    pub fn command(&self) -> &Command<E::Action> {
        &self.command
    }

    /// Returns the command's key, which is equal for equal commands in every run.
    #[must_use]
    pub fn key(&self) -> &E::Key {
        &self.key
    }
}

/// The error that an event could not be serialized. It would be a bug in this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventError;

impl fmt::Display for EventError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an event could not be written")
    }
}

/// The state of a run, which only depends on the inputs so far.
#[derive(Debug, Clone)]
pub struct RunState<E: Engine> {
    token: String,
    machine: E::State,
    events: u32,
    pending: BTreeMap<CommandId, PendingCommand<E>>,
    memory: E::Memory,
}

impl<E: Engine> RunState<E> {
    /// Makes a run that has not begun. Its events will contain the public `token`.
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

    /// Passes an input to the machine. Returns the resulting events, numbered consecutively.
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

    /// Removes the pending commands that this input answers or withdraws.
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

    /// Returns the pending commands, oldest first. There are none once the run has ended.
    pub fn pending(&self) -> impl Iterator<Item = &PendingCommand<E>> {
        let is_ended = self.is_ended();
        self.pending.values().filter(move |_| !is_ended)
    }

    /// Returns the pending command with this number.
    #[must_use]
    pub fn pending_command(&self, command: CommandId) -> Option<&PendingCommand<E>> {
        self.pending.get(&command)
    }

    /// Returns what the machine knows from answers and refers to in later commands.
    #[must_use]
    pub fn memory(&self) -> &E::Memory {
        &self.memory
    }

    /// Returns whether the machine has emitted its last notice.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        E::is_ended(&self.machine)
    }

    /// Returns whether the run's end is decided. If it is, calls in flight must be ended.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        E::is_withdrawing(&self.machine)
    }

    /// Returns the state of the machine.
    #[must_use]
    pub fn machine(&self) -> &E::State {
        &self.machine
    }
}
