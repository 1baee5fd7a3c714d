//! How a run begins in its object: what it may spend is reserved, then its first entries are written
//! together with what is kept of its creator.

use std::cell::Cell;

use worker::{Env, Result, SqlStorage};

use crate::journal::{Engine, Entry};
use crate::session::{Amount, Claim, CreatorKey, Refusal, Starter};

use super::settling::Grant;
use super::{journal_table, json_table};

/// Under this name stands what tells a run's creator from others.
const CREATOR_NAME: &str = "creator";

/// What tells the creator of this object's run; none of a run of before.
pub(super) fn creator_key(sql: &SqlStorage) -> Result<Option<CreatorKey>> {
    json_table::get(sql, CREATOR_NAME)
}

/// Reserves the most that a run may spend; none where that is not known.
pub(super) async fn grant(
    env: &Env,
    run: &str,
    amount: Option<Amount>,
    starter: Starter,
) -> std::result::Result<Grant, Refusal> {
    // No such run begins: it is refused when it is made.
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
pub(super) struct RunBeginner {
    /// The last grant that was given back: it and those before it begin no run.
    released: Cell<u64>,
}

impl RunBeginner {
    /// Writes the run's first entries and its reservation in one step. False where the reservation
    /// may not hold any more: then nothing is written.
    pub(super) async fn begin<E: Engine>(
        &self,
        sql: &SqlStorage,
        env: &Env,
        grant: Option<&Grant>,
        creator: Option<&CreatorKey>,
        entries: impl Iterator<Item = Entry<E>>,
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
        if let (Err(_), Some(grant)) = (&begun, grant)
            && journal_table::entries(sql)?.is_empty()
        {
            self.released.set(grant.number.max(self.released.get()));
            grant.give_back(env).await;
        }
        begun.map(|()| true)
    }
}
