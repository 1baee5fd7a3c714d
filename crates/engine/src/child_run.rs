//! Child runs, which are runs that another run begins. They may run on any engine, and are stopped with their parent.

use std::pin::pin;

use futures::future::{Either, select};
use serde_json::Value;

use domain::RunToken;
use platform::{ChildRefusal, Effects, WriteError, timeout};
use providers::calls::Attempts;
use settings::{Caps, Providers};

/// The longest wait for the child's end after it was requested to stop, in milliseconds.
const STOPPING_MS_MAX: u64 = 20_000;
/// The pause before a request to an object that did not answer is repeated, in milliseconds.
const PAUSE_MS: u64 = 1_000;
/// The longest wait for reading a stored document, in milliseconds.
const READING_MS_MAX: u64 = 10_000;
/// The most attempts to begin the child run.
const BEGINNINGS_MAX: u32 = 3;
/// The part of the parent's time that is reserved for its work after the child, in milliseconds.
const TIME_AFTER_MS: u64 = 2_000;

/// The result of a child run, or the reason why it has none.
pub type ChildResult = Result<ChildOutput, NoResult>;

/// The reason why a child run has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoResult {
    /// The sentence that says what happened.
    pub message: String,
    /// Whether the child run may have had effects although its result is unknown.
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

/// The result of a child run.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildOutput {
    /// The result as a value in the form that the child's engine documents.
    pub value: Value,
    /// The result in one sentence.
    pub message: String,
}

/// The time and money that a parent run has left for its child run.
#[derive(Debug, Clone, Copy)]
pub struct ParentLimits<'parent> {
    /// The noun for the parent run in sentences.
    pub noun: &'parent str,
    /// The time that the parent has left for the child, in milliseconds.
    pub runtime_ms_max: u64,
    /// The money that the parent has left, in billionths of a dollar; `None` if unlimited.
    pub nano_usd_max: Option<u64>,
}

/// The order for a child run, and what the parent must know about that run.
#[derive(Debug, Clone)]
pub struct ChildOrder {
    /// The order as JSON.
    pub json: String,
    /// The noun for the child run in sentences.
    pub noun: &'static str,
    /// The most that the child may cost, in billionths of a dollar; 0 if unlimited.
    pub nano_usd_max: u64,
    /// Extracts the child's result and its cost from its last event, as [`crate::Requests::end`] does.
    pub end: fn(last_event: &Value) -> (ChildResult, u64),
}

/// The functions that a run needs to begin child runs of any engine of this program.
#[derive(Debug, Clone, Copy)]
pub struct Registry {
    /// Returns the key of the operator's stored document that a request names; `None` if it names none.
    pub stored_key: fn(request: &Value, caps: &Caps) -> Option<String>,
    /// Makes an order from a request (a body of `POST /runs`) and from the stored document that it names. Fails with
    /// a whole sentence that says what is wrong with the request.
    pub child_order: MakeChildOrder,
}

/// A function that makes the order of a child run.
pub type MakeChildOrder = fn(
    request: &Value,
    stored: Option<&Value>,
    given: (&Providers, &Caps),
    left: &ParentLimits<'_>,
) -> Result<ChildOrder, String>;

/// A child run that is to be begun, and its limits.
pub struct ChildRun<'call> {
    /// The request, as a body of `POST /runs`.
    pub request: &'call Value,
    /// The noun for the parent in sentences.
    pub parent_noun: &'call str,
    /// The engines on which the child may run.
    pub engines: Registry,
    /// The operator's providers.
    pub providers: &'call Providers,
    /// The limits that the child's order must respect.
    pub caps: &'call Caps,
    /// The most that the child may cost, in billionths of a dollar; `None` if unlimited.
    pub nano_usd_max: Option<u64>,
    /// The time for beginning the child and waiting for its end, in milliseconds.
    pub time_left_ms: u64,
    /// The token of the child that an earlier process may have begun; `None` if no process has tried.
    pub begun: Option<RunToken>,
    /// The attempts of the call. The parent's budget and journal record each of them.
    pub attempts: Attempts<'call>,
    /// Records the token of the child before the child is begun, so that another process can resume the wait.
    pub note: &'call dyn Fn(&RunToken) -> Result<(), WriteError>,
}

