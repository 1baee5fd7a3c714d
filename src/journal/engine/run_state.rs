//! The state of a run: the machine with its pending commands and its events. Conducting, going on
//! after a crash and replaying a sealed file all go through here, so that they cannot differ.

use std::collections::BTreeMap;
use std::fmt;

use crate::domain::{PhotoCopy, Sha256Digest};
use crate::events::{WireEvent, wire_event};
use crate::investigation::{
    Action, Answer, Command, CommandId, Decision, Fetched, Input, Investigation, Outcome, Request,
};
use crate::kernel::Millis;

use super::call_key::CallKey;

/// A command that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCommand {
    command: Command,
    key: CallKey,
}

impl PendingCommand {
    /// The number under which it is answered.
    #[must_use]
    pub fn id(&self) -> CommandId {
        self.command.id
    }

    /// What the machine wants done.
    #[must_use]
    pub fn command(&self) -> &Command {
        &self.command
    }

    /// What it asks for, as any run would.
    #[must_use]
    pub fn key(&self) -> &CallKey {
        &self.key
    }

    /// Whose photo it sends: the command that fetched it.
    #[must_use]
    pub fn sends_photo_of(&self) -> Option<CommandId> {
        match self.command.action {
            Action::Recognise { fetched_by } => Some(fetched_by),
            Action::Search { .. } | Action::Fetch { .. } | Action::Plan(_) => None,
        }
    }
}

/// Where a fetched photo came from, to have its bytes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoSource {
    url: String,
    fetched: Fetched,
}

impl PhotoSource {
    /// The address that gave the photo.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// SHA-256 of the bytes that came.
    #[must_use]
    pub fn digest(&self) -> &Sha256Digest {
        &self.fetched.digest
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
pub struct RunState {
    token: String,
    machine: Investigation,
    events: u32,
    pending: BTreeMap<CommandId, PendingCommand>,
    photos: BTreeMap<CommandId, PhotoSource>,
}

impl RunState {
    /// A run that has not begun; `token` is the public one that its events carry.
    #[must_use]
    pub fn new(token: &str, request: Request) -> Self {
        Self {
            token: token.to_owned(),
            machine: Investigation::new(request),
            events: 0,
            pending: BTreeMap::new(),
            photos: BTreeMap::new(),
        }
    }

    /// Gives the machine an input; returns the events that come of it, numbered on.
    pub fn handle(&mut self, input: Input, now: Millis) -> Result<Vec<WireEvent>, EventError> {
        self.remove_settled(&input);
        self.machine.handle(input, now);
        let mut events = Vec::new();
        while let Some(notice) = self.machine.next_notice() {
            self.events = self.events.saturating_add(1);
            events.push(wire_event(&self.token, self.events, &notice).map_err(|_| EventError)?);
        }
        while let Some(command) = self.machine.next_command() {
            let digest = match &command.action {
                Action::Recognise { fetched_by } => self.photo(*fetched_by),
                _ => None,
            };
            let key = CallKey::of(&command.action, digest.map(PhotoSource::digest));
            let pending = PendingCommand { command, key };
            self.pending.insert(pending.id(), pending);
        }
        Ok(events)
    }

    /// Commands that this input answers or withdraws are pending no more.
    fn remove_settled(&mut self, input: &Input) {
        match input {
            Input::Answer(answer) => self.remove_answered(answer),
            Input::Stop { .. } | Input::Withdrawn { .. } => self.pending.clear(),
            Input::Resumed { lost } => {
                for call in lost {
                    self.pending.remove(&call.command);
                }
            }
            Input::Start | Input::Remark(_) => {}
        }
    }

    fn remove_answered(&mut self, answer: &Answer) {
        let Some(pending) = self.pending.remove(&answer.command) else {
            return;
        };
        if let (
            Action::Fetch {
                image_url,
                original_url,
                thumbnail_url,
            },
            Outcome::Fetched(Ok(fetched)),
        ) = (pending.command.action, &answer.outcome)
        {
            let other = match fetched.copy {
                PhotoCopy::Image => None,
                PhotoCopy::Original => original_url,
                PhotoCopy::Thumbnail => thumbnail_url,
            };
            let source = PhotoSource {
                url: other.unwrap_or(image_url),
                fetched: fetched.clone(),
            };
            self.photos.insert(answer.command, source);
        }
    }

    /// The pending commands, the oldest first; none once the run has ended.
    pub fn pending(&self) -> impl Iterator<Item = &PendingCommand> {
        let is_ended = self.is_ended();
        self.pending.values().filter(move |_| !is_ended)
    }

    /// The pending command of this number.
    #[must_use]
    pub fn pending_command(&self, command: CommandId) -> Option<&PendingCommand> {
        self.pending.get(&command)
    }

    /// The photo that a command fetched.
    #[must_use]
    pub fn photo(&self, fetched_by: CommandId) -> Option<&PhotoSource> {
        self.photos.get(&fetched_by)
    }

    /// Whether the machine has told its last notice.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.machine.is_ended()
    }

    /// Whether the end is decided and calls in flight are to be ended.
    #[must_use]
    pub fn is_withdrawing(&self) -> bool {
        self.machine.is_withdrawing()
    }

    /// Whether a pending command sends the photo that this command fetched.
    #[must_use]
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        self.machine.needs_photo(fetched_by)
    }

    /// Every choice so far, the first one first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        self.machine.decisions()
    }

    /// The machine, for the run's documents.
    #[must_use]
    pub fn machine(&self) -> &Investigation {
        &self.machine
    }
}
