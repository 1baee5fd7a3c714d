//! The options of an automaton's run.

use serde_json::{Map, Value};

use engine::Problem;
use engine::values::{NumberForm, nano_usd, saturated, whole};
use settings::Caps;

use crate::machine::{Limits, OnUnknown, Settings};

/// The most actions, looks, questions to models and states that models make, of one run.
const ACTIONS_MAX: u64 = 5_000;
const LOOKS_MAX: u64 = 20_000;
const ASKS_MAX: u64 = 300;
const STATES_MADE_MAX: u64 = 50;
/// The most states that one run executes.
const RECURSION_MAX: u64 = 10_000;
/// The longest time of a run, in milliseconds: the platform ends what conducts a run after fifteen minutes.
const RUNTIME_MS_MAX: u64 = 840_000;
pub(super) const RUNTIME_MS_MIN: u64 = 1_000;

/// The options of an automaton's run: what it may do, and how its automaton is read.
#[derive(Debug, Clone)]
pub(super) struct AutomatonOptions {
    pub(super) settings: Settings,
    pub(super) on_unknown: OnUnknown,
    pub(super) regenerates: bool,
    pub(super) keeps_pictures: bool,
    pub(super) limits: Limits,
}

impl AutomatonOptions {
    /// Returns the options of a run that says nothing.
    pub(super) fn default_within(caps: &Caps, has_prompts: bool) -> Self {
        Self {
            settings: default_settings(has_prompts),
            on_unknown: OnUnknown::default(),
            regenerates: false,
            keeps_pictures: true,
            limits: Limits {
                nano_usd_max: caps.nano_usd_max,
                ..Limits::default()
            },
        }
    }

    /// Sets each option that is given.
    pub(super) fn set(&mut self, options: &Map<String, Value>, caps: &Caps) -> Result<(), Problem> {
        for (key, value) in options {
            self.set_one(key, value, caps)?;
        }
        Ok(())
    }

    fn set_one(&mut self, key: &str, value: &Value, caps: &Caps) -> Result<(), Problem> {
        let number =
            |least: u64, most: u64| whole(key, NumberForm::Json.whole(value), least..=most, false);
        let flag = || {
            let what = "must be true or false";
            value.as_bool().ok_or_else(|| Problem::field(key, what))
        };
        let (limits, settings) = (&mut self.limits, &mut self.settings);
        match key {
            "onUnknown" => {
                let reaction = value.as_str().and_then(OnUnknown::named);
                let what = "must be end or again";
                self.on_unknown = reaction.ok_or_else(|| Problem::field(key, what))?;
            }
            "regenerate" => self.regenerates = flag()?,
            "pictures" => self.keeps_pictures = flag()?,
            "actions" => limits.actions_max = number(0, ACTIONS_MAX).map(saturated)?,
            "looks" => limits.looks_max = number(1, LOOKS_MAX).map(saturated)?,
            "llm" => limits.asks_max = number(0, ASKS_MAX).map(saturated)?,
            "statesMade" => limits.states_made_max = number(0, STATES_MADE_MAX).map(saturated)?,
            "runtimeMs" => limits.runtime_ms_max = number(RUNTIME_MS_MIN, RUNTIME_MS_MAX)?,
            "callMs" => limits.call_ms_max = number(RUNTIME_MS_MIN, RUNTIME_MS_MAX)?,
            // An empty text takes the budget away again, for a fork.
            "budgetUsd" if value.as_str() == Some("") => limits.nano_usd_max = caps.nano_usd_max,
            "budgetUsd" => {
                limits.nano_usd_max = Some(nano_usd(NumberForm::Json.decimal(value), caps)?);
            }
            "transitionPeriodMs" => settings.transition_period_ms = number(0, RUNTIME_MS_MAX)?,
            "actionPeriodMs" => settings.action_period_ms = number(0, RUNTIME_MS_MAX)?,
            "recursionLimit" => {
                settings.recursion_limit = number(0, RECURSION_MAX).map(saturated)?;
            }
            "allowMultipleStates" => settings.allows_multiple_states = flag()?,
            "stateTimeoutMs" => settings.state_timeout_ms = signed(number(0, RUNTIME_MS_MAX)?),
            "noStatesTimeoutMs" => {
                settings.no_states_timeout_ms = signed(number(0, RUNTIME_MS_MAX)?);
            }
            _ => {
                let what = "is not a known option of an automaton; known are onUnknown, \
                            regenerate, pictures, actions, looks, llm, statesMade, runtimeMs, callMs, \
                            budgetUsd, transitionPeriodMs, actionPeriodMs, recursionLimit, \
                            allowMultipleStates, stateTimeoutMs and noStatesTimeoutMs";
                return Err(Problem::field(key, what));
            }
        }
        Ok(())
    }
}

fn default_settings(has_prompts: bool) -> Settings {
    if has_prompts {
        Settings::with_prompts()
    } else {
        Settings::default()
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}
