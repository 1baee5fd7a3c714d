//! Rebuilds a run from its journal: the run itself, the calls that may have ended a process, and the answers that a
//! fork of the run reuses.
//!
//! A call that was in flight when a process ended may have caused that end. It is tried once more, and before its
//! answer is read, an entry records that this is about to happen. If the process ends at that point again, the call is
//! known to be the cause.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kernel::{Answer, CommandId, Input, LostCall, Millis};
use platform::events::WireEvent;
use providers::calls::SetAside;

use crate::{Engine, Opened, OrderError, RunState};

use super::{AnswerEntry, ENTRY_VERSION, Entry, InputEntry};

/// The number of times in a row that a run may be resumed without a new answer. Beyond it, something in the run must be
/// ending every process that tries.
pub const WAKES_WITHOUT_ANSWER_MAX: u32 = 5;

/// The most calls that may have ended processes in a run that is resumed. Each also ends the other runs of the isolate.
const ENDED_PROCESSES_MAX: usize = 2;

/// The reason why a journal cannot be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RebuildError {
    /// The entry of this number is in no form that this program writes.
    Unreadable(usize),
    /// The journal does not begin with an [`Entry::Opened`] of this version with an acceptable order.
    NotOpened,
    /// The answer to this command fits no command of the rebuilt run: the program that wrote the journal sent other
    /// commands.
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

/// An answer in the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedAnswer<E: Engine> {
    key: E::Key,
    answer: Answer<E::Outcome>,
    provider: Option<String>,
    is_reused: bool,
}

impl<E: Engine> ReceivedAnswer<E> {
    /// Returns the key of the answered call.
    #[must_use]
    pub fn key(&self) -> &E::Key {
        &self.key
    }

    /// Returns the answer as the machine receives it.
    #[must_use]
    pub fn answer(&self) -> &Answer<E::Outcome> {
        &self.answer
    }

    /// Returns the provider that answered or was asked last, if known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Returns whether the answer comes from an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.is_reused
    }
}

/// A call, as far as its intents describe it.
#[derive(Debug)]
struct SentCall {
    call: LostCall,
    /// The most that the last attempt may cost, in billionths of a dollar.
    last_nano_usd: u64,
}

/// A run rebuilt from its journal.
#[derive(Debug)]
pub struct RebuiltRun<E: Engine> {
    opened: Opened<E>,
    state: RunState<E>,
    events: Vec<WireEvent>,
    answers: BTreeMap<CommandId, ReceivedAnswer<E>>,
    /// The calls of which an attempt was sent, or may have been.
    attempts: BTreeMap<CommandId, SentCall>,
    set_aside: Vec<SetAside>,
    remarks: Vec<String>,
    inherited: InheritedAnswers<E>,
    entries: usize,
    last_document: u32,
    started: Option<Millis>,
    interrupted: Option<Millis>,
    is_closed: bool,
    lost: Vec<(LostCall, E::Key)>,
    withdrawn: Vec<(LostCall, E::Key)>,
    suspects: Suspects,
    notes: Vec<E::Note>,
}

impl<E: Engine> RebuiltRun<E> {
    /// Makes a run that was opened and has no further entries.
    pub fn new(opened: Opened<E>) -> Result<Self, OrderError> {
        let machine = E::begin(&opened.order)?;
        Ok(Self {
            state: RunState::new(&opened.run, machine),
            opened,
            events: Vec::new(),
            answers: BTreeMap::new(),
            attempts: BTreeMap::new(),
            set_aside: Vec::new(),
            remarks: Vec::new(),
            inherited: InheritedAnswers::default(),
            entries: 1,
            last_document: 0,
            started: None,
            interrupted: None,
            is_closed: false,
            lost: Vec::new(),
            withdrawn: Vec::new(),
            suspects: Suspects::default(),
            notes: Vec::new(),
        })
    }

