//! The ledger of a day, which lists what runs have spent and what is reserved for runs in progress.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use settings::StartLimits;

use super::{Amount, Claim, Quantity, Refusal};

const DAY_MS: u64 = 86_400_000;
const MINUTE_MS: u64 = 60_000;
/// The time from a reservation until its run is first asked for its account, and from one such request to the next, in
/// milliseconds.
const ASK_AFTER_MS: u64 = 120_000;
/// The time within which a run must begin after its object requested the reservation, in milliseconds. It is shorter
/// than `ASK_AFTER_MS`, after which the reservation of a run that has not begun may be released.
pub const GRANT_MS_MAX: u64 = 60_000;
/// The time after which a run is asked again if its object did not answer, in milliseconds.
const ASK_AGAIN_MS: u64 = 60_000;
/// The most reservations and the most starts that are stored, however high the configured limits are.
const RESERVATIONS_MAX: usize = 500;
const STARTS_MAX: usize = 3_000;

/// The budget of a UTC day, as stored by its object.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DailyBudget {
    /// The day to which `spent` belongs, in days since 1970.
    day: u64,
    spent: Amount,
    last_number: u64,
    /// The reservations of runs in progress, by the run's token.
    reservations: BTreeMap<String, Reservation>,
    /// The starts of runs within the last minute, oldest first.
    starts: Vec<Start>,
}

impl DailyBudget {
    /// Reserves what a run may spend, and returns the number of the grant. A repeated claim does not reserve again,
    /// but it gets a new number.
    pub fn reserve(&mut self, claim: &Claim, now_ms: u64) -> Result<u64, Refusal> {
        self.begin_day(now_ms);
        if !self.reservations.contains_key(&claim.run) {
            self.check_day(claim, now_ms)?;
            self.check_counts(claim, now_ms)?;
            self.starts.push(Start {
                client: claim.client.clone(),
                at_ms: now_ms,
            });
        }
        self.last_number = self.last_number.saturating_add(1);
        let number = self.last_number;
        let ask_ms = now_ms.saturating_add(ASK_AFTER_MS);
        let day = self.day;
        let reservation = self
            .reservations
            .entry(claim.run.clone())
            .or_insert_with(|| Reservation {
                client: claim.client.clone(),
                amount: claim.amount,
                day,
                number,
                ask_ms,
            });
        reservation.number = number;
        reservation.ask_ms = ask_ms;
        Ok(number)
    }

    /// Records the total that an ended run has spent. Recording it again has no effect.
    pub fn settle(&mut self, run: &str, spent: Amount, now_ms: u64) {
        self.begin_day(now_ms);
        let Some(reservation) = self.reservations.remove(run) else {
            return;
        };
        // The amount counts towards the day of its reservation. If that day is over, the amount no longer matters.
        if reservation.day == self.day {
            self.spent = self.spent.plus(spent);
        }
    }

    /// Releases a reservation if `number` is the number of its latest grant. The run cannot begin with a released
    /// grant.
    pub fn release(&mut self, run: &str, number: u64) {
        let is_of_grant = |known: &Reservation| known.number == number;
        if self.reservations.get(run).is_some_and(is_of_grant) {
            self.reservations.remove(run);
        }
    }

    /// Returns the next time at which some run must be asked for its account, in milliseconds since 1970; `None` if
    /// nothing is reserved.
    #[must_use]
    pub fn next_due_ms(&self) -> Option<u64> {
        let times = self.reservations.values().map(|known| known.ask_ms);
        times.min()
    }

    /// Returns at most `runs_max` of the runs that must be asked for their accounts by now.
    #[must_use]
    pub fn due(&self, now_ms: u64, runs_max: usize) -> Vec<DueReservation> {
        let due = self
            .reservations
            .iter()
            .filter(|(_, known)| known.ask_ms <= now_ms)
            .map(|(run, known)| DueReservation {
                run: run.clone(),
                number: known.number,
            });
        due.take(runs_max).collect()
    }

    /// Records the account of a run that was asked for it. If `account` is `None`, the run did not answer, and its
    /// amount stays reserved.
    pub fn note_account(&mut self, due: &DueReservation, account: Option<RunAccount>, now_ms: u64) {
        self.begin_day(now_ms);
        match account {
            Some(RunAccount::Unknown) => self.release(&due.run, due.number),
            Some(RunAccount::Ended { spent }) => self.settle(&due.run, spent, now_ms),
            Some(RunAccount::GoesOn) => self.ask_later(due, now_ms, ASK_AFTER_MS),
            None => self.ask_later(due, now_ms, ASK_AGAIN_MS),
        }
    }

    fn ask_later(&mut self, due: &DueReservation, now_ms: u64, wait_ms: u64) {
        let known = self.reservations.get_mut(&due.run);
        if let Some(known) = known.filter(|known| known.number == due.number) {
            known.ask_ms = now_ms.saturating_add(wait_ms);
        }
    }

    /// Returns what is spent and reserved on the current day.
    #[must_use]
    pub fn report(&self, now_ms: u64) -> BudgetReport {
        let mut today = self.clone();
        today.begin_day(now_ms);
        BudgetReport {
            day: today.day,
            spent: today.spent,
            reserved: today.reserved(),
            live_runs: today.reservations.len() as u64,
        }
    }

