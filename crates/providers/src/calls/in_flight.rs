//! A call in flight: what happens before each of its attempts is sent, the gate that holds attempts back, the sentences
//! that viewers are shown during the call, and the call's cost and result.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::future::poll_fn;
use std::task::{Poll, Waker};

use platform::WriteError;
use platform::isolate::Notify;

/// What happens before each attempt of a call is sent.
#[derive(Clone, Copy)]
pub struct Attempts<'call> {
    cost: &'call CallCost,
    gate: &'call Gate,
    notices: &'call Notices,
    intend: &'call dyn Fn(u32, u64) -> Result<(), WriteError>,
    note_reading: &'call dyn Fn(Reading) -> Result<(), WriteError>,
}

impl<'call> Attempts<'call> {
    /// Prepares the attempts of one call. Each attempt passes `gate`, is journaled by `intend` with its number and
    /// maximal cost, and is then counted in `cost`. Sentences for viewers go to `notices`. `note_reading` is called
    /// before and after an answer is read.
    pub fn new(
        cost: &'call CallCost,
        gate: &'call Gate,
        notices: &'call Notices,
        intend: &'call dyn Fn(u32, u64) -> Result<(), WriteError>,
        note_reading: &'call dyn Fn(Reading) -> Result<(), WriteError>,
    ) -> Self {
        Self {
            cost,
            gate,
            notices,
            intend,
            note_reading,
        }
    }

    /// Returns the number of attempts that were sent and may have been charged.
    #[must_use]
    pub fn made(&self) -> u32 {
        self.cost.attempts()
    }

    /// Returns the number of attempts that were throttled, which [`Self::made`] does not include.
    #[must_use]
    pub fn throttled(&self) -> u32 {
        self.cost.throttled()
    }

    /// Returns what the attempts cost or may have cost so far, in billionths of a dollar.
    #[must_use]
    pub fn nano_usd(&self) -> u64 {
        self.cost.nano_usd()
    }

    /// Waits until the next attempt may be sent, and journals it as charged until its answer arrives. Returns the
    /// attempt's number, from 1. After a throttled attempt, the next one has the same number.
    pub async fn begin(&self, price_nano_usd: u64) -> Result<u32, WriteError> {
        self.gate.pass().await;
        let attempt = self.cost.attempts() + 1;
        (self.intend)(attempt, price_nano_usd)?;
        self.cost.attempts.set(attempt);
        self.cost.add(price_nano_usd);
        Ok(attempt)
    }

    /// Waits until a photo may be converted, and journals the conversion, which is charged whatever its outcome. It
    /// counts as an attempt only if the call has already made one.
    pub async fn begin_conversion(&self, price_nano_usd: u64) -> Result<(), WriteError> {
        if self.made() > 0 {
            return self.begin(price_nano_usd).await.map(|_| ());
        }
        self.gate.pass().await;
        (self.intend)(0, price_nano_usd)?;
        self.cost.add(price_nano_usd);
        Ok(())
    }

    /// Reads an answer, and notes when the reading begins and ends. If the process ends after the second note, the
    /// answer was not the cause.
    pub fn read<T>(&self, read: impl FnOnce() -> T) -> Result<T, WriteError> {
        (self.note_reading)(Reading::Begins)?;
        let result = read();
        (self.note_reading)(Reading::IsOver)?;
        Ok(result)
    }

    /// Records the actual cost of an attempt that was assumed to cost `taken_for_nano_usd`.
    pub fn settle(&self, taken_for_nano_usd: u64, nano_usd: u64) {
        let paid = &self.cost.nano_usd;
        paid.set(paid.get().saturating_sub(taken_for_nano_usd));
        self.cost.add(nano_usd);
    }

    /// Records that the last attempt was throttled. A throttled attempt is not charged and does not count towards the
    /// limit of attempts.
    pub fn take_back_throttled(&self) {
        let (attempts, throttled) = (&self.cost.attempts, &self.cost.throttled);
        attempts.set(attempts.get().saturating_sub(1));
        throttled.set(throttled.get().saturating_add(1));
    }

    /// Shows viewers a sentence, unless the run has already shown it.
    pub fn tell_once(&self, sentence: String) {
        self.notices.tell_once(sentence);
    }

