//! The engine of workflows for the host: the stored forms of orders, commands, notes and answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use domain::Sha256Digest;
use domain::chat::{ChatQuestion, Part, Turn};
use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta};
use engine::{Engine, Machine, OrderError, OrderSummary, record, whole_number};
use kernel::{CommandId, Millis};
use platform::events::{EventKinds, WireEvent};

use crate::events::{WORKFLOW_KINDS, interrupted_workflow, workflow_event, workflow_spent};
use crate::machine::graph::{ChildKind, WORKFLOW_BYTES_MAX, WORKFLOW_WEIGHT_MAX, Workflow};
use crate::machine::{Action, Command, Dialect, Input, Limits, Order, Outcome, WorkflowRun};

/// The value of the member `engine` in a workflow's order. An investigation's order has no such member.
pub const WORKFLOW_ENGINE: &str = "workflow";
/// The most servers that a stored order may name.
const SERVERS_MAX: usize = 20;
/// The longest alias of a server, in bytes.
const ALIAS_BYTES_MAX: usize = 64;
/// The most steps, calls and emitted events that a stored order may allow. This bounds the replay of a stranger's file.
const STEPS_MAX: u32 = 1_000_000;
const CALLS_MAX: u32 = 100_000;
const TRACE_EVENTS_MAX: u32 = 20_000;

/// The engine that executes workflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkflowEngine;

impl Machine for WorkflowEngine {
    type State = WorkflowRun;
    type Order = WorkflowOrder;
    type Action = Action;
    type Outcome = Outcome;

    /// A stop cancels no call, because the tool carries out its work all the same, and its answer counts.
    const STOP_ENDS_CALLS: bool = false;

    fn begin(order: &WorkflowOrder) -> Result<WorkflowRun, OrderError> {
        WorkflowRun::new(order.order()?)
            .map_err(|finding| OrderError::Together(finding.to_string()))
    }

    fn handle(state: &mut WorkflowRun, input: Input, now: Millis) {
        state.handle(input, now);
    }

    fn next_command(state: &mut WorkflowRun) -> Option<Command> {
        state.next_command()
    }

    fn is_ended(state: &WorkflowRun) -> bool {
        state.is_ended()
    }
}

impl Engine for WorkflowEngine {
    type Key = WorkflowKey;
    type Note = WorkflowNote;
    type Memory = AnsweredCalls;

    const ORDER_TAG: Option<&'static str> = Some(WORKFLOW_ENGINE);
    const BEGINS_RUNS: bool = true;
    /// The weight of the longest journal entry, which is the first: it contains the whole workflow.
    const ENTRY_WEIGHT_MAX: usize = WORKFLOW_WEIGHT_MAX + 1_000_000;
    /// The longest order, in bytes. It contains the whole workflow and its limits.
    const ORDER_BYTES_MAX: usize = WORKFLOW_BYTES_MAX + 64 * 1024;

    fn key(action: &Action, memory: &AnsweredCalls) -> WorkflowKey {
        memory.key(action)
    }

    fn remember(
        memory: &mut AnsweredCalls,
        _command: CommandId,
        action: Action,
        _outcome: &Outcome,
    ) {
        memory.note(&action);
    }

    fn is_success(outcome: &Outcome) -> bool {
        outcome.is_success()
    }

    /// Returns whether the event begins a visit of the node with this id.
    fn reaches(event: &WireEvent, node: &str) -> bool {
        let is_visit = matches!(
            event.kind,
            "node_started" | "node_evaluated" | "node_skipped"
        );
        is_visit && event.json.contains(&format!("\"nodeId\":\"{node}\""))
    }

    fn child_begun(note: &WorkflowNote) -> Option<&str> {
        match note {
            WorkflowNote::Child { run, .. } => Some(run),
            WorkflowNote::Connected { .. } | WorkflowNote::Heard { .. } => None,
        }
    }

    fn is_child(key: &WorkflowKey) -> bool {
        matches!(
            key,
            WorkflowKey::Investigate { .. } | WorkflowKey::Automate { .. }
        )
    }

    const KINDS: EventKinds = WORKFLOW_KINDS;

