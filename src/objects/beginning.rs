//! How a run begins in its object: who may, by the budget and its key, and what is kept of that.

use std::cell::Cell;

use engine::budget::{Amount, Claim, Refusal};
use worker::{Env, Result, SqlStorage};

use crate::auth::{CreatorKey, KeyClaim};
use crate::run_object::Starter;
use crate::storage::{journal_table, json_table};

use super::alarm::Grant;
use super::client;

/// The name under which is stored what tells a run's creator from others.
const CREATOR_NAME: &str = "creator";
/// The name under which the digest of the run's idempotency key is stored.
const CLAIMED_KEY_NAME: &str = "claimedKey";

/// Returns what tells the creator of this object's run from others, or `None` for a run that an
/// earlier Worker began.
pub(crate) fn creator_key(sql: &SqlStorage) -> Result<Option<CreatorKey>> {
    json_table::get(sql, CREATOR_NAME)
}

/// Returns the digest of the idempotency key that this object's run has taken.
pub(crate) fn claimed_key(sql: &SqlStorage) -> Result<Option<String>> {
    json_table::get(sql, CLAIMED_KEY_NAME)
}

/// Takes the run's idempotency key, where it has one, until the run expires. Returns `false` where
/// another run has the key.
pub(crate) async fn claim_key(env: &Env, key: Option<&KeyClaim>, expires_ms: u64) -> Result<bool> {
    match key {
        Some(claim) => client::claim_key(env, claim, expires_ms).await,
        None => Ok(true),
    }
}

/// Keeps which idempotency key the run has taken: the key is dropped with the run.
pub(crate) fn keep_claimed_key(sql: &SqlStorage, key: &str) -> Result<()> {
    json_table::put(sql, CLAIMED_KEY_NAME, &key)
}

/// Reserves the most that a run may spend, and refuses where that is not known.
pub(crate) async fn grant(
    env: &Env,
    run: &str,
    amount: Option<Amount>,
    starter: Starter,
) -> std::result::Result<Grant, Refusal> {
    // A run whose amount is not known does not begin: it is refused when it is made.
    let amount = amount.ok_or(Refusal::Unanswered)?;
    let claim = Claim {
        run: run.to_owned(),
        client: starter.client,
        amount,
        limits: starter.limits,
    };
    Grant::of(env, &claim).await
}

/// Begins the run of one object, once.
#[derive(Default)]
pub(crate) struct RunBeginner {
    /// The number of the last grant that was given back. It and those before it begin no run.
    released: Cell<u64>,
}

impl RunBeginner {
    /// Writes the run's first entries and its reservation in one step. Returns `false` and writes
    /// nothing where the reservation may not hold any more.
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

    /// Gives back a grant with which no run is begun, unless another request has begun the run.
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

/// The name under which is stored who started a run.
const STARTER_NAME: &str = "starter";

/// Keeps who started a run: the runs that it begins have the same starter.
pub(crate) fn keep_starter(sql: &SqlStorage, starter: &Starter) -> Result<()> {
    json_table::put(sql, STARTER_NAME, starter)
}

/// Returns who started the run of this object.
pub(crate) fn starter(sql: &SqlStorage) -> Result<Option<Starter>> {
    json_table::get(sql, STARTER_NAME)
}
