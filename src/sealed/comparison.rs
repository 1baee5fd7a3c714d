//! The comparison of a file's events and decisions with those that its answers lead to now.

use serde_json::Value;
use serde_json::value::RawValue;

use engine::Recorded;
use platform::events::WireEvent;

use super::file::digest_of;
use super::reading::SealedSlices;
use super::report::Difference;

/// The most events that an interrupted run may have made and not told. An input makes a few events.
const UNTOLD_MAX: usize = 200;
/// The longest piece of a file that a report repeats, in bytes.
const SHOWN_BYTES_MAX: usize = 64 * 1024;

/// The comparison of what is told now with the file. Each event and decision is compared once, up
/// to the first difference.
pub(super) struct Comparison<'file> {
    events: &'file [&'file RawValue],
    decisions: &'file [&'file RawValue],
    /// The most events that a run which could not go on may have made and not told.
    untold_max: usize,
    compared_events: usize,
    compared_decisions: usize,
    difference: Option<Difference>,
}

impl<'file> Comparison<'file> {
    /// Makes a comparison in which nothing is compared yet.
    pub(super) fn new<E: Recorded>(file: &'file SealedSlices<'file>) -> Self {
        Self {
            events: &file.events,
            decisions: &file.decisions,
            untold_max: if file.is_interrupted::<E>() {
                UNTOLD_MAX
            } else {
                0
            },
            compared_events: 0,
            compared_decisions: 0,
            difference: None,
        }
    }

    /// Returns whether a difference was found.
    pub(super) fn is_different(&self) -> bool {
        self.difference.is_some()
    }

    /// Returns the first difference, if one was found.
    pub(super) fn into_difference(self) -> Option<Difference> {
        self.difference
    }

    /// Compares what is told and decided by now, and at the end also finds what is missing.
    pub(super) fn compare<E: Recorded>(
        &mut self,
        told: &[WireEvent],
        decided: &[E::Decision],
        is_end: bool,
    ) {
        self.compare_events(told, is_end);
        self.compare_decisions::<E>(decided, is_end);
    }

    fn compare_events(&mut self, told: &[WireEvent], is_end: bool) {
        let sealed = self.events;
        let until = match (is_end, self.untold_max) {
            (true, _) => told.len().max(sealed.len()),
            (false, 0) => told.len(),
            // The last event told is none of the machine's.
            (false, untold_max) if told.len() > sealed.len() + untold_max => told.len(),
            (false, _) => told.len().min(sealed.len().saturating_sub(1)),
        };
        while self.compared_events < until && self.difference.is_none() {
            let sealed = sealed.get(self.compared_events).map(|event| event.get());
            let replayed = told.get(self.compared_events);
            let replayed = replayed.map(|event| event.json.as_str());
            self.compared_events += 1;
            if !are_same(sealed, replayed) {
                self.difference = Some(Difference::Event {
                    number: self.compared_events,
                    sealed: sealed.and_then(shown),
                    replayed: replayed.and_then(shown),
                });
            }
        }
    }

    fn compare_decisions<E: Recorded>(&mut self, decided: &[E::Decision], is_end: bool) {
        let new = decided.get(self.compared_decisions..).unwrap_or_default();
        let mut replayed = E::decisions_json(new).into_iter();
        let until = if is_end {
            decided.len().max(self.decisions.len())
        } else {
            decided.len()
        };
        while self.compared_decisions < until && self.difference.is_none() {
            let sealed = self.decisions.get(self.compared_decisions);
            let sealed = sealed.map(|decision| decision.get());
            let replayed = replayed.next();
            let text = replayed.as_ref().map(ToString::to_string);
            self.compared_decisions += 1;
            if !are_same(sealed, text.as_deref()) {
                self.difference = Some(Difference::Decision {
                    number: self.compared_decisions,
                    sealed: sealed.and_then(shown),
                    replayed,
                });
            }
        }
    }
}

/// The most times that one spelling of a text may be longer than another: no writer makes more of
/// it, even with each member on a line of its own.
const SPELLING_FACTOR_MAX: usize = 20;

/// Returns whether two JSON texts are there and say the same. Another spelling is no difference.
fn are_same(sealed: Option<&str>, replayed: Option<&str>) -> bool {
    match (sealed, replayed) {
        (Some(sealed), Some(replayed)) => sealed == replayed || is_spelled_as(sealed, replayed),
        _ => false,
    }
}

/// Returns whether two texts have the same spelling, by their digests, so that no spelling of a
/// long text is held.
fn is_spelled_as(one: &str, other: &str) -> bool {
    let shorter = one.len().min(other.len());
    if one.len().max(other.len()) > shorter.saturating_mul(SPELLING_FACTOR_MAX) {
        return false;
    }
    matches!((digest_of(one), digest_of(other)), (Ok(one), Ok(other)) if one == other)
}

fn shown(json: &str) -> Option<Value> {
    if json.len() > SHOWN_BYTES_MAX {
        return Some(format!("{} bytes of JSON, too long to be shown", json.len()).into());
    }
    serde_json::from_str(json).ok()
}
