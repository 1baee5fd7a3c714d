//! Rebuilds a run from its journal. Also finds the calls that may have ended a process, and the answers that a fork of
//! the run reuses.
//!
//! A call that was in flight when a process ended may have caused that end. The call is tried once more, and before
//! its answer is read, an entry records that this is about to happen. If the process ends again at that point, the
//! call is known to be the cause.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kernel::{Answer, CommandId, Input, LostCall, Millis};
use platform::events::WireEvent;
use providers::calls::SetAside;

use crate::{Engine, Opened, OrderError, RunState};

use super::{AnswerEntry, ENTRY_VERSION, Entry, InputEntry};

/// The most times in a row that a run is resumed without receiving a new answer. If there is still none, something in
/// the run must be ending every process that resumes it.
pub const WAKES_WITHOUT_ANSWER_MAX: u32 = 5;

/// The most calls of a run that may end processes. If more calls do, the run is no longer resumed. Each ended process
/// also interrupts the other runs of its isolate.
const ENDED_PROCESSES_MAX: usize = 2;

/// The reason why a journal cannot be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RebuildError {
    /// The entry with this number does not have a form that this program writes.
    Unreadable(usize),
    /// The journal does not begin with an [`Entry::Opened`] that has the version `ENTRY_VERSION` and an acceptable
    /// order.
    NotOpened,
    /// The answer to this command matches no command of the rebuilt run. The program that wrote the journal must have
    /// sent different commands.
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

/// An answer that the journal contains.
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

    /// Returns the id of the provider that answered or to which the last request was sent, if known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Returns whether the answer was inherited from an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.is_reused
    }
}

/// A call of which the journal has intents, but no answer.
#[derive(Debug)]
struct SentCall {
    call: LostCall,
    /// The most that the newest attempt may cost, in billionths of a dollar.
    last_nano_usd: u64,
}

/// A run as rebuilt from its journal.
#[derive(Debug)]
pub struct RebuiltRun<E: Engine> {
    opened: Opened<E>,
    state: RunState<E>,
    events: Vec<WireEvent>,
    answers: BTreeMap<CommandId, ReceivedAnswer<E>>,
    /// The calls of which at least one attempt was sent or may have been sent.
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
    /// Makes a run whose journal has only its first entry.
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

    /// Applies the journal's next entry to the run.
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
            // The preceding attempt was throttled, so it cost nothing.
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

    /// Records the providers that an answer sets aside. A provider is first recorded from an answer with remarks, which
    /// inform viewers that it failed. If that answer was lost, the provider is tried once more, and viewers are
    /// informed then.
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
                // These calls are made again under the same numbers, so their earlier attempts no longer count here.
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

    /// Returns the machine with its pending commands.
    #[must_use]
    pub fn state(&self) -> &RunState<E> {
        &self.state
    }

    /// Returns the state from which to resume, and the answers of an earlier run that it may reuse.
    #[must_use]
    pub fn into_state(self) -> (RunState<E>, InheritedAnswers<E>) {
        (self.state, self.inherited)
    }

    /// Returns the events of all entries applied so far.
    #[must_use]
    pub fn events(&self) -> &[WireEvent] {
        &self.events
    }

    /// Takes the events of all entries applied since the last call.
    pub fn take_events(&mut self) -> Vec<WireEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns every answer received so far, in the order of commands.
    pub fn answers(&self) -> impl Iterator<Item = &ReceivedAnswer<E>> {
        self.answers.values()
    }

    /// Returns the answers that were received but not passed to the machine yet, oldest first.
    #[must_use]
    pub fn unhandled_answers(&self) -> Vec<Answer<E::Outcome>> {
        let pending = self.state.pending();
        pending
            .filter_map(|pending| Some(self.answers.get(&pending.id())?.answer.clone()))
            .collect()
    }

    /// Returns the pending commands that have no answer but of which attempts were sent or may have been. Each comes
    /// with the cost of its attempts.
    pub fn in_flight(&self) -> impl Iterator<Item = &LostCall> {
        self.state.pending().filter_map(|pending| {
            let sent = self.attempts.get(&pending.id())?;
            (!self.is_answered(pending.id())).then_some(&sent.call)
        })
    }

