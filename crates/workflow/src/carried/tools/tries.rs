//! The tries of a request: how often, and after which pause, it is sent again.

use std::cell::Cell;

use mcp::CallFailure;

use super::tool_terms::ToolTerms;

/// The first pause before something that was not done is asked again, in milliseconds; the pause
/// doubles.
const PAUSE_MS: u64 = 500;
/// The most times that a server that cannot be reached is asked.
const REACHING_MAX: u32 = 3;

/// The number of times that a request was tried, and how long its answer is waited for.
pub(super) struct Tries {
    /// The time at which nobody waits any more, whatever comes until then, in milliseconds.
    deadline_ms: u64,
    /// The longest time without a sign that the answer is still to come, in milliseconds.
    silence_ms_max: u64,
    /// The time of the last such sign, in milliseconds.
    alive_ms: Cell<u64>,
    /// The time of the whole wait, in milliseconds.
    whole_ms: u64,
    /// The number of pauses so far.
    pauses: Cell<u32>,
    /// The number of attempts that were made when the last exchange began.
    pub(super) made: Cell<u32>,
}

impl Tries {
    pub(super) fn new(now_ms: u64, terms: &ToolTerms<'_>) -> Self {
        Self {
            deadline_ms: now_ms.saturating_add(terms.time_left_ms),
            silence_ms_max: terms.silence_ms_max,
            alive_ms: Cell::new(now_ms),
            whole_ms: terms.time_left_ms,
            pauses: Cell::new(0),
            made: Cell::new(terms.attempts.made()),
        }
    }

    /// Notes that the server has told progress.
    pub(super) fn note_progress(&self, now_ms: u64) {
        self.alive_ms.set(now_ms);
    }

    /// Returns how long the answer is still waited for, in milliseconds, as far as is known by now.
    pub(super) fn left_ms(&self, now_ms: u64) -> u64 {
        let silent_ms = self.alive_ms.get().saturating_add(self.silence_ms_max);
        silent_ms.min(self.deadline_ms).saturating_sub(now_ms)
    }

    /// Returns why nobody waits any more, with the option that says so.
    pub(super) fn why_over(&self, now_ms: u64) -> String {
        let (whole_ms, silence_ms) = (self.whole_ms, self.silence_ms_max);
        if whole_ms == silence_ms {
            return format!(
                "no answer came in {whole_ms} ms, which is callMs or all that was left of the run's \
                 runtimeMs"
            );
        }
        if now_ms < self.deadline_ms {
            return format!(
                "no answer and no progress came for {silence_ms} ms; callMs says for how long a tool may be \
                 silent"
            );
        }
        format!(
            "no answer came in {whole_ms} ms, though there was progress; such a tool may take five times \
             callMs, and no longer than what is left of runtimeMs"
        )
    }

    /// Returns whether something that was not done may be asked again.
    pub(super) fn may_ask_again(&self, failure: &CallFailure, terms: &ToolTerms<'_>) -> bool {
        match failure {
            CallFailure::Busy { .. } => self.pauses.get() < terms.throttled_max,
            CallFailure::Down(_) => self.pauses.get() + 1 < REACHING_MAX,
            _ => false,
        }
    }

    /// Returns the pause before the next attempt, in milliseconds: the server's hint, or 0.5, 1, 2
    /// seconds and so on, spread over half to all of it.
    pub(super) fn pause_ms(&self, failure: &CallFailure, jitter: f64) -> u64 {
        let pauses = self.pauses.replace(self.pauses.get().saturating_add(1));
        if let CallFailure::Busy {
            after_ms: Some(after_ms),
        } = failure
        {
            return *after_ms;
        }
        let full_ms = PAUSE_MS << pauses.min(6);
        // The value is at most 32 seconds.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let spread_ms = (full_ms as f64 * (0.5 + jitter.clamp(0.0, 1.0) / 2.0)) as u64;
        spread_ms
    }
}
