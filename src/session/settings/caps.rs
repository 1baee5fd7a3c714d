//! What the operator lets one run ask for.

use crate::domain::Limits;

/// The largest budgets that a run may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// Of attempts of searches.
    pub searches_max: u32,
    /// Of attempts of recognitions.
    pub recognitions_max: u32,
    /// Of attempts of planner calls.
    pub planner_calls_max: u32,
    /// Of time, in milliseconds.
    pub runtime_ms_max: u64,
    /// Of money, in billionths of a dollar; none for no cap.
    pub nano_usd_max: Option<u64>,
    /// Whether the operator's token lifts them.
    pub are_lifted_by_token: bool,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            searches_max: 50,
            recognitions_max: 250,
            planner_calls_max: 24,
            runtime_ms_max: 300_000,
            nano_usd_max: None,
            are_lifted_by_token: false,
        }
    }
}

impl Caps {
    /// No more than the default budgets.
    #[must_use]
    pub(super) fn for_strangers(&self) -> Self {
        let limits = self.default_limits();
        Self {
            searches_max: limits.searches_max,
            recognitions_max: limits.recognitions_max,
            planner_calls_max: limits.planner_calls_max,
            runtime_ms_max: limits.runtime_ms_max,
            nano_usd_max: self.nano_usd_max,
            are_lifted_by_token: true,
        }
    }

    /// The specification's budgets, or the caps where they are lower.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        let limits = Limits::default();
        Limits {
            searches_max: limits.searches_max.min(self.searches_max),
            recognitions_max: limits.recognitions_max.min(self.recognitions_max),
            planner_calls_max: limits.planner_calls_max.min(self.planner_calls_max),
            runtime_ms_max: limits.runtime_ms_max.min(self.runtime_ms_max),
            nano_usd_max: self.nano_usd_max,
            ..limits
        }
    }
}
