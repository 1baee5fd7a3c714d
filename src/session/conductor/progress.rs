//! What the session knows of a run beside the machine: when it began, how it ended, what was asked.

use crate::events::WireEvent;
use crate::investigation::{Answer, LostCall, Outcome};
use crate::journal::{Asked, Rebuilt};
use crate::kernel::Millis;
use crate::store::{CallRecord, CallState, RunMeta};

/// A run's progress, as its documents tell it.
#[derive(Debug)]
pub(super) struct Progress {
    meta: RunMeta,
    time_to_live_s: u64,
}

impl Progress {
    /// As far as the journal tells it.
    pub(super) fn of(rebuilt: &Rebuilt, time_to_live_s: u64) -> Self {
        let mut progress = Self {
            meta: RunMeta {
                forked_from: rebuilt.opened.forked_from.clone(),
                ..RunMeta::default()
            },
            time_to_live_s,
        };
        progress.start(rebuilt.started.unwrap_or_default());
        for arrived in rebuilt.answers.values() {
            progress.note_answer(&arrived.asked, &arrived.answer, arrived.is_reused);
        }
        for (call, asked) in &rebuilt.lost {
            progress.note_lost(asked, call);
        }
        for (call, asked) in &rebuilt.withdrawn {
            progress.note_withdrawn(asked, call);
        }
        for event in &rebuilt.events {
            progress.note_event(event);
        }
        progress
    }

    pub(super) fn meta(&self) -> &RunMeta {
        &self.meta
    }

    /// The run's time begins.
    pub(super) fn start(&mut self, now: Millis) {
        let kept_ms = self.time_to_live_s.saturating_mul(1_000);
        self.meta.started = now;
        self.meta.expires = Millis(now.0.saturating_add(kept_ms));
    }

    pub(super) fn note_event(&mut self, event: &WireEvent) {
        if !event.is_last {
            return;
        }
        self.meta.ended_with = Some(event.kind);
        self.meta.ended_because = event.because();
    }

    pub(super) fn note_answer(&mut self, asked: &Asked, answer: &Answer, is_reused: bool) {
        let state = match (&answer.outcome, is_reused) {
            (_, true) => CallState::Reused,
            (
                Outcome::Searched(Err(_)) | Outcome::Recognised(Err(_)) | Outcome::Planned(Err(_)),
                _,
            ) => CallState::Failed,
            _ => CallState::Answered,
        };
        self.note(answer.command.0, asked, answer.attempts, state);
    }

    pub(super) fn note_lost(&mut self, asked: &Asked, lost: &LostCall) {
        self.note(lost.command.0, asked, lost.attempts, CallState::Lost);
    }

    /// A call that was ended before its answer came, since nobody needed it any more.
    pub(super) fn note_withdrawn(&mut self, asked: &Asked, call: &LostCall) {
        if call.attempts > 0 {
            self.note(call.command.0, asked, call.attempts, CallState::Withdrawn);
        }
    }

    fn note(&mut self, command: u32, asked: &Asked, attempts: u32, state: CallState) {
        let (kind, key) = match asked {
            Asked::Search { query, .. } => ("search", query.clone()),
            Asked::Recognise { sha256 } => ("recognition", sha256.clone()),
            Asked::Plan { sha256 } => ("plan", sha256.clone()),
            // Free, and there are many.
            Asked::Fetch { .. } => return,
        };
        self.meta.calls.push(CallRecord {
            command,
            kind,
            key,
            attempts,
            state,
        });
    }
}
