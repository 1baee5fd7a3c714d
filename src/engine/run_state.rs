//! The state of a run: the machine with its pending commands and its events. Conducting, going on
//! after a crash and replaying a sealed file all go through here, so that they cannot differ.

use std::fmt;

use crate::events::WireEvent;
use crate::kernel::{Answer, Command, CommandId, Input, Millis};
use crate::sorted::SortedMap;

use super::Engine;

/// A command that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCommand<E: Engine> {
    command: Command<E::Action>,
    key: E::Key,
}

impl<E: Engine> PendingCommand<E> {
    /// The number under which it is answered.
    #[must_use]
    pub fn id(&self) -> CommandId {
        self.command.id
    }

    /// What the machine wants done.
    #[must_use]
    pub fn command(&self) -> &Command<E::Action> {
        &self.command
    }

    /// What it asks for, as any run would.
    #[must_use]
    pub fn key(&self) -> &E::Key {
        &self.key
    }
}

/// An event could not be written as JSON: a mistake of this program's, and never seen.
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
    pending: SortedMap<CommandId, PendingCommand<E>>,
    memory: E::Memory,
}

impl<E: Engine> RunState<E> {
    /// A run that has not begun; `token` is the public one that its events carry.
    #[must_use]
    pub fn new(token: &str, machine: E::State) -> Self {
        Self {
            token: token.to_owned(),
            machine,
            events: 0,
            pending: SortedMap::new(),
            memory: E::Memory::default(),
        }
    }

    /// Gives the machine an input; returns the events that come of it, numbered on.
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

    /// Commands that this input answers or withdraws are pending no more.
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

    /// The pending commands, the oldest first; none once the run has ended.
    pub fn pending(&self) -> impl Iterator<Item = &PendingCommand<E>> {
        let is_ended = self.is_ended();
        self.pending.values().filter(move |_| !is_ended)
    }

    /// The pending command of this number.
    #[must_use]
    pub fn pending_command(&self, command: CommandId) -> Option<&PendingCommand<E>> {
        self.pending.get(&command)
    }

    /// What is known of answers that later commands refer to.
    #[must_use]
    pub fn memory(&self) -> &E::Memory {
        &self.memory
    }

    /// Whether the machine has told its last notice.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        E::is_ended(&self.machine)
    }

    /// Whether the end is decided and calls in flight are to be ended.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        E::is_withdrawing(&self.machine)
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &E::State {
        &self.machine
    }
}
