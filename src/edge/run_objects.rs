//! Calls the objects of runs and of idempotency keys.

use serde::Serialize;
use worker::{Env, Method, Request, RequestInit, Response, Result, Stub};

use crate::journal::Engine;
use crate::session::{
    CreateAnswer, Creation, LiveRunCall, Problem, Reservation, RunObjectCall, RunToken,
};

use super::environment;

/// Calls the object of a run that is there; 410 where it knows that it was, else 404.
pub(super) async fn call(env: &Env, run: &RunToken, call: LiveRunCall) -> Result<Response> {
    let stub = environment::object(env, &run.to_string())?;
    stub.fetch_with_str(&RunObjectCall::Live(call).address())
        .await
}

/// Begins a run, or finds it begun; or says why not.
pub(super) async fn create<E: Engine>(
    env: &Env,
    run: &RunToken,
    creation: &Creation<E>,
) -> Result<std::result::Result<(), Problem>> {
    let stub = environment::object(env, &run.to_string())?;
    let mut created = post(&stub, RunObjectCall::Create, creation).await?;
    if created.status_code() != 200 {
        let detail = "The run could not be started; try again.";
        return Ok(Err(Problem::new(500, detail)));
    }
    let answer: CreateAnswer = serde_json::from_str(&created.text().await?)?;
    Ok(match answer {
        CreateAnswer::Begun => Ok(()),
        CreateAnswer::Deleted => Err(Problem::new(
            409,
            "This Idempotency-Key started a run that was deleted; use a new key.",
        )),
        CreateAnswer::Refused(refusal) => Err(refusal.problem()),
    })
}

/// The run of the idempotency key of this digest: the one wanted, or the first one that was.
pub(super) async fn reserve(
    env: &Env,
    key_digest: &str,
    wanted: &Reservation,
) -> Result<Reservation> {
    let stub = environment::object(env, &format!("key:{key_digest}"))?;
    let mut reserved = post(&stub, RunObjectCall::Reserve, wanted).await?;
    Ok(serde_json::from_str(&reserved.text().await?)?)
}

async fn post<T: Serialize>(stub: &Stub, call: RunObjectCall, body: &T) -> Result<Response> {
    let mut init = RequestInit::new();
    let body = serde_json::to_string(body)?;
    init.with_method(Method::Post).with_body(Some(body.into()));
    let request = Request::new_with_init(&call.address(), &init)?;
    stub.fetch_with_request(request).await
}
