//! The part of the objects' class that serves an idempotency key.

use std::cell::RefCell;
use std::time::Duration;

use worker::{Response, SqlStorage, State};

use crate::auth::{KeyAnswer, KeyRecord, KeyUse};
use crate::storage::json_table;
use crate::transport::bindings::now_ms;
use crate::transport::failure::Result;
use crate::transport::replies;

/// The name under which the object stores what the key is used for.
const KEY_NAME: &str = "idempotencyKey";

/// Serves an idempotency key in the key's object.
#[derive(Default)]
pub(crate) struct KeyHolder {
    /// The intended use of the key. It is only in memory, so that a refused start leaves nothing in storage.
    wanted: RefCell<Option<KeyUse>>,
}

impl KeyHolder {
    /// Responds with the key's stored use or, if there is none, its intended use, so that concurrent requests get the
    /// same run. Stores nothing.
    pub(crate) fn find(&self, sql: &SqlStorage, wanted: KeyUse) -> Result<Response> {
        if let Some(kept) = json_table::get::<KeyRecord>(sql, KEY_NAME)? {
            return replies::json(&kept.answer());
        }
        let mut held = self.wanted.borrow_mut();
        let found = match held.take().filter(|held| held.asks_the_same(&wanted)) {
            Some(held) => held,
            None => wanted,
        };
        *held = Some(found.clone());
        replies::json(&KeyAnswer::Use(found))
    }
}

/// Stores the key's use unless the key is taken, and sets the alarm for the run's expiry.
pub(crate) async fn claim(state: &State, claim: KeyRecord) -> Result<Response> {
    let storage = state.storage();
    let sql = storage.sql();
    let kept = json_table::get::<KeyRecord>(&sql, KEY_NAME)?;
    let claimed = KeyRecord::claimed(kept, claim);
    json_table::put(&sql, KEY_NAME, &claimed)?;
    let left_ms = claimed.expires_ms().saturating_sub(now_ms());
    storage.set_alarm(Duration::from_millis(left_ms)).await?;
    replies::json(&claimed.answer())
}

/// Drops what the key was used for, but keeps the fact that it was used.
pub(crate) fn drop_use(sql: &SqlStorage) -> Result<Response> {
    if let Some(kept) = json_table::get::<KeyRecord>(sql, KEY_NAME)? {
        json_table::put(sql, KEY_NAME, &kept.dropped())?;
    }
    Ok(Response::empty()?)
}