    /// Applies the next entry.
    pub fn apply(&mut self, entry: Entry<E>) -> Result<(), RebuildError> {
        self.entries = self.entries.saturating_add(1);
        self.suspects.note(&entry);
        match entry {
            Entry::Opened(_) => return Err(RebuildError::NotOpened),
            Entry::Inherited(answer) => {
                if let Some((key, outcome)) = answer.into_success() {
                    self.inherited.insert(key, outcome);
                }
            }
            Entry::Woken { .. } | Entry::Reading { .. } | Entry::Read { .. } => {}
            Entry::Intent {
                command,
                attempt,
                nano_usd,
                ..
            } => self.apply_intent(command, attempt, nano_usd),
            Entry::Noted(note) => self.notes.push(note),
            Entry::Answer(answer) => self.apply_answer(answer)?,
            Entry::Input(input) => self.apply_input(input)?,
            Entry::Written { sequence } => self.last_document = sequence,
            Entry::Interrupted { now } => self.interrupted = Some(Millis(now)),
            Entry::Closed {} => self.is_closed = true,
        }
        Ok(())
    }

    fn apply_intent(&mut self, command: CommandId, attempt: u32, nano_usd: u64) {
        let attempts = self.attempts.entry(command);
        let SentCall {
            call,
            last_nano_usd,
        } = attempts.or_insert_with(|| SentCall {
            call: LostCall::unsent(command),
            last_nano_usd: 0,
        });
        if attempt > 0 && attempt == call.attempts {
            // The preceding attempt was throttled, which costs nothing.
            call.throttled = call.throttled.saturating_add(1);
            call.nano_usd = call.nano_usd.saturating_sub(*last_nano_usd);
        }
        call.attempts = attempt;
        call.nano_usd = call.nano_usd.saturating_add(nano_usd);
        *last_nano_usd = nano_usd;
    }

    fn apply_answer(&mut self, entry: AnswerEntry<E>) -> Result<(), RebuildError> {
        let command = entry.command();
        let key = entry.key().clone();
        let is_reused = entry.is_reused();
        let provider = entry.provider().map(str::to_owned);
        self.note_set_aside(&entry);
        let pending = self.state.pending_command(command);
        if pending.is_none_or(|pending| *pending.key() != key) {
            return Err(RebuildError::Diverged(command));
        }
        let received = ReceivedAnswer {
            key,
            answer: entry.into_answer(),
            provider,
            is_reused,
        };
        self.answers.insert(command, received);
        Ok(())
    }

    /// Records the providers that an answer sets aside, if its remarks have told viewers. If the answer with the
    /// remarks was lost, the provider is asked once more, and viewers are told then.
    fn note_set_aside(&mut self, entry: &AnswerEntry<E>) {
        for row in entry.set_aside() {
            let mut known = self.set_aside.iter();
            if entry.tells() || known.any(|known| known.provider == row.provider) {
                self.set_aside.push(row.clone());
            }
        }
    }

    fn apply_input(&mut self, entry: InputEntry) -> Result<(), RebuildError> {
        let now = entry.now();
        let input = match entry.input() {
            Ok(input) => input,
            Err(command) => {
                let is_pending = self.state.pending_command(command).is_some();
                let received = self
                    .answers
                    .get(&command)
                    .filter(|_| is_pending)
                    .ok_or(RebuildError::Diverged(command))?;
                Input::Answer(received.answer.clone())
            }
        };
        match &input {
            Input::Start => self.started = self.started.or(Some(now)),
            Input::Resumed { lost } => {
                let lost_calls = self.with_keys(lost);
                self.lost.extend(lost_calls);
                // These calls are made again under the same numbers.
                for call in lost {
                    self.attempts.remove(&call.command);
                }
            }
            Input::Stop { lost } | Input::Withdrawn { lost } => {
                let mut unanswered = self.with_keys(lost);
                unanswered.retain(|(call, _)| !self.is_answered(call.command));
                self.withdrawn.extend(unanswered);
            }
            Input::Remark(remark) => self.remarks.push(remark.clone()),
            Input::Answer(_) => {}
        }
        let events = self.state.handle(input, now);
        let unwritten = |_| RebuildError::Unreadable(self.entries);
        self.events.extend(events.map_err(unwritten)?);
        Ok(())
    }

    fn with_keys(&self, lost: &[LostCall]) -> Vec<(LostCall, E::Key)> {
        let with_key = |call: &LostCall| {
            let pending = self.state.pending_command(call.command)?;
            Some((call.clone(), pending.key().clone()))
        };
        lost.iter().filter_map(with_key).collect()
    }

