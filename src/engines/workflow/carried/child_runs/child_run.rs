//! A run that a workflow begins, from its beginning to its end: it is stopped with the workflow
//! that waits for it.

use std::pin::pin;

use futures::future::{Either, select};

use crate::calls::Attempts;
use crate::domain::RunToken;
use crate::effects::{ChildRefusal, Children, Effects, WriteError, timeout};
use crate::engines::workflow::machine::{ChildEnd, ChildFailure, InvestigateCall};
use crate::engines::workflow::stored::WorkflowNote;
use crate::kernel::CommandId;
use crate::settings::Caps;

use super::child_order::{child_order, nano_usd_max};
use super::last_event;

/// The longest wait for the run's end after a stop, in milliseconds.
const STOPPING_MS_MAX: u64 = 20_000;
/// The pause before an object that did not answer is asked again, in milliseconds.
const PAUSE_MS: u64 = 1_000;
/// The most times that the object is asked to begin the run.
const BEGINNINGS_MAX: u32 = 3;

/// One command, and what holds for it.
pub struct ChildTerms<'call> {
    /// The command's number.
    pub command: CommandId,
    /// The time that the command may take, in milliseconds.
    pub time_left_ms: u64,
    /// The token of the run, where an earlier process may have begun it.
    pub begun: Option<RunToken>,
    /// The steps that each attempt passes through.
    pub attempts: Attempts<'call>,
    /// Writes down what another process needs to go on.
    pub note: &'call dyn Fn(WorkflowNote) -> Result<(), WriteError>,
}

/// The end of a run, and what it cost in billionths of a dollar.
type Ended = (Result<ChildEnd, ChildFailure>, u64);

/// Begins the run, or finds it begun, and waits for its end.
pub async fn investigate<E: Effects + Children>(
    effects: &E,
    caps: &Caps,
    call: &InvestigateCall,
    terms: ChildTerms<'_>,
) -> Result<Ended, WriteError> {
    let deadline_ms = effects.now_ms().saturating_add(terms.time_left_ms);
    let order = match child_order(call, terms.time_left_ms, caps) {
        Ok(order) => order,
        Err(says) => return Ok(failed(None, says)),
    };
    let Some(run) = terms.begun.clone().or_else(|| effects.child_token()) else {
        let says = "There is no randomness for a run's token.";
        return Ok(failed(None, says.to_owned()));
    };
    if terms.begun.is_none() {
        let note = WorkflowNote::Child {
            command: terms.command.0,
            run: run.to_string(),
        };
        (terms.note)(note)?;
    }
    let price = nano_usd_max(&order);
    // Texts and numbers: writing them cannot fail.
    let json = serde_json::to_string(&order).unwrap_or_default();
    terms.attempts.begin(price).await?;
    for attempt in 1.. {
        match effects.begin_child(&run, &json).await {
            Ok(()) => break,
            Err(ChildRefusal::Refused(says)) => {
                terms.attempts.settle(price, 0);
                return Ok(failed(None, says));
            }
            Err(ChildRefusal::Unreachable) if attempt < BEGINNINGS_MAX => {
                effects.sleep(PAUSE_MS).await;
            }
            Err(ChildRefusal::Unreachable) => {
                // The run may have been begun all the same.
                let _ = timeout(effects, STOPPING_MS_MAX, effects.stop_child(&run)).await;
                let says = "The investigation could not be begun.".to_owned();
                return Ok((failed(Some(&run), says).0, price));
            }
        }
    }
    let event = wait_for_end(effects, &run, deadline_ms).await;
    if let Some(event) = event {
        let (end, nano_usd) = last_event::read(&run.to_string(), &event);
        terms.attempts.settle(price, nano_usd);
        return Ok((end, nano_usd));
    }
    // What the run has spent is not known: all that it may spend counts.
    let says = "The investigation came to no end in its time.".to_owned();
    Ok((failed(Some(&run), says).0, price))
}

fn failed(run: Option<&RunToken>, message: String) -> Ended {
    let run = run.map(ToString::to_string);
    (Err(ChildFailure { run, message }), 0)
}

/// Waits for the run's last event. Where the workflow is stopped, or its time is over, the run is
/// stopped too.
async fn wait_for_end<E: Effects + Children>(
    effects: &E,
    run: &RunToken,
    deadline_ms: u64,
) -> Option<String> {
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

async fn end<E: Effects + Children>(effects: &E, run: &RunToken) -> String {
    loop {
        match effects.child_end(run).await {
            Ok(event) => return event,
            Err(_) => effects.sleep(PAUSE_MS).await,
        }
    }
}
