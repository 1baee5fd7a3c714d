//! The course of a run: the machine with its open commands and its events. Conducting, going on
//! after a crash and replaying a sealed file all go through here, so that they cannot differ.

use std::collections::BTreeMap;
use std::fmt;

use crate::events::{WireEvent, wire_event};
use crate::investigation::{
    Action, Answer, Command, CommandId, Fetched, Input, Investigation, Outcome, Request,
};
use crate::kernel::Millis;

use super::asked::Asked;

/// A command that waits for its answer, with its question.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// The command.
    pub command: Command,
    /// What it asks.
    pub asked: Asked,
}

/// Where a fetched photo came from, to have its bytes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoSource {
    /// The photo.
    pub image_url: String,
    /// The smaller copy.
    pub thumbnail_url: Option<String>,
    /// What came.
    pub fetched: Fetched,
}

/// An event could not be written as JSON: ours, and never seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseError;

impl fmt::Display for CourseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an event could not be written")
    }
}

/// A run as it goes.
#[derive(Debug, Clone)]
pub struct Course {
    token: String,
    machine: Investigation,
    events: u32,
    open: BTreeMap<CommandId, Open>,
    photos: BTreeMap<CommandId, PhotoSource>,
}

impl Course {
    /// A run that has not begun.
    #[must_use]
    pub fn new(token: &str, request: Request) -> Self {
        Self {
            token: token.to_owned(),
            machine: Investigation::new(request),
            events: 0,
            open: BTreeMap::new(),
            photos: BTreeMap::new(),
        }
    }

    /// Tells the machine something; gives the events that come of it, numbered on.
    pub fn take(&mut self, input: Input, now: Millis) -> Result<Vec<WireEvent>, CourseError> {
        self.close(&input);
        self.machine.handle(input, now);
        let mut events = Vec::new();
        while let Some(notice) = self.machine.next_notice() {
            self.events = self.events.saturating_add(1);
            events.push(wire_event(&self.token, self.events, &notice).map_err(|_| CourseError)?);
        }
        while let Some(command) = self.machine.next_command() {
            let digest = match &command.action {
                Action::Recognise { fetched_by } => self.photo(*fetched_by),
                _ => None,
            };
            let asked = Asked::of(&command.action, digest.map(|source| &source.fetched.digest));
            self.open.insert(command.id, Open { command, asked });
        }
        Ok(events)
    }

    /// Commands that this input answers or withdraws are open no more.
    fn close(&mut self, input: &Input) {
        match input {
            Input::Answer(answer) => self.close_answered(answer),
            Input::Stop { .. } | Input::Withdrawn { .. } => self.open.clear(),
            Input::Resumed { lost } => {
                for call in lost {
                    self.open.remove(&call.command);
                }
            }
            Input::Start | Input::Remark(_) => {}
        }
    }

    fn close_answered(&mut self, answer: &Answer) {
        let Some(open) = self.open.remove(&answer.command) else {
            return;
        };
        if let (
            Action::Fetch {
                image_url,
                thumbnail_url,
            },
            Outcome::Fetched(Ok(fetched)),
        ) = (open.command.action, &answer.outcome)
        {
            let source = PhotoSource {
                image_url,
                thumbnail_url,
                fetched: fetched.clone(),
            };
            self.photos.insert(answer.command, source);
        }
    }

    /// The open commands, the oldest first; none once the run has ended.
    pub fn open(&self) -> impl Iterator<Item = &Open> {
        let is_ended = self.machine.is_ended();
        self.open.values().filter(move |_| !is_ended)
    }

    /// The open command of this number.
    #[must_use]
    pub fn open_command(&self, command: CommandId) -> Option<&Open> {
        self.open.get(&command)
    }

    /// The photo that a command fetched.
    #[must_use]
    pub fn photo(&self, fetched_by: CommandId) -> Option<&PhotoSource> {
        self.photos.get(&fetched_by)
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Investigation {
        &self.machine
    }

    /// Events so far.
    #[must_use]
    pub fn events(&self) -> u32 {
        self.events
    }
}
