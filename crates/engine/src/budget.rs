//! The budget of the day. It limits what all runs of a UTC day may spend together, how many runs may be in progress,
//! and how fast one client may start runs.
//!
//! The most that a run may cost is reserved before the run begins, and what it did not spend is released when it
//! ends. So spent + reserved <= budget at every moment, and no call of a run with a reservation exceeds the budget. A
//! reservation is released as a whole only if the run's own object reports that the run does not exist. From then on,
//! that object begins the run only with a new reservation.

mod ledger;
#[cfg(test)]
mod tests;

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use domain::{CallPrices, Limits, PAGE_OPENINGS_MAX, Sha256Digest};
use settings::StartLimits;

use crate::Problem;

pub use ledger::{BudgetReport, DailyBudget, DueReservation, GRANT_MS_MAX, RunAccount};

/// The `Retry-After` for a user who waits for another run to end, in seconds. It is half the duration of a usual run.
const RUN_END_S: u64 = 30;
/// The `Retry-After` if the budget's object does not answer, in seconds.
const UNANSWERED_S: u64 = 5;
const NANO_USD_PER_MILLI_USD: u64 = 1_000_000;

/// The length of a client's digest, in characters.
const CLIENT_DIGEST_CHARS: usize = 16;

/// The calls of a run, where each attempt counts as one call, and their cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Amount {
    /// The number of search attempts.
    pub searches: u64,
    /// The number of recognition attempts.
    pub recognitions: u64,
    /// The cost in billionths of a dollar, including planner calls.
    pub nano_usd: u64,
}

impl Amount {
    /// Returns the most that a run with these limits may spend if each attempt costs at most `prices`.
    #[must_use]
    pub fn most_of(limits: &Limits, prices: CallPrices) -> Self {
        let cost = |attempts: u32, price: u64| u64::from(attempts).saturating_mul(price);
        let pages = if limits.captures_pages {
            PAGE_OPENINGS_MAX
        } else {
            0
        };
        let conversions = if limits.converts_photos {
            limits.recognitions_max
        } else {
            0
        };
        let calls = cost(limits.searches_max, prices.search_nano_usd_max)
            .saturating_add(cost(
                limits.recognitions_max,
                prices.recognition_nano_usd_max,
            ))
            .saturating_add(cost(limits.planner_calls_max, prices.planner_nano_usd_max))
            .saturating_add(cost(pages, prices.page_nano_usd_max))
            .saturating_add(cost(conversions, prices.conversion_nano_usd_max));
        Self {
            searches: u64::from(limits.searches_max),
            recognitions: u64::from(limits.recognitions_max),
            nano_usd: limits.nano_usd_max.map_or(calls, |most| most.min(calls)),
        }
    }

    /// Converts dollars to billionths of a dollar. A run costs at most 1e13 of these, so the conversion is exact
    /// enough.
    #[must_use]
    pub fn nano_usd_of(usd: f64) -> u64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let nano_usd = (usd.max(0.0) * 1e9).round() as u64;
        nano_usd
    }

    /// Returns the sum of both amounts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            searches: self.searches.saturating_add(other.searches),
            recognitions: self.recognitions.saturating_add(other.recognitions),
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
        }
    }
}

/// A call to the object that stores the budget of the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BudgetCall {
    /// Reserves the claim's amount. The answer is a [`ReserveAnswer`].
    Reserve(Claim),
    /// Records what an ended run has spent.
    Settle(Settlement),
    /// Releases a reservation whose run was not begun.
    Release(Release),
    /// Requests a [`BudgetReport`].
    Report,
}

/// A request for a reservation, made before the run begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The run's token.
    pub run: String,
    /// The [`client_digest`] of the client that starts the run.
    pub client: String,
    /// The most that the run may spend.
    pub amount: Amount,
    /// The limits that apply to starting the run.
    pub limits: StartLimits,
}

/// The answer to a [`Claim`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReserveAnswer {
    /// The amount is reserved under this number. Each claim gets a new number, even a repeated one.
    Granted {
        /// The number that a [`Release`] of this reservation must name.
        number: u64,
    },
    /// The amount is not reserved, for this reason.
    Refused(Refusal),
}

/// The total that an ended run has spent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    /// The run's token.
    pub run: String,
    /// The number and the cost of the run's calls, including calls whose answers were lost.
    pub spent: Amount,
}

/// Names a reservation that is to be released because its run was not begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The run's token.
    pub run: String,
    /// The number of the grant to release. If the run has a later grant, the reservation remains.
    pub number: u64,
}

