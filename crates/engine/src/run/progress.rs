//! What a run's documents tell of it beside what the machine knows: when the run began, how it
//! ended, and which calls were made.

use kernel::{Answer, CommandId, LostCall, Millis};
use platform::events::WireEvent;

use crate::Recorded;
use crate::journal::RebuiltRun;
use crate::store::{CallRecord, CallState, RunMeta};

/// A run's meta document in the making.
#[derive(Debug)]
pub(super) struct Progress {
    meta: RunMeta,
    time_to_live_s: u64,
}

impl Progress {
    /// Returns the progress of a run as far as the journal tells it.
    pub(super) fn of<G: Recorded>(rebuilt: &RebuiltRun<G>, time_to_live_s: u64) -> Self {
        let mut progress = Self {
            meta: RunMeta {
                forked_from: rebuilt.opened().forked_from.clone(),
                ..RunMeta::default()
            },
            time_to_live_s,
        };
        progress.start(rebuilt.started().unwrap_or_default());
        for received in rebuilt.answers() {
            let provider = received.provider().map(str::to_owned);
            let is_reused = received.is_reused();
            progress.note_answer::<G>(received.key(), received.answer(), provider, is_reused);
        }
        for (call, key) in rebuilt.lost() {
            progress.note_lost::<G>(key, call);
        }
        for (call, key) in rebuilt.withdrawn() {
            progress.note_withdrawn::<G>(key, call);
        }
        for event in rebuilt.events() {
            progress.note_event(event);
        }
        progress
    }

    /// Returns what the documents tell of the run by now.
    pub(super) fn meta(&self) -> &RunMeta {
        &self.meta
    }

    /// Notes that the run begins: its time to live is counted from here.
    pub(super) fn start(&mut self, now: Millis) {
        let kept_ms = self.time_to_live_s.saturating_mul(1_000);
        self.meta.started = now;
        self.meta.expires = Millis(now.0.saturating_add(kept_ms));
    }

    /// Notes an event. The last event tells how the run ended.
    pub(super) fn note_event(&mut self, event: &WireEvent) {
        if !event.is_last {
            return;
        }
        self.meta.ended_with = Some(event.kind);
        self.meta.ended_because = event.because();
    }

    /// Notes that a call was answered, by its provider or by an earlier run.
    pub(super) fn note_answer<G: Recorded>(
        &mut self,
        key: &G::Key,
        answer: &Answer<G::Outcome>,
        provider: Option<String>,
        is_reused: bool,
    ) {
        let state = if is_reused {
            CallState::Reused
        } else if G::is_answered(&answer.outcome) {
            CallState::Answered
        } else {
            CallState::Failed
        };
        self.note::<G>(answer.command, key, provider, answer.attempts, state);
    }

    /// Notes that a call's answer was lost with its process.
    pub(super) fn note_lost<G: Recorded>(&mut self, key: &G::Key, lost: &LostCall) {
        self.note::<G>(lost.command, key, None, lost.attempts, CallState::Lost);
    }

    /// Notes that a call was ended before its answer came, since nobody needed it any more.
    pub(super) fn note_withdrawn<G: Recorded>(&mut self, key: &G::Key, call: &LostCall) {
        if call.attempts > 0 {
            self.note::<G>(call.command, key, None, call.attempts, CallState::Withdrawn);
        }
    }

    fn note<G: Recorded>(
        &mut self,
        command: CommandId,
        key: &G::Key,
        provider: Option<String>,
        attempts: u32,
        state: CallState,
    ) {
        // The other calls are free, and there are many.
        let Some((kind, key)) = G::paid_call(key) else {
            return;
        };
        self.meta.calls.push(CallRecord {
            command: command.0,
            kind,
            key: key.to_owned(),
            provider,
            attempts,
            state,
        });
    }
}
