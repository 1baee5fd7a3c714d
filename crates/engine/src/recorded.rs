//! The records of an engine's runs for those who look at them later.

use serde_json::Value;

use crate::budget::Amount;
use crate::store::{Documents, Keys, RunMeta};
use crate::stored::Stored;
use crate::told::Told;

/// An engine whose runs have a record, a sealed file and an account.
pub trait Recorded: Stored + Told {
    /// A choice that a sealed file shows with its reason.
    type Decision;

    /// Returns the documents of a run as it is.
    fn documents(keys: &Keys, state: &Self::State, meta: &RunMeta, is_end: bool) -> Documents;

    /// Returns which kind of provider a call is paid to, and what the call is about; `None` where
    /// nobody is paid.
    fn paid_call(key: &Self::Key) -> Option<(&'static str, &str)>;

    /// Returns whether the provider gave what it was asked for.
    fn is_answered(outcome: &Self::Outcome) -> bool;

    /// Returns how long a run may take, in milliseconds.
    fn runtime_ms_max(state: &Self::State) -> u64;

    /// Returns every choice so far.
    fn decisions(_state: &Self::State) -> &[Self::Decision] {
        &[]
    }

    /// Returns the JSON of some choices.
    fn decisions_json(_decisions: &[Self::Decision]) -> Vec<Value> {
        Vec::new()
    }

    /// Returns how many things the machine may look at in one step.
    fn steps(state: &Self::State) -> u64;

    /// Returns what the operator's log tells of an order.
    fn summary(order: &Self::Order) -> OrderSummary;

    /// Returns what a run has spent by its last event, its children included; `None` where the event
    /// does not tell it.
    fn spent(last_event: &str) -> Option<Amount>;

    /// Returns whether an attempt of this number and price may have cost something.
    #[must_use]
    fn may_cost(_attempt: u32, nano_usd: u64) -> bool {
        nano_usd > 0
    }
}

/// The summary of an order in the operator's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderSummary {
    /// The plan that the run follows, in a word.
    pub plan: &'static str,
    /// Names and their values, which are told only where the operator wants them.
    pub named: Vec<(&'static str, String)>,
}
