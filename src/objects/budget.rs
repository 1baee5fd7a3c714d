//! The object that stores the daily budget, and the calls to that object.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use engine::budget::{
    BudgetCall, Claim, DailyBudget, DueReservation, Release, ReserveAnswer, RunAccount, Settlement,
};
use futures::future::join_all;
use serde::de::DeserializeOwned;
use worker::{DurableObject, Env, Error, Request, Response, Result, State, durable_object};

use crate::run_object::RunObjectCall;

use crate::storage::json_table;
use crate::transport::bindings::{self, in_time, now_ms};
use crate::transport::failure::Failure;
use crate::transport::replies;

use super::client::post;

/// The timeout of a call to the budget's object, in milliseconds. It is far shorter than the time for which a
/// reservation without a run lasts.
const CALL_MS_MAX: u64 = 10_000;

/// Reserves what a run may spend, or returns the reason why that is refused.
pub(crate) async fn reserve(env: &Env, claim: Claim) -> Result<ReserveAnswer> {
    read(call(env, BudgetCall::Reserve(claim)).await?).await
}

/// Records the total that a run has spent.
pub(crate) async fn settle(env: &Env, settlement: Settlement) -> Result<()> {
    done(&call(env, BudgetCall::Settle(settlement)).await?)
}

/// Releases the reservation of a run that was not begun.
pub(crate) async fn release(env: &Env, release: Release) -> Result<()> {
    done(&call(env, BudgetCall::Release(release)).await?)
}

/// Returns what is spent and reserved today, as the JSON of a [`engine::budget::BudgetReport`], for the operator.
pub(crate) async fn report(env: &Env) -> Result<serde_json::Value> {
    read(call(env, BudgetCall::Report).await?).await
}

async fn call(env: &Env, call: BudgetCall) -> Result<Response> {
    let stub = bindings::budget_object(env)?;
    in_time(post(&stub, &call), CALL_MS_MAX).await
}

async fn read<T: DeserializeOwned>(mut answer: Response) -> Result<T> {
    done(&answer)?;
    Ok(serde_json::from_str(&answer.text().await?)?)
}

fn done(answer: &Response) -> Result<()> {
    match answer.status_code() {
        200 => Ok(()),
        status => Err(Error::RustError(format!("the budget answers {status}"))),
    }
}

/// The name under which the budget is stored.
const BUDGET_NAME: &str = "budget";
/// The number of runs whose accounts are requested at once. The next constant is the timeout of each request, in
/// milliseconds.
const RUNS_ASKED_MAX: usize = 20;
const ANSWER_MS_MAX: u64 = 10_000;
/// The pause before the next batch of runs, in milliseconds.
const PAUSE_MS: u64 = 1_000;

/// The daily budget.
#[durable_object]
pub struct BudgetObject {
    state: State,
    env: Env,
    /// The stored budget; `None` if this instance has not read it yet.
    budget: RefCell<Option<DailyBudget>>,
    /// The time for which this instance has set the alarm, in milliseconds since 1970.
    alarm_ms: Cell<Option<u64>>,
}

impl DurableObject for BudgetObject {
    fn new(state: State, env: Env) -> Self {
        Self {
            state,
            env,
            budget: RefCell::new(None),
            alarm_ms: Cell::new(None),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        // A Worker of another version may send calls that this version does not know.
        let Ok(call) = serde_json::from_str(&request.text().await?) else {
            return Response::error("no such call", 404);
        };
        let response = match self.answer(call) {
            Ok(response) => response,
            Err(failure) => failure.into_response()?,
        };
        self.set_alarm().await?;
        Ok(response)
    }

    /// Requests the accounts of the runs whose reservations are old.
    async fn alarm(&self) -> Result<Response> {
        self.alarm_ms.set(None);
        let due = self.stored()?.due(now_ms(), RUNS_ASKED_MAX);
        let asked = due.iter().map(|one| self.account_of(one));
        for (one, account) in due.iter().zip(join_all(asked).await) {
            self.change(|budget| budget.note_account(one, account, now_ms()))?;
        }
        self.set_alarm().await?;
        Response::empty()
    }
}

impl BudgetObject {
    fn answer(&self, call: BudgetCall) -> Result<Response, Failure> {
        match call {
            BudgetCall::Reserve(claim) => {
                let reserved = self.change(|budget| budget.reserve(&claim, now_ms()))?;
                replies::json(&match reserved {
                    Ok(number) => ReserveAnswer::Granted { number },
                    Err(refusal) => ReserveAnswer::Refused(refusal),
                })
            }
            BudgetCall::Settle(Settlement { run, spent }) => {
                self.change(|budget| budget.settle(&run, spent, now_ms()))?;
                Ok(Response::ok("settled")?)
            }
            BudgetCall::Release(Release { run, number }) => {
                self.change(|budget| budget.release(&run, number))?;
                Ok(Response::ok("released")?)
            }
            BudgetCall::Report => replies::json(&self.stored()?.report(now_ms())),
        }
    }

    /// Changes the budget and stores it. If it cannot be stored, the budget remains unchanged.
    fn change<T>(&self, change: impl FnOnce(&mut DailyBudget) -> T) -> Result<T> {
        let before = self.stored()?;
        let mut after = before.clone();
        let result = change(&mut after);
        if after != before {
            // If the write fails, it is unknown what is stored. So the cached budget is dropped before the write.
            self.budget.replace(None);
            json_table::put(&self.state.storage().sql(), BUDGET_NAME, &after)?;
            self.budget.replace(Some(after));
        }
        Ok(result)
    }

    fn stored(&self) -> Result<DailyBudget> {
        if let Some(budget) = self.budget.borrow().as_ref() {
            return Ok(budget.clone());
        }
        let stored = json_table::get::<DailyBudget>(&self.state.storage().sql(), BUDGET_NAME)?;
        let budget = stored.unwrap_or_default();
        self.budget.replace(Some(budget.clone()));
        Ok(budget)
    }

    /// Returns the account of a run from the run's object; `None` if the object does not answer.
    async fn account_of(&self, due: &DueReservation) -> Option<RunAccount> {
        let asked = async {
            let stub = bindings::object(&self.env, &due.run)?;
            let mut answer = post(&stub, &RunObjectCall::Account).await?;
            Ok((answer.status_code(), answer.text().await?))
        };
        let (status, text) = in_time(asked, ANSWER_MS_MAX).await.ok()?;
        (status == 200)
            .then(|| serde_json::from_str(&text).ok())
            .flatten()
    }

    /// Sets the alarm for the time when the next run's account must be requested, unless the alarm is set for then or
    /// earlier.
    async fn set_alarm(&self) -> Result<()> {
        let Some(due_ms) = self.stored()?.next_due_ms() else {
            return Ok(());
        };
        let now_ms = now_ms();
        let alarm_ms = due_ms.max(now_ms.saturating_add(PAUSE_MS));
        let is_set = |set_ms| set_ms > now_ms && set_ms <= alarm_ms;
        if self.alarm_ms.get().is_some_and(is_set) {
            return Ok(());
        }
        self.alarm_ms.set(Some(alarm_ms));
        let wait = Duration::from_millis(alarm_ms - now_ms);
        self.state.storage().set_alarm(wait).await
    }
}
