//! Accepts a workflow: validates its graph, and compares its servers and its limits with those that the operator
//! allows.

use serde_json::Value;

use engine::values::{NumberForm, nano_usd, saturated, whole};
use engine::{Problem, WantedDocument, check_parts};
use settings::{Caps, McpServer, Providers, SettingsPart};

use crate::machine::graph::{CHILD_RUNS, Node, NodeKind, Workflow};
use crate::machine::{Dialect, Limits, Order, WorkflowRun};
use crate::wire::WorkflowOrder;

use super::WorkflowRequest;

/// The most steps that a run may be allowed, which is ten times the default.
const STEPS_MAX: u64 = 1_000_000;
/// The most tool calls and the most questions to models that a run may be allowed. Including retries, they stay below
/// `limits.subrequests` in `wrangler.toml`.
const TOOL_CALLS_MAX: u64 = 1_500;
const CHATS_MAX: u64 = 300;
/// The most child runs that a run may be allowed.
const CHILD_RUNS_MAX: u64 = 20;
/// The longest duration of a run, in milliseconds. It is below fifteen minutes, after which the platform ends an alarm.
const RUNTIME_MS_MAX: u64 = 840_000;
pub(super) const RUNTIME_MS_MIN: u64 = 1_000;

impl WorkflowRequest {
    /// Returns the order for the run. `stored` is the operator's workflow with the requested name, and `forked` the
    /// order of the run to fork.
    pub fn accept(
        &self,
        stored: Option<Value>,
        forked: Option<&WorkflowOrder>,
        providers: &Providers,
        caps: &Caps,
    ) -> Result<WorkflowOrder, Problem> {
        let graph = match &self.workflow {
            Some(WantedDocument::Sent(graph)) => graph.clone(),
            Some(WantedDocument::Stored(name)) => stored.ok_or_else(|| {
                let what = format!(
                    "names no stored workflow: there is no {name}; GET /workflows lists them"
                );
                Problem::field("workflow", what).with(404)
            })?,
            None => match forked {
                Some(forked) => forked.workflow.clone(),
                None => return Err(Problem::field("workflow", "is missing")),
            },
        };
        let workflow = Workflow::from_json(&graph)
            .map_err(|error| Problem::field("workflow", format!("cannot be read: {error}")))?;
        check_parts(providers, &needs(&workflow))?;
        let (mut options, servers) = self.terms(forked, providers, caps)?;
        if !servers.is_empty() {
            check_parts(providers, &[SettingsPart::ToolServers])?;
        }
        for (key, value) in self.options.iter().flatten() {
            options.set(key, value, caps)?;
        }
        let asked = options.limits.nano_usd_max.into_iter();
        options.limits.nano_usd_max = asked.chain(caps.nano_usd_max).min();
        options.limits.chat_nano_usd_max = providers.chat_nano_usd_max();
        check_servers(&workflow, &servers, &providers.mcp_servers)?;
        let order = Order {
            workflow,
            dialect: options.dialect,
            servers: servers.clone(),
            limits: options.limits.clone(),
        };
        let refused = match WorkflowRun::new(order) {
            Ok(run) => run.refused().cloned(),
            Err(finding) => Some(finding),
        };
        if let Some(finding) = refused {
            let problem = Problem::new(409, format!("The workflow cannot be executed. {finding}"));
            return Err(problem.about_graph((&finding).into(), finding.about()));
        }
        Ok(WorkflowOrder::new(
            graph,
            options.dialect,
            servers,
            options.limits,
        ))
    }