    /// Begins a new day with its whole budget. If the clock steps back, the ledger does not return to the previous
    /// day.
    fn begin_day(&mut self, now_ms: u64) {
        let day = day_of(now_ms);
        if day > self.day {
            self.day = day;
            self.spent = Amount::default();
        }
        let is_recent = |start: &Start| start.at_ms.saturating_add(MINUTE_MS) > now_ms;
        self.starts.retain(is_recent);
    }

    fn reserved(&self) -> Amount {
        let of_day = self
            .reservations
            .values()
            .filter(|known| known.day == self.day);
        of_day.fold(Amount::default(), |sum, known| sum.plus(known.amount))
    }

    /// Checks whether the claim fits into what the day has left.
    fn check_day(&self, claim: &Claim, now_ms: u64) -> Result<(), Refusal> {
        let retry_after_s = (DAY_MS - now_ms % DAY_MS).div_ceil(1_000);
        let rows = rows(claim, self.spent, self.reserved());
        for row in &rows {
            if row.asked > row.budget {
                return Err(Refusal::AboveDay {
                    asked: (row.quantity)(row.asked),
                    budget: (row.quantity)(row.budget),
                });
            }
        }
        for row in &rows {
            let left = row.budget.saturating_sub(row.spent);
            if row.asked > left {
                return Err(Refusal::DaySpent {
                    asked: (row.quantity)(row.asked),
                    left: (row.quantity)(left),
                    retry_after_s,
                });
            }
        }
        let fits = |row: &Row| {
            let left = row.budget.saturating_sub(row.spent);
            row.asked <= left.saturating_sub(row.reserved)
        };
        if rows.iter().all(fits) {
            Ok(())
        } else {
            Err(Refusal::DayHeld)
        }
    }

    /// Checks the limits on runs in progress and on starts within a minute.
    fn check_counts(&self, claim: &Claim, now_ms: u64) -> Result<(), Refusal> {
        let StartLimits {
            live_runs_max,
            live_runs_per_client_max,
            starts_per_minute_max,
            ..
        } = claim.limits;
        let mut own_starts = self.starts.iter();
        let first = own_starts.find(|start| start.client == claim.client);
        let others = own_starts.filter(|start| start.client == claim.client);
        let own_starts = first.map_or(0, |_| 1 + others.count() as u64);
        let is_too_fast = starts_per_minute_max.is_some_and(|most| own_starts >= most);
        if is_too_fast || self.starts.len() >= STARTS_MAX {
            let next_ms = first
                .map_or(now_ms, |start| start.at_ms)
                .saturating_add(MINUTE_MS);
            return Err(Refusal::StartsOfClient {
                starts_max: starts_per_minute_max.unwrap_or(own_starts),
                retry_after_s: next_ms.saturating_sub(now_ms).div_ceil(1_000).max(1),
            });
        }
        let is_own = |known: &&Reservation| known.client == claim.client;
        let own_runs = self.reservations.values().filter(is_own).count() as u64;
        if let Some(runs_max) = live_runs_per_client_max.filter(|most| own_runs >= *most) {
            return Err(Refusal::LiveRunsOfClient { runs_max });
        }
        let runs_max = live_runs_max
            .unwrap_or(u64::MAX)
            .min(RESERVATIONS_MAX as u64);
        if self.reservations.len() as u64 >= runs_max {
            return Err(Refusal::LiveRuns { runs_max });
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reservation {
    client: String,
    amount: Amount,
    day: u64,
    number: u64,
    ask_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Start {
    client: String,
    at_ms: u64,
}

/// The state of a run, as reported by its own object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunAccount {
    /// The run does not exist, and its object does not begin it without a new reservation.
    Unknown,
    /// The run is in progress and may still spend.
    GoesOn,
    /// The run has ended and spends nothing more.
    Ended {
        /// The total that the run has spent.
        spent: Amount,
    },
}

/// A run that must be asked for its account now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReservation {
    /// The run's token.
    pub run: String,
    /// The number of the reservation's latest grant at the time when the run is asked.
    pub number: u64,
}

/// The report of a day for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetReport {
    /// The day of the report, in days since 1970.
    pub day: u64,
    /// The amount that ended runs have spent on this day.
    pub spent: Amount,
    /// The amount that is reserved for runs in progress whose reservations were made on this day.
    pub reserved: Amount,
    /// The number of runs in progress, including those that began on the previous day.
    pub live_runs: u64,
}

/// Returns the UTC day of a time, in days since 1970.
pub(super) fn day_of(now_ms: u64) -> u64 {
    now_ms / DAY_MS
}

/// A quantity that has a daily budget, with its current amounts.
struct Row {
    quantity: fn(u64) -> Quantity,
    asked: u64,
    budget: u64,
    spent: u64,
    reserved: u64,
}

/// Returns a row for each quantity that has a daily budget.
fn rows(claim: &Claim, spent: Amount, reserved: Amount) -> Vec<Row> {
    let Claim { amount, limits, .. } = claim;
    let row = |quantity, budget: Option<u64>, of: fn(&Amount) -> u64| {
        Some(Row {
            quantity,
            asked: of(amount),
            budget: budget?,
            spent: of(&spent),
            reserved: of(&reserved),
        })
    };
    [
        row(Quantity::Searches, limits.daily_searches_max, |one| {
            one.searches
        }),
        row(
            Quantity::Recognitions,
            limits.daily_recognitions_max,
            |one| one.recognitions,
        ),
        row(Quantity::NanoUsd, limits.daily_nano_usd_max, |one| {
            one.nano_usd
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}