impl ChildRun<'_> {
    /// Begins the child unless it was begun before, and waits for its end. Fails if the parent's journal cannot be
    /// written.
    pub async fn carry_out<E: Effects>(self, effects: &E) -> Result<EndedRun, WriteError> {
        let deadline_ms = effects.now_ms().saturating_add(self.time_left_ms);
        let order = match self.order(effects).await {
            Ok(order) => order,
            Err(says) => {
                // There is no valid order now. If an earlier process had a valid order and may have begun the child,
                // the child must be stopped.
                let Some(run) = self.begun.clone() else {
                    return Ok(EndedRun::failed(&says));
                };
                // Stopping the child counts as one of the parent's child runs. No cost is reserved here, because the
                // child's cost was reserved when it was begun.
                self.attempts.begin(0).await?;
                let _ = timeout(effects, STOPPING_MS_MAX, effects.stop_child(&run)).await;
                return Ok(EndedRun::lost(run, self.allowed_nano_usd(), says));
            }
        };
        let Some(run) = self.begun.clone().or_else(|| effects.child_token()) else {
            let says = "There is no randomness for a run's token.";
            return Ok(EndedRun::failed(says));
        };
        if self.begun.is_none() {
            (self.note)(&run)?;
        }
        self.attempts.begin(order.nano_usd_max).await?;
        if let Err(failed) = self.begin(effects, &run, &order).await {
            return Ok(failed);
        }
        let Some(event) = wait_for_end(effects, &run, deadline_ms).await else {
            let says = format!("The {} did not end in its time.", order.noun);
            return Ok(EndedRun::lost(run, order.nano_usd_max, says));
        };
        // An event that cannot be parsed becomes null, which every engine treats as an unknown end.
        let event: Value = serde_json::from_str(&event).unwrap_or_default();
        let (result, nano_usd) = (order.end)(&event);
        self.attempts.settle(order.nano_usd_max, nano_usd);
        Ok(EndedRun {
            run: Some(run),
            result,
            nano_usd,
        })
    }

    /// Returns the most that the child may have cost if its order is no longer known, in billionths of a dollar; 0 if
    /// unlimited.
    fn allowed_nano_usd(&self) -> u64 {
        let limits = self.nano_usd_max.into_iter().chain(self.caps.nano_usd_max);
        limits.min().unwrap_or_default()
    }

    async fn order<E: Effects>(&self, effects: &E) -> Result<ChildOrder, String> {
        let stored = match (self.engines.stored_key)(self.request, self.caps) {
            None => None,
            Some(key) => {
                let read = timeout(effects, READING_MS_MAX, effects.stored_document(&key)).await;
                let Some(Ok(read)) = read else {
                    return Err("The operator's stored documents cannot be read now.".to_owned());
                };
                read.and_then(|json| serde_json::from_str(&json).ok())
            }
        };
        let left = ParentLimits {
            noun: self.parent_noun,
            runtime_ms_max: self.time_left_ms.saturating_sub(TIME_AFTER_MS),
            nano_usd_max: self.nano_usd_max,
        };
        let given = (self.providers, self.caps);
        (self.engines.child_order)(self.request, stored.as_ref(), given, &left)
    }

    /// Begins the child. If that was refused or its success is unknown, fails with the [`EndedRun`] that
    /// [`Self::carry_out`] returns.
    async fn begin<E: Effects>(
        &self,
        effects: &E,
        run: &RunToken,
        order: &ChildOrder,
    ) -> Result<(), EndedRun> {
        let price = order.nano_usd_max;
        for attempt in 1.. {
            match effects.begin_child(run, &order.json).await {
                Ok(()) => break,
                Err(ChildRefusal::Refused(says)) => {
                    self.attempts.settle(price, 0);
                    return Err(EndedRun::failed(&says));
                }
                Err(ChildRefusal::Unreachable) if attempt < BEGINNINGS_MAX => {
                    effects.sleep(PAUSE_MS).await;
                }
                Err(ChildRefusal::Unreachable) => {
                    // The child may have been begun although no answer arrived, so it is stopped.
                    let _ = timeout(effects, STOPPING_MS_MAX, effects.stop_child(run)).await;
                    let says = format!("The {} could not be begun.", order.noun);
                    return Err(EndedRun::lost(run.clone(), price, says));
                }
            }
        }
        Ok(())
    }
}

/// How a child run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedRun {
    /// The child's token; `None` if the child was certainly not begun.
    pub run: Option<RunToken>,
    /// The child's result, or the reason why there is none.
    pub result: ChildResult,
    /// The cost of the child, in billionths of a dollar. If the cost is unknown, the most that it may be.
    pub nano_usd: u64,
}

impl EndedRun {
    /// Returns the end of a child that was not begun.
    fn failed(says: &str) -> Self {
        Self {
            run: None,
            result: Err(says.into()),
            nano_usd: 0,
        }
    }

    /// Returns the end of a child whose outcome is unknown.
    fn lost(run: RunToken, nano_usd: u64, message: String) -> Self {
        Self {
            run: Some(run),
            result: Err(NoResult {
                message,
                is_unknown: true,
            }),
            nano_usd,
        }
    }
}

/// Waits for the child's last event. Stops the child if the parent is stopped or if the child's time is over.
async fn wait_for_end<E: Effects>(effects: &E, run: &RunToken, deadline_ms: u64) -> Option<String> {
    let left_ms = deadline_ms.saturating_sub(effects.now_ms());
    {
        let end = pin!(timeout(effects, left_ms, end(effects, run)));
        let stop = pin!(effects.stop_requested());
        if let Either::Left((Some(event), _)) = select(end, stop).await {
            return Some(event);
        }
    }
    let _ = timeout(effects, STOPPING_MS_MAX, effects.stop_child(run)).await;
    timeout(effects, STOPPING_MS_MAX, end(effects, run)).await
}

async fn end<E: Effects>(effects: &E, run: &RunToken) -> String {
    loop {
        match effects.child_end(run).await {
            Ok(event) => return event,
            Err(_) => effects.sleep(PAUSE_MS).await,
        }
    }
}
