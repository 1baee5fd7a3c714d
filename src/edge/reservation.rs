//! What the object of an idempotency key keeps: which run the key stands for.

use std::time::Duration;

use worker::{Env, Response, Result, State};

use crate::session::Reservation;

use super::environment::settings;
use super::{json_table, replies};

/// Under this name stands an idempotency key's run.
const RESERVATION_NAME: &str = "reservation";

/// The run of an idempotency key: the first one wanted, for all who ask later.
pub(super) async fn reserve(state: &State, env: &Env, wanted: Reservation) -> Result<Response> {
    let storage = state.storage();
    let known = json_table::get::<Reservation>(&storage.sql(), RESERVATION_NAME)?;
    let reserved = known.as_ref().unwrap_or(&wanted);
    if known.is_none() {
        json_table::put(&storage.sql(), RESERVATION_NAME, reserved)?;
    }
    // Also where an earlier request could not set it: the key shall not stay for ever.
    if storage.get_alarm().await?.is_none() {
        let time_to_live_ms = settings(env).time_to_live_s.saturating_mul(1_000);
        storage
            .set_alarm(Duration::from_millis(time_to_live_ms))
            .await?;
    }
    replies::json(reserved)
}
