//! Makes a run's state again out of its journal.

use std::collections::BTreeMap;
use std::fmt;

use crate::events::WireEvent;
use crate::investigation::{Answer, CommandId, Input, LostCall};
use crate::kernel::Millis;

use super::asked::Asked;
use super::course::{Course, Open};
use super::entry::{Answered, ENTRY_VERSION, Entry, InputEntry, Opened};
use super::kept::KeptAnswers;

/// A run that was taken up so often without one new answer is taken up no more: something in it
/// ends every process that tries.
pub const WAKES_WITHOUT_ANSWER_MAX: u32 = 5;

/// Why a journal gives no run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RebuildError {
    /// The entry of this number is none of ours.
    Unreadable(usize),
    /// It does not begin with [`Entry::Opened`] of this version, with a question that is accepted.
    NotOpened,
    /// This program asks something else than the one that kept the journal: the answer to this
    /// command does not fit.
    Diverged(CommandId),
}

impl fmt::Display for RebuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(number) => write!(formatter, "entry {number} cannot be read"),
            Self::NotOpened => formatter.write_str("it does not begin with a question"),
            Self::Diverged(command) => {
                write!(formatter, "answer {} fits no question here", command.0)
            }
        }
    }
}

/// An answer that is here.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// What was asked.
    pub asked: Asked,
    /// The answer.
    pub answer: Answer,
    /// Whether it was at hand from an earlier run.
    pub is_reused: bool,
}

/// A run's state after the last entry.
#[derive(Debug)]
pub struct Rebuilt {
    /// How it began.
    pub opened: Opened,
    /// The machine, its open commands and its number of events.
    pub course: Course,
    /// All events so far, made again.
    pub events: Vec<WireEvent>,
    /// Every answer so far, by command.
    pub answers: BTreeMap<CommandId, Arrived>,
    /// Attempts of each call that were sent, or may have been.
    pub attempts: BTreeMap<CommandId, u32>,
    /// Answers of an earlier run.
    pub kept: KeptAnswers,
    /// Entries so far.
    pub entries: u32,
    /// The sequence number of the last document.
    pub sequence: u32,
    /// When the machine was started, if it was.
    pub started: Option<Millis>,
    /// Since when the run cannot go on.
    pub interrupted: Option<Millis>,
    /// Whether nothing is left to do.
    pub is_closed: bool,
    /// Calls whose answers were lost with their conductor, and their questions.
    pub lost: Vec<(LostCall, Asked)>,
    /// Calls that were ended before their answers came, and their questions.
    pub withdrawn: Vec<(LostCall, Asked)>,
}