/// A quantity of something that has a daily budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Quantity {
    /// A number of search attempts.
    Searches(u64),
    /// A number of recognition attempts.
    Recognitions(u64),
    /// An amount of money, in billionths of a dollar.
    NanoUsd(u64),
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Searches(1) => formatter.write_str("1 search"),
            Self::Searches(count) => write!(formatter, "{count} searches"),
            Self::Recognitions(1) => formatter.write_str("1 recognition"),
            Self::Recognitions(count) => write!(formatter, "{count} recognitions"),
            Self::NanoUsd(nano_usd) => {
                let milli_usd = nano_usd / NANO_USD_PER_MILLI_USD;
                write!(formatter, "${}.{:03}", milli_usd / 1_000, milli_usd % 1_000)
            }
        }
    }
}

impl Quantity {
    fn is_nothing(self) -> bool {
        matches!(
            self,
            Self::Searches(0) | Self::Recognitions(0) | Self::NanoUsd(0)
        )
    }
}

/// The reason why a claim is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Refusal {
    /// The run may spend more than the budget of a whole day.
    AboveDay {
        /// The amount that the run may spend.
        asked: Quantity,
        /// The budget of a day.
        budget: Quantity,
    },
    /// The run may spend more than the day has left. It would not fit even if runs in progress released their
    /// reservations.
    DaySpent {
        /// The amount that the run may spend.
        asked: Quantity,
        /// The amount that the day has left.
        left: Quantity,
        /// The seconds until the next day begins.
        retry_after_s: u64,
    },
    /// The day has enough left, but runs in progress have reserved too much of it. They may release some when they
    /// end.
    DayHeld,
    /// The limit on runs in progress is reached.
    LiveRuns {
        /// The most runs that may be in progress.
        runs_max: u64,
    },
    /// The client's limit on runs in progress is reached.
    LiveRunsOfClient {
        /// The most runs of one client that may be in progress.
        runs_max: u64,
    },
    /// The budget's object does not answer, so nothing can be reserved.
    Unanswered,
    /// The client's limit on starts within a minute is reached.
    StartsOfClient {
        /// The most runs that one client may start within a minute.
        starts_max: u64,
        /// The seconds until the client may start another run.
        retry_after_s: u64,
    },
}

impl Refusal {
    /// Returns the refusal for the user. It is a 403 if the run can never fit, and a 429 with `Retry-After` if it may
    /// fit later.
    #[must_use]
    pub fn problem(&self) -> Problem {
        match *self {
            Self::AboveDay { asked, budget } => Problem::new(
                403,
                format!(
                    "This run may take up to {asked}, and this server has {budget} for a whole \
                     day; ask for less."
                ),
            ),
            Self::DaySpent {
                left,
                retry_after_s,
                ..
            } if left.is_nothing() => Problem::too_many(
                "Today's budget of this server is used up; it is renewed at midnight UTC.",
                retry_after_s,
            ),
            Self::DaySpent {
                asked,
                left,
                retry_after_s,
            } => Problem::too_many(
                format!(
                    "Of today's budget of this server {left} are left, and this run may take \
                     {asked}; ask for less. The budget is renewed at midnight UTC."
                ),
                retry_after_s,
            ),
            Self::DayHeld => Problem::too_many(
                "What is left of today's budget of this server is held for runs under way, which \
                 give back what they do not need; try again soon, or ask for less.",
                RUN_END_S,
            ),
            Self::LiveRuns { runs_max } => Problem::too_many(
                format!(
                    "This server has as many runs under way as it may have, {runs_max}; try again \
                     when one of them has ended."
                ),
                RUN_END_S,
            ),
            Self::LiveRunsOfClient { runs_max } => Problem::too_many(
                format!(
                    "You have as many runs under way here as one visitor may have, {runs_max}; \
                     wait until one has ended, or stop it."
                ),
                RUN_END_S,
            ),
            Self::Unanswered => Problem::new(
                503,
                "This server's budget of the day can't be asked at the moment; try again.",
            )
            .after(UNANSWERED_S),
            Self::StartsOfClient {
                starts_max,
                retry_after_s,
            } => Problem::too_many(
                format!(
                    "You have started as many runs within a minute here as one visitor may, \
                     {starts_max}; wait a little."
                ),
                retry_after_s,
            ),
        }
    }
}

/// Returns a short digest of a client's address. It changes daily, and nothing else about the client is stored.
#[must_use]
pub fn client_digest(address: Option<&str>, now_ms: u64) -> String {
    let client = client_of(address);
    let day = ledger::day_of(now_ms);
    let digest = Sha256Digest::of(format!("client {day} {client}").as_bytes());
    digest.as_str().chars().take(CLIENT_DIGEST_CHARS).collect()
}

/// Returns the name of the client with this address in `CF-Connecting-IP`. All addresses of one IPv6 /64 (a
/// household) belong to one client, and so do all requests without an address.
#[must_use]
pub fn client_of(address: Option<&str>) -> String {
    match address.and_then(|address| address.trim().parse::<IpAddr>().ok()) {
        None => String::new(),
        Some(address) => match address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
    }
}
