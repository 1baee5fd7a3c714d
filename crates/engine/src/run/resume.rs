//! Begins a run, or resumes it after its process ended, and writes its record to KV.

use std::marker::PhantomData;
use std::task::{Poll, ready};

use futures::future::{FutureExt as _, LocalBoxFuture};

use domain::RunToken;
use kernel::Millis;
use platform::events::WireEvent;
use platform::{Effects, Stop, WriteError};
use providers::calls::Notices;
use settings::{Caps, Providers};

use crate::journal::{
    Entry, RebuiltRun, WAKES_WITHOUT_ANSWER_MAX, read_entries, rebuild, wakes_without_answer,
};
use crate::{Engine, Execute, Registry, Requests, RunContext, RunState};

use super::documents::{ChangedDocuments, DocumentQueue};
use super::in_flight::JournalWriter;
use super::{ConductOutcome, Progress, RecordLimits, run_to_end};

/// The part of a run that is stored. It has at least the first journal entry.
#[derive(Debug, Clone, Default)]
pub struct SavedRun {
    /// The entries of the journal, oldest first.
    pub entries: Vec<String>,
    /// The JSON of the events, oldest first.
    pub events: Vec<String>,
    /// Whether the last of these events ends the run.
    pub has_ended: bool,
}

/// Conducts a run from the end of its journal until its last event is published and everything is written. Child runs
/// may run on any of `engines`, within `caps`.
///
/// Fails if the journal or the events can no longer be written. In that case nothing more is sent or shown, and the
/// run can be resumed later.
pub async fn conduct<E: Effects, G: Execute<E>>(
    effects: &E,
    providers: &Providers,
    caps: &Caps,
    engines: Registry,
    run: &RunToken,
    saved: &SavedRun,
    record: RecordLimits,
) -> Result<ConductOutcome, WriteError> {
    let entries = u32::try_from(saved.entries.len()).unwrap_or(u32::MAX);
    let journal = JournalWriter::new(effects, entries);
    let rebuilt: RebuiltRun<G> = match take_up(&journal, effects, run, saved) {
        Ok(rebuilt) => rebuilt,
        Err(stop) => return stop.failure(),
    };
    let providers = providers.at_host(rebuilt.opened().host.as_deref());
    let notices = Notices::after(rebuilt.remarks().iter().cloned());
    let note = |note| journal.append(&Entry::<G>::Noted(note));
    let context = RunContext {
        providers: &providers,
        caps,
        engines,
        order: &rebuilt.opened().order,
        began: rebuilt.started(),
        notes: rebuilt.notes(),
        in_flight: rebuilt.suspects().under_way(),
        set_aside: rebuilt.set_aside(),
        journal_bytes: saved.entries.iter().map(String::len).sum(),
        note: &note,
    };
    let executor = G::executor(effects, &context);
    run_to_end(effects, run, rebuilt, executor, &journal, &notices, record).await
}

/// Returns a sentence for each fault in the settings that this run needs, except for settings that every run needs. The
/// run waits until the operator has corrected the faults.
#[must_use]
pub fn lacking<G: Requests>(providers: &Providers, saved: &SavedRun) -> Vec<String> {
    if saved.has_ended || providers.faults.all().is_empty() {
        return Vec::new();
    }
    let first = saved.entries.first();
    match first.map(|json| Entry::<G>::from_json(json)) {
        Some(Ok(Entry::Opened(opened))) => providers.faults.of(&G::needs(&opened.order)),
        _ => Vec::new(),
    }
}

/// Rebuilds the run from its journal, and shows its remaining events to viewers. If the run is closed or cannot
/// continue, fails with its [`ConductOutcome`].
fn take_up<E: Effects, G: Engine>(
    journal: &JournalWriter<'_, E>,
    effects: &E,
    run: &RunToken,
    saved: &SavedRun,
) -> Result<RebuiltRun<G>, Stop<ConductOutcome>> {
    let resumed = resume(journal, effects, saved)?;
    if resumed.as_ref().is_some_and(RebuiltRun::is_closed) {
        return Err(Stop::Failed(ConductOutcome::Done));
    }
    let Some(rebuilt) = resumed.filter(|rebuilt| rebuilt.interrupted().is_none()) else {
        let interrupted = interrupt::<E, G>(journal, effects, run, saved)?;
        return Err(Stop::Failed(interrupted));
    };
    // The journal contains the inputs that caused these events, but the process ended before it could show the
    // events.
    for event in rebuilt.events().iter().skip(saved.events.len()) {
        journal.publish(event)?;
    }
    Ok(rebuilt)
}

/// Rebuilds the run from its journal. Returns `None` if this program cannot resume the run.
fn resume<E: Effects, G: Engine>(
    journal: &JournalWriter<'_, E>,
    effects: &E,
    saved: &SavedRun,
) -> Result<Option<RebuiltRun<G>>, WriteError> {
    let Ok(entries) = read_entries::<G>(&saved.entries) else {
        return Ok(None);
    };
    let is_settled = matches!(
        entries.last(),
        Some(Entry::Closed {} | Entry::Interrupted { .. })
    );
    if !is_settled {
        // A run that has ended has only documents left to write. Writing them is retried until the run expires.
        if !saved.has_ended && wakes_without_answer(&entries) >= WAKES_WITHOUT_ANSWER_MAX {
            return Ok(None);
        }
        // This entry is written before the machine is rebuilt, so that the attempt counts even if rebuilding ends the
        // process.
        let now = effects.now_ms();
        journal.append(&Entry::<G>::Woken { now })?;
    }
    Ok(match rebuild(entries) {
        // An ended run is resumed despite suspects, because it makes no calls and its last documents must be written.
        Ok(rebuilt) if rebuilt.suspects().are_too_many() && !saved.has_ended => None,
        Ok(rebuilt) if is_same_story(rebuilt.events(), &saved.events) => Some(rebuilt),
        // The journal cannot be resumed, whatever the reason is.
        _ => None,
    })
}