/// Reads entries as [`Entry::to_json`] wrote them.
pub fn read_entries(
    entries: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Vec<Entry>, RebuildError> {
    let entries = entries.into_iter().enumerate().map(|(position, json)| {
        Entry::from_json(json.as_ref()).map_err(|_| RebuildError::Unreadable(position + 1))
    });
    entries.collect()
}

/// How often the run was taken up since its last answer.
#[must_use]
pub fn wakes_without_answer(entries: &[Entry]) -> u32 {
    let mut wakes = 0;
    for entry in entries {
        match entry {
            Entry::Answer(_) => wakes = 0,
            Entry::Woken { .. } => wakes += 1,
            _ => {}
        }
    }
    wakes
}

/// Makes a run's state again out of its entries, the oldest first.
pub fn rebuild(entries: Vec<Entry>) -> Result<Rebuilt, RebuildError> {
    let mut entries = entries.into_iter();
    let Some(Entry::Opened(opened)) = entries.next() else {
        return Err(RebuildError::NotOpened);
    };
    let mut rebuilt = Rebuilt::new(opened)?;
    for entry in entries {
        rebuilt.take(entry)?;
    }
    Ok(rebuilt)
}

impl Rebuilt {
    /// A run that was opened and nothing more.
    pub fn new(opened: Opened) -> Result<Self, RebuildError> {
        if opened.version != ENTRY_VERSION {
            return Err(RebuildError::NotOpened);
        }
        let request = opened
            .order
            .request()
            .map_err(|_| RebuildError::NotOpened)?;
        Ok(Self {
            course: Course::new(&opened.run, request),
            opened,
            events: Vec::new(),
            answers: BTreeMap::new(),
            attempts: BTreeMap::new(),
            kept: KeptAnswers::default(),
            entries: 1,
            sequence: 0,
            started: None,
            interrupted: None,
            is_closed: false,
            lost: Vec::new(),
            withdrawn: Vec::new(),
        })
    }

    /// Takes the next entry in.
    pub fn take(&mut self, entry: Entry) -> Result<(), RebuildError> {
        self.entries = self.entries.saturating_add(1);
        match entry {
            Entry::Opened(_) => return Err(RebuildError::NotOpened),
            Entry::Kept(answered) => self.kept.insert(answered),
            Entry::Woken { .. } => {}
            Entry::Intent {
                command, attempt, ..
            } => {
                self.attempts.insert(CommandId(command), attempt);
            }
            Entry::Answer(answered) => self.take_answer(answered)?,
            Entry::Input(input) => self.take_input(input)?,
            Entry::Written { sequence } => self.sequence = sequence,
            Entry::Interrupted { now } => self.interrupted = Some(Millis(now)),
            Entry::Closed {} => self.is_closed = true,
        }
        Ok(())
    }

    fn take_answer(&mut self, answered: Answered) -> Result<(), RebuildError> {
        let command = answered.command();
        let asked = answered.asked().clone();
        let is_reused = answered.is_reused();
        let fits = self
            .course
            .open_command(command)
            .is_some_and(|open| open.asked == asked);
        let answer = answered.answer().filter(|_| fits);
        let answer = answer.ok_or(RebuildError::Diverged(command))?;
        self.answers.insert(
            command,
            Arrived {
                asked,
                answer,
                is_reused,
            },
        );
        Ok(())
    }

    fn take_input(&mut self, entry: InputEntry) -> Result<(), RebuildError> {
        let now = entry.now();
        let input = match entry.input() {
            Ok(input) => input,
            Err(command) => {
                let arrived = self.answers.get(&command);
                let is_open = self.course.open_command(command).is_some();
                let arrived = arrived.filter(|_| is_open);
                let arrived = arrived.ok_or(RebuildError::Diverged(command))?;
                Input::Answer(arrived.answer.clone())
            }
        };
        match &input {
            Input::Start => self.started = self.started.or(Some(now)),
            Input::Resumed { lost } => {
                let lost_calls = self.with_questions(lost);
                self.lost.extend(lost_calls);
                // They are asked for again under their numbers.
                for call in lost {
                    self.attempts.remove(&call.command);
                }
            }
            Input::Stop { lost } | Input::Withdrawn { lost } => {
                let unanswered = self.with_questions(lost).into_iter();
                let unanswered = unanswered.filter(|(call, _)| !self.is_answered(call.command));
                let unanswered: Vec<_> = unanswered.collect();
                self.withdrawn.extend(unanswered);
            }
            _ => {}
        }
        let events = self.course.take(input, now);
        let unwritten = |_| RebuildError::Unreadable(self.entries as usize);
        self.events.extend(events.map_err(unwritten)?);
        Ok(())
    }

    fn with_questions(&self, lost: &[LostCall]) -> Vec<(LostCall, Asked)> {
        let with_question = |call: &LostCall| {
            let open = self.course.open_command(call.command)?;
            Some((call.clone(), open.asked.clone()))
        };
        lost.iter().filter_map(with_question).collect()
    }

    fn is_answered(&self, command: CommandId) -> bool {
        self.answers.contains_key(&command)
    }

    /// Open commands whose answers are here but were not told to the machine yet, the oldest first.
    #[must_use]
    pub fn waiting_answers(&self) -> Vec<Answer> {
        let open = self.course.open();
        open.filter_map(|open| Some(self.answers.get(&open.command.id)?.answer.clone()))
            .collect()
    }

    /// Open commands of which an attempt was sent, or may have been, and no answer is here.
    pub fn under_way(&self) -> impl Iterator<Item = (&Open, u32)> {
        self.course.open().filter_map(|open| {
            let attempts = *self.attempts.get(&open.command.id)?;
            let is_here = self.is_answered(open.command.id);
            (!is_here).then_some((open, attempts))
        })
    }
}
