//! The runs that a run begins, of whichever engine: how their orders are made, and how they ended.

use serde_json::Value;

use settings::{Caps, Providers};

use crate::asked::Asked;

/// An engine whose runs other runs begin.
pub trait Begun: Asked {
    /// The noun for one of its runs in sentences.
    const NOUN: &'static str;

    /// Lowers the limits of an order to what its parent has left. Fails with a whole sentence where too
    /// little is left.
    fn limited(order: Self::Order, left: &ParentLimits<'_>) -> Result<Self::Order, String>;

    /// Returns the most that a run of this order may cost, in billionths of a dollar; 0 where nobody limits it.
    fn nano_usd_max(order: &Self::Order) -> u64;

    /// Reads how a run ended out of its last event, and what it cost in billionths of a dollar.
    fn end(last_event: &Value) -> (ChildResult, u64);
}

/// The result of a run, or why there is none.
pub type ChildResult = Result<ChildOutput, NoResult>;

/// The reason why a run has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoResult {
    /// What happened, in one sentence.
    pub message: String,
    /// Whether the run did something of which nobody knows what came.
    pub is_unknown: bool,
}

impl From<&str> for NoResult {
    fn from(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            is_unknown: false,
        }
    }
}

/// The result of a run that another run began.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildOutput {
    /// The result itself, in the form that the engine of that run documents.
    pub value: Value,
    /// The result in one sentence.
    pub message: String,
}

/// The limits that a parent sets to a run that it begins.
#[derive(Debug, Clone, Copy)]
pub struct ParentLimits<'parent> {
    /// The noun for the parent in sentences.
    pub noun: &'parent str,
    /// The time that the parent has left for the run, in milliseconds.
    pub runtime_ms_max: u64,
    /// The money that the parent has left, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
}

/// The order of a run that another run begins.
#[derive(Debug, Clone)]
pub struct ChildOrder {
    /// The order as JSON.
    pub json: String,
    /// The noun for the run in sentences.
    pub noun: &'static str,
    /// The most that the run may cost, in billionths of a dollar; 0 where nobody limits it.
    pub nano_usd_max: u64,
    /// Reads how the run ended, as [`Begun::end`] does.
    pub end: fn(last_event: &Value) -> (ChildResult, u64),
}

/// All engines of this program, for a run that begins runs of any of them.
pub trait Engines {
    /// Returns the key of the operator's stored document that a request names, if it names one.
    fn stored_key(&self, request: &Value, caps: &Caps) -> Option<String>;

    /// Makes the order of a run out of a request, which is a body of `POST /runs`, and of the stored document
    /// that it names. Fails with a whole sentence that says what is wrong with the request.
    fn child_order(
        &self,
        request: &Value,
        stored: Option<Value>,
        given: (&Providers, &Caps),
        left: &ParentLimits<'_>,
    ) -> Result<ChildOrder, String>;
}
