//! Calls the object that keeps the budget of the day.

use std::pin::pin;

use futures::future::{Either, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Env, Error, Method, Request, RequestInit, Response, Result};

use engine::budget::{BudgetCall, Claim, Release, ReserveAnswer, Settlement};

use super::clock::sleep;
use super::environment;

/// The time that a call may take at most. It is far shorter than the time for which a reservation
/// is kept without a run.
const CALL_MS_MAX: u64 = 10_000;

/// Reserves what a run may spend, or returns why it is refused.
pub(super) async fn reserve(env: &Env, claim: &Claim) -> Result<ReserveAnswer> {
    read(call(env, BudgetCall::Reserve, claim).await?).await
}

/// Notes what a run has spent in all.
pub(super) async fn settle(env: &Env, settlement: &Settlement) -> Result<()> {
    done(&call(env, BudgetCall::Settle, settlement).await?)
}

/// Gives back what was reserved for a run that was not begun.
pub(super) async fn release(env: &Env, release: &Release) -> Result<()> {
    done(&call(env, BudgetCall::Release, release).await?)
}

/// Returns what is spent and reserved: a [`engine::budget::BudgetReport`] as the operator is told
/// it.
pub(super) async fn report(env: &Env) -> Result<serde_json::Value> {
    read(call(env, BudgetCall::Report, &()).await?).await
}

async fn call<T: Serialize>(env: &Env, call: BudgetCall, body: &T) -> Result<Response> {
    let stub = environment::budget_object(env)?;
    let mut init = RequestInit::new();
    let body = serde_json::to_string(body)?;
    init.with_method(Method::Post).with_body(Some(body.into()));
    let request = Request::new_with_init(&call.address(), &init)?;
    in_time(stub.fetch_with_request(request), CALL_MS_MAX).await
}

/// Returns what a future gives, or an error where it takes longer than `ms`.
pub(super) async fn in_time<T>(future: impl Future<Output = Result<T>>, ms: u64) -> Result<T> {
    match select(pin!(future), pin!(sleep(ms))).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(Error::RustError("no answer in time".into())),
    }
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
