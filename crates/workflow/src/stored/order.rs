//! An accepted workflow as it is handed to the run's object and stored in its journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use engine::{OrderError, optional_whole_number, whole_number};

use crate::machine::graph::Workflow;
use crate::machine::{Dialect, Limits, Order};

/// The member `engine` of a workflow's order; the order of an investigation has none.
pub const WORKFLOW_ENGINE: &str = "workflow";
/// The most servers that a run may name.
const SERVERS_MAX: usize = 20;
/// The longest alias of a server, in bytes.
const ALIAS_BYTES_MAX: usize = 64;
/// The most steps, calls and told events of a run, so that executing a file that anybody may have
/// written ends soon.
const STEPS_MAX: u32 = 1_000_000;
const CALLS_MAX: u32 = 100_000;
const TRACE_EVENTS_MAX: u32 = 20_000;

/// The stored form of an [`Order`]. The workflow stands in it as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkflowOrder {
    #[serde(deserialize_with = "whole_number")]
    version: u32,
    engine: String,
    dialect: String,
    servers: Vec<String>,
    limits: LimitsForm,
    workflow: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LimitsForm {
    #[serde(deserialize_with = "whole_number")]
    steps: u32,
    #[serde(deserialize_with = "whole_number")]
    tool_calls: u32,
    #[serde(deserialize_with = "whole_number")]
    chats: u32,
    #[serde(rename = "investigations", deserialize_with = "whole_number")]
    child_runs: u32,
    #[serde(deserialize_with = "whole_number")]
    runtime_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    call_ms: u64,
    #[serde(
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    nano_usd_max: Option<u64>,
    #[serde(deserialize_with = "whole_number")]
    chat_nano_usd: u64,
    #[serde(deserialize_with = "whole_number")]
    trace_events: u32,
}

impl WorkflowOrder {
    /// Returns the stored form of an accepted workflow, with the JSON that the workflow was read
    /// from.
    #[must_use]
    pub fn new(workflow: Value, dialect: Dialect, servers: Vec<String>, limits: &Limits) -> Self {
        Self {
            version: 1,
            engine: WORKFLOW_ENGINE.to_owned(),
            dialect: dialect.as_str().to_owned(),
            servers,
            limits: LimitsForm {
                steps: limits.steps_max,
                tool_calls: limits.tool_calls_max,
                chats: limits.chats_max,
                child_runs: limits.child_runs_max,
                runtime_ms: limits.runtime_ms_max,
                call_ms: limits.call_ms_max,
                nano_usd_max: limits.nano_usd_max,
                chat_nano_usd: limits.chat_nano_usd_max,
                trace_events: limits.trace_events_max,
            },
            workflow,
        }
    }

    /// Returns the aliases of the servers that the run may use, first the one of the nodes that name
    /// none.
    #[must_use]
    pub fn servers(&self) -> &[String] {
        &self.servers
    }

    /// Returns the workflow as it was sent.
    #[must_use]
    pub fn workflow(&self) -> &Value {
        &self.workflow
    }

    /// Returns the dialect's name.
    #[must_use]
    pub fn dialect(&self) -> &str {
        &self.dialect
    }

    /// Returns how long the run may take, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.limits.runtime_ms
    }

    /// Returns the most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
    #[must_use]
    pub fn nano_usd_max(&self) -> Option<u64> {
        self.limits.nano_usd_max
    }

    /// Returns the order with a runtime of at most so many milliseconds, and with a cost of at most so many
    /// billionths of a dollar.
    #[must_use]
    pub fn within(mut self, runtime_ms_max: u64, nano_usd_max: Option<u64>) -> Self {
        let limits = &mut self.limits;
        limits.runtime_ms = limits.runtime_ms.min(runtime_ms_max);
        limits.nano_usd_max = [limits.nano_usd_max, nano_usd_max]
            .into_iter()
            .flatten()
            .min();
        self
    }

    /// Reads the order again from its stored form, which may come out of anybody's file.
    pub fn order(&self) -> Result<Order, OrderError> {
        if self.version != 1 || self.engine != WORKFLOW_ENGINE {
            return Err(OrderError::Part("its version"));
        }
        let is_long = |alias: &String| alias.len() > ALIAS_BYTES_MAX;
        if self.servers.len() > SERVERS_MAX || self.servers.iter().any(is_long) {
            return Err(OrderError::Part("the servers"));
        }
        let limits = &self.limits;
        let is_within = limits.steps <= STEPS_MAX
            && limits.tool_calls <= CALLS_MAX
            && limits.chats <= CALLS_MAX
            && limits.trace_events <= TRACE_EVENTS_MAX;
        if !is_within {
            return Err(OrderError::Part("the limits"));
        }
        Ok(Order {
            workflow: Workflow::from_json(&self.workflow)
                .map_err(|_| OrderError::Part("the workflow"))?,
            dialect: Dialect::named(&self.dialect).ok_or(OrderError::Part("the dialect"))?,
            servers: self.servers.clone(),
            limits: Limits {
                steps_max: self.limits.steps,
                tool_calls_max: self.limits.tool_calls,
                chats_max: self.limits.chats,
                child_runs_max: self.limits.child_runs,
                runtime_ms_max: self.limits.runtime_ms,
                call_ms_max: self.limits.call_ms,
                nano_usd_max: self.limits.nano_usd_max,
                chat_nano_usd_max: self.limits.chat_nano_usd,
                trace_events_max: self.limits.trace_events,
            },
        })
    }
}