    fn is_answered(&self, command: CommandId) -> bool {
        self.answers.contains_key(&command)
    }

    /// Returns the entry with which the journal begins.
    #[must_use]
    pub fn opened(&self) -> &Opened<E> {
        &self.opened
    }

    /// Returns the machine and its pending commands.
    #[must_use]
    pub fn state(&self) -> &RunState<E> {
        &self.state
    }

    /// Returns the state to resume from, and the earlier run's answers that it may reuse.
    #[must_use]
    pub fn into_state(self) -> (RunState<E>, InheritedAnswers<E>) {
        (self.state, self.inherited)
    }

    /// Returns all events so far, as rebuilt.
    #[must_use]
    pub fn events(&self) -> &[WireEvent] {
        &self.events
    }

    /// Takes all events so far.
    pub fn take_events(&mut self) -> Vec<WireEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns every answer so far, in the order of commands.
    pub fn answers(&self) -> impl Iterator<Item = &ReceivedAnswer<E>> {
        self.answers.values()
    }

    /// Returns the answers to pending commands, oldest first: received, but not yet given to the machine.
    #[must_use]
    pub fn unhandled_answers(&self) -> Vec<Answer<E::Outcome>> {
        let pending = self.state.pending();
        pending
            .filter_map(|pending| Some(self.answers.get(&pending.id())?.answer.clone()))
            .collect()
    }

    /// Returns the pending commands without an answer whose attempts were sent or may have been, with the cost of
    /// these.
    pub fn in_flight(&self) -> impl Iterator<Item = &LostCall> {
        self.state.pending().filter_map(|pending| {
            let sent = self.attempts.get(&pending.id())?;
            (!self.is_answered(pending.id())).then_some(&sent.call)
        })
    }

    /// Returns the providers that were set aside, in order. A provider may occur twice.
    #[must_use]
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Returns the remarks for viewers.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Returns the calls whose answers were lost with their process.
    #[must_use]
    pub fn lost(&self) -> &[(LostCall, E::Key)] {
        &self.lost
    }

    /// Returns the calls that were ended before their answers arrived.
    #[must_use]
    pub fn withdrawn(&self) -> &[(LostCall, E::Key)] {
        &self.withdrawn
    }

    /// Returns the notes for resuming calls, oldest first.
    #[must_use]
    pub fn notes(&self) -> &[E::Note] {
        &self.notes
    }

    /// Returns the calls that may end a process, and those that have.
    #[must_use]
    pub fn suspects(&self) -> &Suspects {
        &self.suspects
    }

    /// Returns the sequence number of the last written document; 0 if none.
    #[must_use]
    pub fn last_document(&self) -> u32 {
        self.last_document
    }

    /// Returns the time at which the machine was started, if it was.
    #[must_use]
    pub fn started(&self) -> Option<Millis> {
        self.started
    }

    /// Returns the time at which the run was found unable to continue, if it was.
    #[must_use]
    pub fn interrupted(&self) -> Option<Millis> {
        self.interrupted
    }

