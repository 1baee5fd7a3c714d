//! The stored forms of the loop's settings and of the run's limits.

use serde::{Deserialize, Serialize};

use engine::{optional_whole_number, whole_number};

use crate::machine::{Limits, Settings};

/// The most looks, actions, questions and notices of a stored order, so that executing a file which anybody
/// may have written ends soon.
const COUNT_MAX: u32 = 100_000;
/// The most states that models make in one run.
const STATES_MADE_MAX: u32 = 1_000;

/// The most milliseconds of a timeout on either side of 0: further no number in JSON is exact.
const TIMEOUT_MS_MAX: u64 = 9_007_199_254_740_992;

/// The stored form of [`Settings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SettingsForm {
    #[serde(deserialize_with = "whole_number")]
    transition_period_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    action_period_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    recursion_limit: u32,
    allow_multiple_states: bool,
    #[serde(deserialize_with = "whole_number")]
    state_timeout_ms: i64,
    #[serde(deserialize_with = "whole_number")]
    no_states_timeout_ms: i64,
}

impl SettingsForm {
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            transition_period_ms: settings.transition_period_ms,
            action_period_ms: settings.action_period_ms,
            recursion_limit: settings.recursion_limit,
            allow_multiple_states: settings.allows_multiple_states,
            state_timeout_ms: settings.state_timeout_ms,
            no_states_timeout_ms: settings.no_states_timeout_ms,
        }
    }

    /// Returns whether each timeout is a number that was written as it is read.
    pub(super) fn is_sound(&self) -> bool {
        let timeouts = [self.state_timeout_ms, self.no_states_timeout_ms];
        timeouts
            .into_iter()
            .all(|ms| ms.unsigned_abs() <= TIMEOUT_MS_MAX)
    }

    pub(super) fn read(&self) -> Settings {
        Settings {
            transition_period_ms: self.transition_period_ms,
            action_period_ms: self.action_period_ms,
            recursion_limit: self.recursion_limit,
            allows_multiple_states: self.allow_multiple_states,
            state_timeout_ms: self.state_timeout_ms,
            no_states_timeout_ms: self.no_states_timeout_ms,
        }
    }
}

/// The stored form of [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LimitsForm {
    #[serde(deserialize_with = "whole_number")]
    actions: u32,
    #[serde(deserialize_with = "whole_number")]
    looks: u32,
    #[serde(deserialize_with = "whole_number")]
    asks: u32,
    #[serde(deserialize_with = "whole_number")]
    states_made: u32,
    #[serde(deserialize_with = "whole_number")]
    pub(super) runtime_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    call_ms: u64,
    #[serde(
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) nano_usd_max: Option<u64>,
    #[serde(deserialize_with = "whole_number")]
    second_nano_usd: u64,
    #[serde(deserialize_with = "whole_number")]
    ask_nano_usd: u64,
    #[serde(deserialize_with = "whole_number")]
    notices: u32,
}

impl LimitsForm {
    pub(super) fn of(limits: &Limits) -> Self {
        Self {
            actions: limits.actions_max,
            looks: limits.looks_max,
            asks: limits.asks_max,
            states_made: limits.states_made_max,
            runtime_ms: limits.runtime_ms_max,
            call_ms: limits.call_ms_max,
            nano_usd_max: limits.nano_usd_max,
            second_nano_usd: limits.second_nano_usd_max,
            ask_nano_usd: limits.ask_nano_usd_max,
            notices: limits.notices_max,
        }
    }

    /// Returns whether a run of these limits ends soon.
    pub(super) fn is_sound(&self) -> bool {
        let counts = [self.actions, self.looks, self.asks, self.notices];
        counts.into_iter().all(|count| count <= COUNT_MAX) && self.states_made <= STATES_MADE_MAX
    }

    pub(super) fn read(&self) -> Limits {
        Limits {
            actions_max: self.actions,
            looks_max: self.looks,
            asks_max: self.asks,
            states_made_max: self.states_made,
            runtime_ms_max: self.runtime_ms,
            call_ms_max: self.call_ms,
            nano_usd_max: self.nano_usd_max,
            second_nano_usd_max: self.second_nano_usd,
            ask_nano_usd_max: self.ask_nano_usd,
            notices_max: self.notices,
        }
    }
}
