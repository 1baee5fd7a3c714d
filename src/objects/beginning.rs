//! How a run begins in its object: its reservation, its idempotency key, and what is stored with it.

use std::cell::Cell;

use engine::budget::{Amount, Claim, Refusal};
use worker::{Env, Result, SqlStorage};

use crate::auth::{CreatorKey, KeyClaim};
use crate::run_object::Starter;
use crate::storage::{journal_table, json_table};

use super::alarm::Grant;
use super::client;

/// The name under which the creator's key is stored.
const CREATOR_NAME: &str = "creator";
/// The name under which the digest of the run's idempotency key is stored.
const CLAIMED_KEY_NAME: &str = "claimedKey";

/// Returns the creator's key of this object's run, or `None` if an earlier version began it.
pub(crate) fn creator_key(sql: &SqlStorage) -> Result<Option<CreatorKey>> {
    json_table::get(sql, CREATOR_NAME)
}

/// Returns the digest of the idempotency key that this object's run has claimed.
pub(crate) fn claimed_key(sql: &SqlStorage) -> Result<Option<String>> {
    json_table::get(sql, CLAIMED_KEY_NAME)
}

/// Claims the run's idempotency key until the run expires, if the run has a key. Returns `false` if another run holds
/// the key.
pub(crate) async fn claim_key(env: &Env, key: Option<&KeyClaim>, expires_ms: u64) -> Result<bool> {
    match key {
        Some(claim) => client::claim_key(env, claim, expires_ms).await,
        None => Ok(true),
    }
}

/// Stores the claimed idempotency key, so that deleting the run releases it.
pub(crate) fn keep_claimed_key(sql: &SqlStorage, key: &str) -> Result<()> {
    json_table::put(sql, CLAIMED_KEY_NAME, &key)
}

/// Reserves the most that a run may spend. Refuses if that amount is unknown.
pub(crate) async fn grant(
    env: &Env,
    run: &str,
    amount: Option<Amount>,
    starter: Starter,
) -> std::result::Result<Grant, Refusal> {
    // A run of unknown cost is normally refused earlier. Here it must not begin either.
    let amount = amount.ok_or(Refusal::Unanswered)?;
    let claim = Claim {
        run: run.to_owned(),
        client: starter.client,
        amount,
        limits: starter.limits,
    };
    Grant::of(env, &claim).await
}

/// Begins the run of an object, at most once.
#[derive(Default)]
pub(crate) struct RunBeginner {
    /// The number of the last grant that was released. Grants up to this number can no longer begin the run.
    released: Cell<u64>,
}

impl RunBeginner {
    /// Writes the run's first entries and its reservation in one transaction. Returns `false` and writes nothing if the
    /// reservation may have lapsed.
    pub(crate) async fn begin(
        &self,
        sql: &SqlStorage,
        env: &Env,
        grant: Option<&Grant>,
        creator: Option<&CreatorKey>,
        entries: &[String],
    ) -> Result<bool> {
        if grant.is_some_and(|grant| !grant.is_fresh() || grant.number <= self.released.get()) {
            return Ok(false);
        }
        let kept = grant.map_or(Ok(()), |grant| grant.keep(sql));
        let kept = kept.and_then(|()| match creator {
            Some(creator) => json_table::put(sql, CREATOR_NAME, creator),
            None => Ok(()),
        });
        let begun = kept.and_then(|()| journal_table::begin(sql, entries));
        if begun.is_err() {
            self.give_back(sql, env, grant).await?;
        }
        begun.map(|()| true)
    }

    /// Releases an unused grant, unless another request has begun the run.
    pub(crate) async fn give_back(
        &self,
        sql: &SqlStorage,
        env: &Env,
        grant: Option<&Grant>,
    ) -> Result<()> {
        if let Some(grant) = grant
            && journal_table::first(sql)?.is_none()
        {
            self.released.set(grant.number.max(self.released.get()));
            grant.give_back(env).await;
        }
        Ok(())
    }
}

/// The name under which the run's starter is stored.
const STARTER_NAME: &str = "starter";

/// Stores who started the run. Its child runs count as started by the same client.
pub(crate) fn keep_starter(sql: &SqlStorage, starter: &Starter) -> Result<()> {
    json_table::put(sql, STARTER_NAME, starter)
}

/// Returns who started the run of this object.
pub(crate) fn starter(sql: &SqlStorage) -> Result<Option<Starter>> {
    json_table::get(sql, STARTER_NAME)
}
