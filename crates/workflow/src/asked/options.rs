//! The options of a workflow's run.

use serde_json::{Map, Value};

use engine::Problem;
use engine::values::{NumberForm, nano_usd, saturated, whole};
use settings::Caps;

use crate::machine::graph::CHILD_RUNS;
use crate::machine::{Dialect, Limits};

/// The most steps of one run; the engine's default is a tenth of it.
const STEPS_MAX: u64 = 1_000_000;
/// The most calls of tools, and the most questions to models, of one run. Together with what each
/// may need to be asked again, all stay below `limits.subrequests` of `wrangler.toml`.
const TOOL_CALLS_MAX: u64 = 1_500;
const CHATS_MAX: u64 = 300;
/// The most runs of another engine that one run begins.
const CHILD_RUNS_MAX: u64 = 20;
/// The longest time of a run, in milliseconds: the platform ends what conducts a run after fifteen
/// minutes.
const RUNTIME_MS_MAX: u64 = 840_000;
pub(super) const RUNTIME_MS_MIN: u64 = 1_000;

/// The options of a workflow's run: what it may do, and how its workflow is read.
#[derive(Debug, Clone)]
pub(super) struct WorkflowOptions {
    pub(super) dialect: Dialect,
    pub(super) limits: Limits,
}

impl WorkflowOptions {
    /// Returns the options of a run that says nothing.
    pub(super) fn default_within(caps: &Caps) -> Self {
        Self {
            dialect: Dialect::default(),
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
        let limits = &mut self.limits;
        match key {
            "dialect" => {
                let what = match value.as_str().and_then(Dialect::named) {
                    Some(Dialect::Strict) => {
                        "can be strict no more: seed, the default, took its place; what differs stands in \
                         docs/workflows.md"
                    }
                    Some(dialect) => {
                        self.dialect = dialect;
                        return Ok(());
                    }
                    None => "must be seed or clickweave",
                };
                return Err(Problem::field(key, what));
            }
            "steps" => limits.steps_max = number(1, STEPS_MAX).map(saturated)?,
            "toolCalls" => limits.tool_calls_max = number(0, TOOL_CALLS_MAX).map(saturated)?,
            "llm" => limits.chats_max = number(0, CHATS_MAX).map(saturated)?,
            CHILD_RUNS => {
                limits.child_runs_max = number(0, CHILD_RUNS_MAX).map(saturated)?;
            }
            "runtimeMs" => limits.runtime_ms_max = number(RUNTIME_MS_MIN, RUNTIME_MS_MAX)?,
            "callMs" => limits.call_ms_max = number(RUNTIME_MS_MIN, RUNTIME_MS_MAX)?,
            // An empty text takes the budget away again, for a fork.
            "budgetUsd" if value.as_str() == Some("") => limits.nano_usd_max = caps.nano_usd_max,
            "budgetUsd" => {
                limits.nano_usd_max = Some(nano_usd(NumberForm::Json.decimal(value), caps)?);
            }
            _ => {
                let what = "is not a known option of a workflow; known are dialect, steps, toolCalls, llm, \
                            investigations, runtimeMs, callMs and budgetUsd";
                return Err(Problem::field(key, what));
            }
        }
        Ok(())
    }
}
