//! The reasons why a run may not begin, and what its user is told.

use serde::{Deserialize, Serialize};

use crate::Problem;

/// A quantity of one thing that a day has a budget of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Quantity {
    /// Attempts of searches.
    Searches(u64),
    /// Attempts of recognitions.
    Recognitions(u64),
    /// Billionths of a dollar.
    NanoUsd(u64),
}

/// The reason why no reservation is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Refusal {
    /// The run may take more than a whole day's budget.
    AboveDay {
        /// The amount that the run may take.
        asked: Quantity,
        /// The amount that a day has.
        budget: Quantity,
    },
    /// The day has less left than the run may take, whatever is given back.
    DaySpent {
        /// The amount that the run may take.
        asked: Quantity,
        /// The amount that the day has left.
        left: Quantity,
        /// Seconds until the next day.
        retry_after_s: u64,
    },
    /// What is left is held for runs under way, which may give some of it back.
    DayHeld,
    /// As many runs are under way as there may be.
    LiveRuns {
        /// The number of runs that may be under way.
        runs_max: u64,
    },
    /// The client has as many runs under way as one may have.
    LiveRunsOfClient {
        /// The number of runs that one client may have under way.
        runs_max: u64,
    },
    /// The budget cannot be asked, or took too long to answer.
    Unanswered,
    /// The client has started as many runs within a minute as one may.
    StartsOfClient {
        /// The number of runs that one client may start within a minute.
        starts_max: u64,
        /// The seconds until one more may be started.
        retry_after_s: u64,
    },
}

/// The seconds after which a user may come back who waits for a run to end: half a usual run.
const RUN_END_S: u64 = 30;
/// The seconds after which a user may come back where the budget does not answer.
const UNANSWERED_S: u64 = 5;
const NANO_USD_PER_MILLI_USD: u64 = 1_000_000;

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

impl Refusal {
    /// Returns what the user is told: 403 where the run never fits, 429 with `Retry-After` where it
    /// may fit later.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(refusal: Refusal, status: u16, retry_after_s: Option<u64>, words: &str) {
        let problem = refusal.problem();
        assert_eq!(problem.status(), status);
        let seconds = retry_after_s.map(|seconds| seconds.to_string());
        let header = seconds.as_deref().map(|seconds| ("retry-after", seconds));
        assert_eq!(problem.header(), header);
        assert!(problem.detail().contains(words), "{}", problem.detail());
        let json = serde_json::to_string(&refusal).unwrap();
        assert_eq!(serde_json::from_str::<Refusal>(&json).unwrap(), refusal);
    }

    #[test]
    fn each_refusal_says_why_and_when_to_come_back() {
        let (asked, budget) = (Quantity::Searches(20), Quantity::Searches(1));
        check(Refusal::AboveDay { asked, budget }, 403, None, "1 search");
        let spent = |left| Refusal::DaySpent {
            asked: Quantity::NanoUsd(290_000_000),
            left: Quantity::NanoUsd(left),
            retry_after_s: 77,
        };
        check(
            spent(0),
            429,
            Some(77),
            "used up; it is renewed at midnight",
        );
        check(spent(10_000_000), 429, Some(77), "$0.010 are left");
        check(Refusal::DayHeld, 429, Some(30), "held for runs under way");
        check(
            Refusal::LiveRuns { runs_max: 10 },
            429,
            Some(30),
            "it may have, 10;",
        );
        let own = Refusal::LiveRunsOfClient { runs_max: 2 };
        check(own, 429, Some(30), "one visitor may have, 2;");
        check(Refusal::Unanswered, 503, Some(5), "try again");
        let fast = Refusal::StartsOfClient {
            starts_max: 6,
            retry_after_s: 9,
        };
        check(fast, 429, Some(9), "one visitor may, 6;");
    }
}