    fn next_event(
        state: &mut WorkflowRun,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = state.next_notice()?;
        Some(workflow_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        _stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_workflow(run, number, now)
    }

    /// Returns the meta document and, at the end of the run, the calls. Other documents are not needed, since the
    /// events show what the run did.
    fn documents(keys: &Keys, state: &WorkflowRun, meta: &RunMeta, is_end: bool) -> Documents {
        let workflow = state.workflow();
        let members = json!({
            "name": workflow.name,
            "nodes": workflow.nodes.len(),
            "spent": workflow_spent(state.spent()),
        });
        record::documents(keys, meta, WORKFLOW_ENGINE, members, is_end)
    }

    fn paid_call(key: &WorkflowKey) -> Option<(&'static str, &str)> {
        match key {
            WorkflowKey::Chat { sha256, .. } => Some(("chat", sha256)),
            WorkflowKey::Investigate { sha256, .. } => Some((ChildKind::Chain.as_str(), sha256)),
            WorkflowKey::Automate { sha256 } => Some((ChildKind::Automate.as_str(), sha256)),
            WorkflowKey::Tool { .. } | WorkflowKey::Tools { .. } | WorkflowKey::Wait { .. } => None,
        }
    }

    fn runtime_ms_max(state: &WorkflowRun) -> u64 {
        state.runtime_ms_max()
    }

    /// Returns 10, since most inputs lead to a few nodes only. A loop that makes no calls may visit more nodes, up to
    /// the order's limit of steps.
    fn steps(_state: &WorkflowRun) -> u64 {
        10
    }

    fn summary(order: &WorkflowOrder) -> OrderSummary {
        let name = order.workflow.get("name").and_then(Value::as_str);
        OrderSummary {
            plan: "workflow",
            named: name
                .map(|name| ("workflow", name.to_owned()))
                .into_iter()
                .collect(),
        }
    }

    fn spent(last_event: &str) -> Option<Amount> {
        record::amount_told(last_event)
    }
}

/// The key under which a fork finds the answer to a call: the call's content, and how often the same call was answered
/// before, because each answer may be different.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkflowKey {
    /// A call of a server's tool.
    Tool {
        /// The alias of the tool's server; `None` for the only server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// The tool's name.
        tool: String,
        /// SHA-256 of the JSON of the call's arguments, in hexadecimal digits.
        sha256: String,
        /// How often the same call was answered before.
        time: u32,
    },
    /// A listing of a server's tools.
    Tools {
        /// The alias of the server; `None` for the only server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
    },
    /// A question to a language model.
    Chat {
        /// SHA-256 of everything that the model is shown, in hexadecimal digits.
        sha256: String,
        /// How often the same question was answered before.
        time: u32,
    },
    /// An investigation, executed as a child run.
    Investigate {
        /// The person at the start of the chain.
        a: String,
        /// The person at the end of the chain.
        b: String,
        /// SHA-256 of the JSON of the child run's options, in hexadecimal digits.
        sha256: String,
    },
    /// An automaton, executed as a child run.
    Automate {
        /// SHA-256 of the JSON of the request for the child run, in hexadecimal digits.
        sha256: String,
    },
    /// A wait, identified by its length alone.
    Wait {
        /// The length of the wait, in milliseconds.
        ms: u64,
    },
}

/// How often each call was answered so far.
#[derive(Debug, Clone, Default)]
pub struct AnsweredCalls {
    times: BTreeMap<WorkflowKey, u32>,
}

impl AnsweredCalls {
    /// Returns the key of an action. The key of a tool call or a question contains how often it was answered before.
    fn key(&self, action: &Action) -> WorkflowKey {
        let mut key = first_key(action);
        let times = self.times.get(&key).copied().unwrap_or(0);
        if let WorkflowKey::Tool { time, .. } | WorkflowKey::Chat { time, .. } = &mut key {
            *time = times;
        }
        key
    }

    /// Counts an answer to an action.
    fn note(&mut self, action: &Action) {
        let times = self.times.entry(first_key(action)).or_insert(0);
        *times = times.saturating_add(1);
    }
}

/// Returns the key of an action that was never answered before.
fn first_key(action: &Action) -> WorkflowKey {
    match action {
        Action::CallTool(call) => WorkflowKey::Tool {
            server: call.server.clone(),
            tool: call.tool.clone(),
            sha256: digest(call.arguments.as_ref().unwrap_or(&Value::Null)),
            time: 0,
        },
        Action::ListTools { server } => WorkflowKey::Tools {
            server: server.clone(),
        },
        Action::Chat(question) => WorkflowKey::Chat {
            sha256: digest(&question_json(question)),
            time: 0,
        },
        Action::Investigate(call) => WorkflowKey::Investigate {
            a: call.person_a.clone(),
            b: call.person_b.clone(),
            sha256: digest(&call.options),
        },
        Action::Automate(call) => WorkflowKey::Automate {
            sha256: digest(&call.request),
        },
        Action::Wait { ms } => WorkflowKey::Wait { ms: *ms },
    }
}