    /// Returns the options of the forked run, or else the defaults, to which the caller adds the request's own options.
    /// Also returns the names of the servers that the run may use: those of the request, or else of the forked run, or
    /// else all.
    fn terms(
        &self,
        forked: Option<&WorkflowOrder>,
        providers: &Providers,
        caps: &Caps,
    ) -> Result<(WorkflowOptions, Vec<String>), Problem> {
        let mut options = WorkflowOptions::default_within(caps);
        let all = providers
            .mcp_servers
            .iter()
            .map(|server| server.name.clone());
        let mut servers: Vec<String> = all.collect();
        if let Some(forked) = forked {
            let Ok(order) = forked.order() else {
                let detail =
                    "The run to fork was made by another version; start the workflow anew.";
                return Err(Problem::new(409, detail));
            };
            let dialect = match order.dialect {
                Dialect::Strict => Dialect::default(),
                dialect => dialect,
            };
            options = WorkflowOptions {
                dialect,
                limits: order.limits,
            };
            servers = order.servers;
        }
        Ok((options, self.servers.clone().unwrap_or(servers)))
    }
}

/// Returns which parts of the settings the workflow's nodes need.
pub(super) fn needs(workflow: &Workflow) -> Vec<SettingsPart> {
    let mut parts = Vec::new();
    for node in workflow.nodes.iter().filter(|node| node.is_enabled) {
        let has_checks = !node.checks.is_empty() || node.expected_outcome.is_some();
        if calls_tools(node) {
            parts.push(SettingsPart::ToolServers);
        }
        if has_checks || matches!(node.kind, NodeKind::AiStep(_)) {
            parts.push(SettingsPart::VisionModel);
        }
        if matches!(node.kind, NodeKind::Automate { .. }) {
            parts.extend([SettingsPart::Browsers, SettingsPart::Secrets]);
        }
    }
    parts
}

fn calls_tools(node: &Node) -> bool {
    node.is_enabled && !node.kind.is_control() && !node.kind.begins_run()
}

/// Checks that the operator has configured all named servers, and at least one if the workflow calls tools.
fn check_servers(workflow: &Workflow, named: &[String], set: &[McpServer]) -> Result<(), Problem> {
    let is_set = |name: &String| set.iter().any(|server| server.name == *name);
    if let Some(unknown) = named.iter().find(|name| !is_set(name)) {
        let what =
            format!("names {unknown}, which this server's operator has not set (MCP_SERVERS)");
        return Err(Problem::conflict("servers", what));
    }
    for node in workflow.nodes.iter().filter(|node| node.is_enabled) {
        if let Some(server) = &node.server
            && !named.contains(server)
        {
            let what = format!(
                "has a node '{}' for the server {server}, which this run does not name",
                node.name
            );
            return Err(Problem::conflict("workflow", what));
        }
    }
    let caller = workflow.nodes.iter().find(|node| calls_tools(node));
    if let (true, Some(node)) = (named.is_empty(), caller) {
        let what = format!(
            "calls tools at node '{}', and this server's operator has set no MCP server \
                            (MCP_SERVERS)",
            node.name
        );
        return Err(Problem::conflict("workflow", what));
    }
    Ok(())
}

/// The options of a workflow run: its limits and its dialect.
#[derive(Debug, Clone)]
struct WorkflowOptions {
    dialect: Dialect,
    limits: Limits,
}

impl WorkflowOptions {
    /// Returns the options of a run whose request states none, within the operator's limits.
    fn default_within(caps: &Caps) -> Self {
        Self {
            dialect: Dialect::default(),
            limits: Limits {
                nano_usd_max: caps.nano_usd_max,
                ..Limits::default()
            },
        }
    }

    /// Sets the option with the name `key`. Fails if the name or the value is wrong.
    fn set(&mut self, key: &str, value: &Value, caps: &Caps) -> Result<(), Problem> {
        let number =
            |least: u64, most: u64| whole(key, NumberForm::Json.whole(value), least..=most, false);
        let limits = &mut self.limits;
        match key {
            "dialect" => {
                let what = match value.as_str().and_then(|name| name.parse().ok()) {
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
            "budgetUsd" => limits.nano_usd_max = nano_usd(value, NumberForm::Json, caps)?,
            _ => {
                let what = "is not a known option of a workflow; known are dialect, steps, toolCalls, llm, \
                            investigations, runtimeMs, callMs and budgetUsd";
                return Err(Problem::field(key, what));
            }
        }
        Ok(())
    }
}
