//! The part that a run's object has in the budget of the day: it keeps how much is reserved for its
//! run, and tells what was spent.

use worker::{Env, Result, SqlStorage};

use engine::budget::{Claim, GRANT_MS_MAX, Refusal, Release, ReserveAnswer, Settlement};

use crate::engines::{EngineName, with_engine};
use crate::run_object::{HeldBudget, spent_of};

use super::clock::now_ms;
use super::{budget, event_table, journal_table, json_table};

/// The name under which is stored what is reserved for the run.
const HELD_NAME: &str = "budget";

/// A reservation that a run may be begun with.
pub(super) struct Grant {
    /// The part of the reservation that is kept with the run.
    pub(super) held: HeldBudget,
    /// The number under which the reservation is given back.
    pub(super) number: u64,
    asked_ms: u64,
}

impl Grant {
    /// Reserves what a run may spend.
    pub(super) async fn of(env: &Env, claim: &Claim) -> std::result::Result<Self, Refusal> {
        let asked_ms = now_ms();
        match budget::reserve(env, claim).await {
            Ok(ReserveAnswer::Granted { number }) => Ok(Self {
                held: HeldBudget::new(&claim.run, claim.amount),
                number,
                asked_ms,
            }),
            Ok(ReserveAnswer::Refused(refusal)) => Err(refusal),
            // Where it cannot be known what is left, nothing is spent.
            Err(error) => {
                worker::console_error!("the budget of the day does not answer: {error}");
                Err(Refusal::Unanswered)
            }
        }
    }

    /// Returns whether the grant cannot have been given back yet.
    pub(super) fn is_fresh(&self) -> bool {
        now_ms().saturating_sub(self.asked_ms) <= GRANT_MS_MAX
    }

    /// Keeps the reservation with the run that is begun in the same moment.
    pub(super) fn keep(&self, sql: &SqlStorage) -> Result<()> {
        json_table::put(sql, HELD_NAME, &self.held)
    }

    /// Gives the reservation back, since no run was begun. Where that fails, the budget asks by
    /// itself, later.
    pub(super) async fn give_back(&self, env: &Env) {
        let release = Release {
            run: self.held.run().to_owned(),
            number: self.number,
        };
        if let Err(error) = budget::release(env, &release).await {
            worker::console_warn!("a reservation could not be given back yet: {error}");
        }
    }
}

/// Returns what a run has spent that spends nothing any more, or `None` where nothing is reserved
/// for it.
pub(super) fn spent(sql: &SqlStorage) -> Result<Option<Settlement>> {
    let Some(held) = json_table::get::<HeldBudget>(sql, HELD_NAME)? else {
        return Ok(None);
    };
    let entries = journal_table::entries(sql)?;
    let last_event = event_table::last(sql)?;
    let first = entries.first();
    let engine = first.and_then(|first| EngineName::of_first_entry(first));
    let last_event = last_event.as_deref();
    // An order that nobody can read is taken as the first engine's: its last event may tell all the same.
    let engine = engine.or_else(|| EngineName::by_body().last());
    let spent = match engine {
        Some(engine) => {
            with_engine!(engine, E => spent_of::<E>(&entries, last_event, held.amount()))
        }
        None => held.amount(),
    };
    Ok(Some(Settlement {
        run: held.run().to_owned(),
        spent,
    }))
}

/// Tells the budget what the run has spent, once. Returns `false` where that has to be tried again.
pub(super) async fn settle(sql: &SqlStorage, env: &Env) -> Result<bool> {
    let Some(held) = json_table::get::<HeldBudget>(sql, HELD_NAME)? else {
        return Ok(true);
    };
    if held.is_settled() {
        return Ok(true);
    }
    let Some(settlement) = spent(sql)? else {
        return Ok(true);
    };
    if let Err(error) = budget::settle(env, &settlement).await {
        worker::console_error!("what a run has spent could not be told yet: {error}");
        return Ok(false);
    }
    json_table::put(sql, HELD_NAME, &held.settled())?;
    Ok(true)
}