fn digest(json: &Value) -> String {
    Sha256Digest::of(json.to_string().as_bytes()).to_string()
}

fn question_json(question: &ChatQuestion) -> Value {
    let tools: Vec<_> = question
        .tools
        .iter()
        .map(|tool| json!([tool.name, tool.description, tool.schema]))
        .collect();
    let turns: Vec<_> = question.turns.iter().map(turn_json).collect();
    json!([
        format!("{:?}", question.purpose),
        question.system,
        turns,
        tools
    ])
}

fn turn_json(turn: &Turn) -> Value {
    match turn {
        Turn::User(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => json!(text),
                    Part::Image(image) => json!([image.digest.as_str(), image.mime_type]),
                })
                .collect();
            json!(["user", parts])
        }
        Turn::Model { text, calls } => {
            let called: Vec<_> = calls
                .iter()
                .map(|call| json!([call.id, call.tool, call.arguments]))
                .collect();
            json!(["model", text, called])
        }
        Turn::Tool { id, tool, text } => json!(["tool", id, tool, text]),
    }
}

/// What another process needs in order to continue a workflow's calls. It is journaled before the run relies on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkflowNote {
    /// The protocol that was negotiated with a server.
    Connected {
        /// The alias of the server.
        server: String,
        /// The revision of the protocol.
        version: String,
        /// The id of the session; `None` if the server assigned none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// Part of a call's answer has arrived. Another process can request the rest of the answer.
    Heard {
        /// The id of the command that requests the call.
        command: u32,
        /// The id of the request in its session.
        request: u64,
        /// The id of the last event that was received.
        event: String,
    },
    /// A child run is about to begin.
    Child {
        /// The id of the command that begins the child run.
        command: u32,
        /// The child run's public token.
        run: String,
    },
}

/// The stored form of an [`Order`], with the workflow as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkflowOrder {
    #[serde(deserialize_with = "whole_number")]
    version: u32,
    engine: String,
    /// The dialect by which the workflow is interpreted.
    pub dialect: Dialect,
    /// The aliases of the servers that the run may use. The first one serves the nodes that name none.
    pub servers: Vec<String>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
    /// The workflow as it was sent.
    pub workflow: Value,
}

impl WorkflowOrder {
    /// Returns the stored form of an accepted workflow. `workflow` is the JSON that was sent.
    #[must_use]
    pub fn new(workflow: Value, dialect: Dialect, servers: Vec<String>, limits: Limits) -> Self {
        Self {
            version: 1,
            engine: WORKFLOW_ENGINE.to_owned(),
            dialect,
            servers,
            limits,
            workflow,
        }
    }

    /// Returns the order with a runtime of at most `runtime_ms_max` milliseconds, and a cost of at most `nano_usd_max`
    /// billionths of a dollar.
    #[must_use]
    pub fn within(mut self, runtime_ms_max: u64, nano_usd_max: Option<u64>) -> Self {
        let limits = &mut self.limits;
        limits.runtime_ms_max = limits.runtime_ms_max.min(runtime_ms_max);
        let both = [limits.nano_usd_max, nano_usd_max].into_iter().flatten();
        limits.nano_usd_max = both.min();
        self
    }

    /// Converts the stored form, which may come from a stranger's file, to an order. Fails if it is invalid.
    pub fn order(&self) -> Result<Order, OrderError> {
        if self.version != 1 || self.engine != WORKFLOW_ENGINE {
            return Err(OrderError::Part("its version"));
        }
        let is_long = |alias: &String| alias.len() > ALIAS_BYTES_MAX;
        if self.servers.len() > SERVERS_MAX || self.servers.iter().any(is_long) {
            return Err(OrderError::Part("the servers"));
        }
        let limits = &self.limits;
        let is_within = limits.steps_max <= STEPS_MAX
            && limits.tool_calls_max <= CALLS_MAX
            && limits.chats_max <= CALLS_MAX
            && limits.trace_events_max <= TRACE_EVENTS_MAX;
        if !is_within {
            return Err(OrderError::Part("the limits"));
        }
        Ok(Order {
            workflow: Workflow::from_json(&self.workflow)
                .map_err(|_| OrderError::Part("the workflow"))?,
            dialect: self.dialect,
            servers: self.servers.clone(),
            limits: self.limits.clone(),
        })
    }
}
