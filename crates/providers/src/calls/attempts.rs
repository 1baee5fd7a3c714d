//! The steps that every attempt of a call passes through before it is sent, and what it has cost.

use std::cell::Cell;

use platform::WriteError;

use super::gate::Gate;
use super::notices::Notices;

/// The steps that every attempt of a call passes through before it is sent.
#[derive(Clone, Copy)]
pub struct Attempts<'call> {
    cost: &'call CallCost,
    gate: &'call Gate,
    notices: &'call Notices,
    intend: &'call dyn Fn(u32, u64) -> Result<(), WriteError>,
    note_reading: &'call dyn Fn(Reading) -> Result<(), WriteError>,
}

/// The state of reading what came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The reading begins in a moment.
    Begins,
    /// The reading is over, and the process lives on.
    IsOver,
}

impl<'call> Attempts<'call> {
    /// Makes the steps of the attempts of one call. An attempt waits for `gate`, is written into the
    /// journal by `intend`, which is given its number and what it may cost, and is then counted in
    /// `cost`. What viewers should know meanwhile goes to `notices`. `note_reading` is called
    /// before and after what came is read.
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

    /// Returns how many attempts were sent that may have been charged.
    #[must_use]
    pub fn made(&self) -> u32 {
        self.cost.attempts()
    }

    /// Returns how many more attempts were throttled.
    #[must_use]
    pub fn throttled(&self) -> u32 {
        self.cost.throttled()
    }

    /// Returns what the attempts have cost, or may have cost, in billionths of a dollar.
    #[must_use]
    pub fn nano_usd(&self) -> u64 {
        self.cost.nano_usd()
    }

    /// Waits until the next attempt may be sent, and writes it into the journal. It counts as
    /// charged until it is answered. Returns its number, from 1; an attempt after a throttled one
    /// has the number of that one.
    pub async fn begin(&self, price_nano_usd: u64) -> Result<u32, WriteError> {
        self.gate.pass().await;
        let attempt = self.cost.attempts() + 1;
        (self.intend)(attempt, price_nano_usd)?;
        self.cost.attempts.set(attempt);
        self.cost.add(price_nano_usd);
        Ok(attempt)
    }

    /// Waits until a photo may be converted, and writes it into the journal. It counts as charged whatever comes of it.
    /// Beside a call of which no attempt was made yet it is none of its attempts.
    pub async fn begin_conversion(&self, price_nano_usd: u64) -> Result<(), WriteError> {
        if self.made() > 0 {
            return self.begin(price_nano_usd).await.map(|_| ());
        }
        self.gate.pass().await;
        (self.intend)(0, price_nano_usd)?;
        self.cost.add(price_nano_usd);
        Ok(())
    }

    /// Reads what came, with a note before and after it. So what ends the process later is known to
    /// be something else.
    pub fn read<T>(&self, read: impl FnOnce() -> T) -> Result<T, WriteError> {
        (self.note_reading)(Reading::Begins)?;
        let result = read();
        (self.note_reading)(Reading::IsOver)?;
        Ok(result)
    }

    /// Notes that an attempt that was taken for charged has cost this much instead.
    pub fn settle(&self, taken_for_nano_usd: u64, nano_usd: u64) {
        let paid = &self.cost.nano_usd;
        paid.set(paid.get().saturating_sub(taken_for_nano_usd));
        self.cost.add(nano_usd);
    }

    /// Notes that the last attempt was throttled: it was not charged, and does not count among the
    /// attempts that are allowed.
    pub fn take_back_throttled(&self) {
        let (attempts, throttled) = (&self.cost.attempts, &self.cost.throttled);
        attempts.set(attempts.get().saturating_sub(1));
        throttled.set(throttled.get().saturating_add(1));
    }

    /// Tells a sentence, once for each run.
    pub fn tell_once(&self, sentence: String) {
        self.notices.tell_once(sentence);
    }

    /// Tells, once for each run, that the call waits until this provider may be asked again.
    pub(super) fn tell_slowed(&self, provider: &str) {
        let remark =
            format!("{provider} is asked too often at the moment; the search goes on more slowly.");
        self.notices.tell_once(remark);
    }

    /// Writes into the journal that a photo may be fetched again before it is sent, which costs
    /// nothing.
    pub fn begin_fetching_again(&self) -> Result<(), WriteError> {
        (self.intend)(0, 0)
    }
}

/// The cost of a call so far, also while it is in flight.
#[derive(Debug, Default)]
pub struct CallCost {
    attempts: Cell<u32>,
    throttled: Cell<u32>,
    nano_usd: Cell<u64>,
}

impl CallCost {
    /// Returns how many attempts were sent that may have been charged.
    pub fn attempts(&self) -> u32 {
        self.attempts.get()
    }

    /// Returns how many more attempts were throttled.
    pub fn throttled(&self) -> u32 {
        self.throttled.get()
    }

    /// Returns what the attempts cost, or may have cost, in billionths of a dollar.
    pub fn nano_usd(&self) -> u64 {
        self.nano_usd.get()
    }

    fn add(&self, nano_usd: u64) {
        self.nano_usd
            .set(self.nano_usd.get().saturating_add(nano_usd));
    }
}