    /// Returns the providers that answers have set aside, in order. A provider may occur twice.
    #[must_use]
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Returns the remarks of all answers, which viewers have seen or will see.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Returns the calls whose answers were lost because their process ended.
    #[must_use]
    pub fn lost(&self) -> &[(LostCall, E::Key)] {
        &self.lost
    }

    /// Returns the calls that were ended before their answers arrived because the run ended.
    #[must_use]
    pub fn withdrawn(&self) -> &[(LostCall, E::Key)] {
        &self.withdrawn
    }

    /// Returns the notes that executors wrote to resume calls, oldest first.
    #[must_use]
    pub fn notes(&self) -> &[E::Note] {
        &self.notes
    }

    /// Returns which calls may have ended a process and which certainly have.
    #[must_use]
    pub fn suspects(&self) -> &Suspects {
        &self.suspects
    }

    /// Returns the sequence number of the last document that was written; 0 if there is none.
    #[must_use]
    pub fn last_document(&self) -> u32 {
        self.last_document
    }

    /// Returns the time at which the machine was started; `None` if it was not.
    #[must_use]
    pub fn started(&self) -> Option<Millis> {
        self.started
    }

    /// Returns the time at which a process found that the run cannot continue; `None` if none did.
    #[must_use]
    pub fn interrupted(&self) -> Option<Millis> {
        self.interrupted
    }

    /// Returns whether the run's last documents were written.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Parses entries that [`Entry::to_json`] wrote.
pub fn read_entries<E: Engine>(
    entries: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Vec<Entry<E>>, RebuildError> {
    let entries = entries.into_iter().enumerate().map(|(position, json)| {
        Entry::from_json(json.as_ref()).map_err(|_| RebuildError::Unreadable(position + 1))
    });
    entries.collect()
}

/// Rebuilds a run from the entries of its journal, oldest first.
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

/// The calls of one run that may have ended a process, and those that certainly have.
#[derive(Debug, Default)]
pub struct Suspects {
    /// The calls that were sent but have no answer yet.
    sent: BTreeSet<CommandId>,
    /// The call whose answer is about to be read, if the newest entry says so.
    reading: Option<CommandId>,
    ended_a_process: BTreeSet<CommandId>,
}

impl Suspects {
    /// Records the journal's next entry.
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

    /// Returns the calls that were in flight when a process ended. Before the answer to one of these is read, an
    /// [`Entry::Reading`] must be written.
    #[must_use]
    pub fn under_way(&self) -> &BTreeSet<CommandId> {
        &self.sent
    }

    /// Returns whether so many calls have ended processes that the run must not be resumed.
    #[must_use]
    pub fn are_too_many(&self) -> bool {
        self.ended_a_process().len() > ENDED_PROCESSES_MAX
    }

    /// Returns the calls that ended two processes while their answers were read. They must not be sent again.
    #[must_use]
    pub fn ended_a_process(&self) -> BTreeSet<CommandId> {
        let mut ended = self.ended_a_process.clone();
        ended.extend(self.reading);
        ended
    }
}

/// Returns how often the run was resumed since it last received an answer.
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

/// Returns the answers that a fork of a run reuses: the successful answer to each call, including those that the run
/// itself inherited. If `point` is given, returns only the answers from before the run
/// [reached](crate::Engine::reaches) that point, or all if the run never reached it.
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

/// Returns whether one of the events since the last call of this function shows that the run has reached `point`.
fn reaches<E: Engine>(rebuilt: &mut RebuiltRun<E>, point: &str) -> bool {
    let events = rebuilt.take_events();
    events.iter().any(|event| E::reaches(event, point))
}

/// The successful answers of an earlier run, by the key of the call.
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
    /// Adds the successful outcome of the call with this key.
    pub fn insert(&mut self, key: E::Key, outcome: E::Outcome) {
        self.by_key.insert(key, outcome);
    }

    /// Returns the earlier run's outcome of the call with this key, if any.
    #[must_use]
    pub fn answer(&self, key: &E::Key) -> Option<E::Outcome> {
        E::inherited(&self.by_key, key)
    }
}