/// Returns whether the rebuilt events equal those that viewers have seen. They differ if a new version of the program
/// behaves differently.
fn is_same_story(made_again: &[WireEvent], told: &[String]) -> bool {
    told.len() <= made_again.len()
        && made_again
            .iter()
            .zip(told)
            .all(|(event, told)| event.json == *told)
}

/// Ends the run as interrupted, unless its last event was already shown.
fn interrupt<E: Effects, G: Engine>(
    journal: &JournalWriter<'_, E>,
    effects: &E,
    run: &RunToken,
    saved: &SavedRun,
) -> Result<ConductOutcome, WriteError> {
    if saved.has_ended {
        journal.append(&Entry::<G>::Closed {})?;
        let last = saved.events.last().cloned().unwrap_or_default();
        return Ok(ConductOutcome::Interrupted(last));
    }
    let now = effects.now_ms();
    journal.append(&Entry::<G>::Interrupted { now })?;
    let number = u32::try_from(saved.events.len())
        .unwrap_or(u32::MAX)
        .saturating_add(1);
    let mut stored = saved.events.iter().map(String::as_str);
    let event = G::interrupted_event(&run.to_string(), number, Millis(now), &mut stored);
    journal.publish(&event)?;
    Ok(ConductOutcome::Interrupted(event.json))
}

/// Writes the record of one run.
pub(super) struct RunRecord<'run, E, G> {
    effects: &'run E,
    journal: &'run JournalWriter<'run, E>,
    progress: Progress,
    documents: DocumentQueue,
    /// Whether documents may have changed since they were last compared with the written ones.
    is_changed: bool,
    /// The timer that runs until documents are compared again; `None` if nothing is scheduled.
    timer: Option<LocalBoxFuture<'run, ()>>,
    engine: PhantomData<G>,
}

impl<'run, E: Effects, G: Engine> RunRecord<'run, E, G> {
    /// Makes the record of a run. At first, all its documents count as changed.
    pub(super) fn new(
        effects: &'run E,
        journal: &'run JournalWriter<'run, E>,
        progress: Progress,
        documents: DocumentQueue,
    ) -> Self {
        Self {
            effects,
            journal,
            progress,
            documents,
            is_changed: true,
            timer: None,
            engine: PhantomData,
        }
    }

    /// Returns the part of the record that is not the machine's state.
    pub(super) fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    /// Records that the machine has received an input, so that documents may have changed.
    pub(super) fn note_change(&mut self) {
        self.is_changed = true;
    }

    /// Returns whether at least one document of the last batch could not be written.
    pub(super) fn has_failed(&self) -> bool {
        self.documents.has_failed()
    }

    /// Writes the documents that have changed, or schedules the write for a time that [`due`](Self::due) waits for.
    pub(super) fn write_when_due(&mut self, state: &RunState<G>) -> Result<(), WriteError> {
        if !self.is_changed || self.timer.is_some() {
            return Ok(());
        }
        let now_ms = self.effects.now_ms();
        let run_ms = now_ms.saturating_sub(self.progress.meta().started.0);
        match self.documents.due_in_ms(now_ms, run_ms) {
            None => {}
            Some(0) => {
                self.is_changed = false;
                let changed = self.changed_documents(state, false);
                self.journal_documents(&changed)?;
                self.documents.send(changed);
            }
            Some(ms) => self.timer = Some(self.effects.sleep(ms).boxed_local()),
        }
        Ok(())
    }

    /// Waits until documents should be written. Waits forever if nothing is scheduled.
    pub(super) fn due(&mut self) -> impl Future<Output = ()> + Unpin + use<'_, 'run, E, G> {
        std::future::poll_fn(|context| {
            let Some(timer) = self.timer.as_mut() else {
                return Poll::Pending;
            };
            ready!(timer.poll_unpin(context));
            self.timer = None;
            Poll::Ready(())
        })
    }

    /// Writes the last documents, which include the verified edges, regardless of the schedule. Writes nothing if the
    /// journal failed.
    pub(super) async fn write_end(&mut self, state: &RunState<G>) {
        self.documents.wait_until_written().await;
        let changed = self.changed_documents(state, true);
        let _ = self.journal_documents(&changed);
        self.documents.send_last(changed).await;
    }

    fn changed_documents(&mut self, state: &RunState<G>, is_end: bool) -> ChangedDocuments {
        let (meta, now_ms) = (self.progress.meta(), self.effects.now_ms());
        self.documents.take_changed(state, meta, now_ms, is_end)
    }

    /// Journals the sequence number of the documents before they are written.
    fn journal_documents(&self, changed: &ChangedDocuments) -> Result<(), WriteError> {
        match changed.sequence() {
            Some(sequence) => self.journal.append(&Entry::<G>::Written { sequence }),
            None => Ok(()),
        }
    }
}