    /// Returns whether the last documents are written.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Reads entries in the form of [`Entry::to_json`].
pub fn read_entries<E: Engine>(
    entries: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Vec<Entry<E>>, RebuildError> {
    let entries = entries.into_iter().enumerate().map(|(position, json)| {
        Entry::from_json(json.as_ref()).map_err(|_| RebuildError::Unreadable(position + 1))
    });
    entries.collect()
}

/// Rebuilds a run from its entries, oldest first.
pub fn rebuild<E: Engine>(entries: Vec<Entry<E>>) -> Result<RebuiltRun<E>, RebuildError> {
    let mut entries = entries.into_iter();
    let Some(Entry::Opened(opened)) = entries.next() else {
        return Err(RebuildError::NotOpened);
    };
    if opened.version != ENTRY_VERSION {
        return Err(RebuildError::NotOpened);
    }
    let mut rebuilt = RebuiltRun::new(opened).map_err(|_| RebuildError::NotOpened)?;
    for entry in entries {
        rebuilt.apply(entry)?;
    }
    Ok(rebuilt)
}

/// The calls of one run that may end a process, and those that have.
#[derive(Debug, Default)]
pub struct Suspects {
    /// The calls that were sent and have no answer.
    sent: BTreeSet<CommandId>,
    /// The call whose answer is about to be read, if the last entry says so.
    reading: Option<CommandId>,
    ended_a_process: BTreeSet<CommandId>,
}

impl Suspects {
    /// Records the next entry of the journal.
    pub(super) fn note<E: Engine>(&mut self, entry: &Entry<E>) {
        let reading = self.reading.take();
        match entry {
            Entry::Intent { command, .. } => {
                self.sent.insert(*command);
            }
            Entry::Answer(answer) => {
                self.sent.remove(&answer.command());
            }
            Entry::Reading { command } => self.reading = Some(*command),
            Entry::Woken { .. } => self.ended_a_process.extend(reading),
            _ => {}
        }
    }

    /// Returns the calls that were in flight when a process ended. Before their answers are read, an entry must record
    /// it.
    #[must_use]
    pub fn under_way(&self) -> &BTreeSet<CommandId> {
        &self.sent
    }

    /// Returns whether too many calls ended processes for the run to be resumed.
    #[must_use]
    pub fn are_too_many(&self) -> bool {
        self.ended_a_process().len() > ENDED_PROCESSES_MAX
    }

    /// Returns the calls whose answers ended two processes. They must not be sent again.
    #[must_use]
    pub fn ended_a_process(&self) -> BTreeSet<CommandId> {
        let mut ended = self.ended_a_process.clone();
        ended.extend(self.reading);
        ended
    }
}

/// Returns how often the run was resumed since its last answer.
#[must_use]
pub fn wakes_without_answer<E: Engine>(entries: &[Entry<E>]) -> u32 {
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

/// Returns the answers that a fork of a run reuses: one per call, successes only, including those that the run itself
/// inherited. If `point` is given, only answers from before the run [reached](crate::Engine::reaches) it; all if it
/// never did.
#[must_use]
pub fn answers_to_inherit<E: Engine>(
    entries: Vec<Entry<E>>,
    point: Option<&str>,
) -> Vec<AnswerEntry<E>> {
    let entries = match point {
        Some(point) => before(entries, point),
        None => entries,
    };
    let answers = entries
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Inherited(answer) | Entry::Answer(answer) => Some(answer),
            _ => None,
        })
        .filter(AnswerEntry::is_success);
    let by_key: BTreeMap<E::Key, AnswerEntry<E>> = answers
        .map(|answer| (answer.key().clone(), answer))
        .collect();
    by_key.into_values().collect()
}

fn before<E: Engine>(entries: Vec<Entry<E>>, point: &str) -> Vec<Entry<E>> {
    let mut before = Vec::new();
    let mut rebuilt: Option<RebuiltRun<E>> = None;
    for entry in entries {
        before.push(entry.clone());
        match (&mut rebuilt, entry) {
            (None, Entry::Opened(opened)) => rebuilt = RebuiltRun::new(opened).ok(),
            (Some(rebuilt), entry) => {
                if rebuilt.apply(entry).is_err() || reaches(rebuilt, point) {
                    break;
                }
            }
            (None, _) => {}
        }
    }
    before
}

/// Returns whether the run reached the point in the events since the last call of this function.
fn reaches<E: Engine>(rebuilt: &mut RebuiltRun<E>, point: &str) -> bool {
    let events = rebuilt.take_events();
    events.iter().any(|event| E::reaches(event, point))
}

/// The successful answers of an earlier run, by call.
#[derive(Debug, Clone)]
pub struct InheritedAnswers<E: Engine> {
    by_key: BTreeMap<E::Key, E::Outcome>,
}

impl<E: Engine> Default for InheritedAnswers<E> {
    fn default() -> Self {
        Self {
            by_key: BTreeMap::new(),
        }
    }
}

impl<E: Engine> InheritedAnswers<E> {
    /// Adds a successful answer.
    pub fn insert(&mut self, key: E::Key, outcome: E::Outcome) {
        self.by_key.insert(key, outcome);
    }

    /// Returns the answer to a call.
    #[must_use]
    pub fn answer(&self, key: &E::Key) -> Option<E::Outcome> {
        E::inherited(&self.by_key, key)
    }
}