    /// Tells viewers that the call waits for this provider, unless the run has already said so.
    pub(super) fn tell_slowed(&self, provider: &str) {
        let remark =
            format!("{provider} is asked too often at the moment; the search goes on more slowly.");
        self.notices.tell_once(remark);
    }

    /// Journals that a photo may be fetched again before it is sent. The fetch costs nothing.
    pub fn begin_fetching_again(&self) -> Result<(), WriteError> {
        (self.intend)(0, 0)
    }
}

/// A note that is journaled around the reading of an answer, to find answers that end the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The reading is about to begin.
    Begins,
    /// The reading has ended without ending the process.
    IsOver,
}

/// What a call has cost so far. It can be read while the call is in flight.
#[derive(Debug, Default)]
pub struct CallCost {
    attempts: Cell<u32>,
    throttled: Cell<u32>,
    nano_usd: Cell<u64>,
}

impl CallCost {
    /// Returns the number of attempts that were sent and may have been charged.
    pub fn attempts(&self) -> u32 {
        self.attempts.get()
    }

    /// Returns the number of attempts that were throttled, which [`Self::attempts`] does not include.
    pub fn throttled(&self) -> u32 {
        self.throttled.get()
    }

    /// Returns what the attempts cost or may have cost so far, in billionths of a dollar.
    pub fn nano_usd(&self) -> u64 {
        self.nano_usd.get()
    }

    fn add(&self, nano_usd: u64) {
        self.nano_usd
            .set(self.nano_usd.get().saturating_add(nano_usd));
    }
}

/// A gate that can hold back all attempts of a run. It is open at first.
#[derive(Debug, Default)]
pub struct Gate {
    is_shut: Cell<bool>,
    waiting: RefCell<Vec<Waker>>,
}

impl Gate {
    /// Shuts the gate: no attempt passes until it is opened.
    pub fn shut(&self) {
        self.is_shut.set(true);
    }

    /// Opens the gate: every waiting attempt passes.
    pub fn open(&self) {
        self.is_shut.set(false);
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits while the gate is shut.
    pub async fn pass(&self) {
        poll_fn(|context| {
            if self.is_shut.get() {
                self.waiting.borrow_mut().push(context.waker().clone());
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
    }
}

/// The sentences for a run's viewers. Each is shown once.
#[derive(Debug, Default)]
pub struct Notices {
    told: RefCell<BTreeSet<String>>,
    waiting: RefCell<VecDeque<String>>,
    changed: Notify,
}

impl Notices {
    /// Makes the notices of a run that has already shown these sentences, so that none is repeated.
    pub fn after(told: impl IntoIterator<Item = String>) -> Self {
        Self {
            told: RefCell::new(told.into_iter().collect()),
            ..Self::default()
        }
    }

    /// Adds a sentence, unless the run has already shown it.
    pub fn tell_once(&self, sentence: String) {
        if self.told.borrow_mut().insert(sentence.clone()) {
            self.waiting.borrow_mut().push_back(sentence);
            self.changed.notify_all();
        }
    }

    /// Takes the next sentence to show; `None` if there is none yet.
    pub fn take(&self) -> Option<String> {
        self.waiting.borrow_mut().pop_front()
    }

    /// Waits until there is a sentence to take.
    pub async fn wait(&self) {
        let is_there = || !self.waiting.borrow().is_empty();
        self.changed.wait_until(is_there).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;
    use futures::stream::{FuturesUnordered, StreamExt as _};

    #[test]
    fn who_waits_before_it_passes_once_it_is_open() {
        let gate = Gate::default();
        gate.shut();
        let mut waiting: FuturesUnordered<_> = (0..3).map(|_| gate.pass()).collect();
        assert_eq!(waiting.next().now_or_never(), None);
        gate.open();
        let passed = std::iter::from_fn(|| waiting.next().now_or_never().flatten());
        assert_eq!(passed.count(), 3);
        assert_eq!(gate.pass().now_or_never(), Some(()));
    }

    #[test]
    fn each_sentence_is_told_once() {
        let notices = Notices::after(["Before.".to_owned()]);
        assert_eq!(notices.wait().now_or_never(), None);
        for sentence in ["Before.", "Now.", "Now.", "Then."] {
            notices.tell_once(sentence.to_owned());
        }
        assert_eq!(notices.wait().now_or_never(), Some(()));
        let told: Vec<String> = std::iter::from_fn(|| notices.take()).collect();
        assert_eq!(told, ["Now.", "Then."]);
    }
}
