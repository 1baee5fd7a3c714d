//! Requests for workflow runs. `POST /runs` is checked against the operator's servers and limits before anything is
//! spent.

mod acceptance;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use domain::{RunToken, stored_name};
use engine::assistant::tool_description;
use engine::budget::Amount;
use engine::record::nano_usd_told;
use engine::values::{
    members_of, optional_object, optional_session, optional_text, optional_turnstile_token,
    read_members,
};
use engine::{
    ChildOutput, ChildResult, ForkTerms, Given, NoResult, ParentLimits, Problem, Requests,
    StartTerms, WantedDocument,
};
use settings::{Caps, Providers, Settings, SettingsPart, SharedAccess};

use crate::machine::graph::{NodeId, NodeKind, WORKFLOW_WEIGHT_MAX, Workflow};
use crate::wire::{WorkflowEngine, WorkflowOrder};

use acceptance::{RUNTIME_MS_MIN, needs};

/// The longest body of a request for a workflow, in bytes. It has to fit into a row of the journal.
pub const WORKFLOW_BODY_BYTES_MAX: usize = 1_500_000;
/// The most servers that a request may name.
const SERVERS_MAX: usize = 20;
/// The setting that says which workflows people other than the operator may start.
pub const PUBLIC_WORKFLOWS: &str = "PUBLIC_WORKFLOWS";

/// A request for a workflow's run: `{"workflow", "servers"?, "options"?, "fork"?}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkflowRequest {
    /// The workflow; `None` for the workflow of the run to fork.
    #[serde(default, deserialize_with = "document")]
    workflow: Option<WantedDocument>,
    #[serde(default, deserialize_with = "servers")]
    servers: Option<Vec<String>>,
    options: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "optional_object")]
    fork: Option<WorkflowFork>,
    #[serde(default, deserialize_with = "optional_session")]
    session_id: Option<String>,
    #[serde(default, deserialize_with = "optional_turnstile_token")]
    turnstile_token: Option<String>,
}

/// The run to fork, whose answers the new run uses again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkflowFork {
    run: RunToken,
    /// The node at whose first execution the use of old answers ends; `None` to use all of them.
    #[serde(default, deserialize_with = "node")]
    node: Option<NodeId>,
}

fn document<'de, D: Deserializer<'de>>(d: D) -> Result<Option<WantedDocument>, D::Error> {
    WantedDocument::optional(
        d,
        "must be a workflow, or the name of one of GET /workflows",
    )
}

fn node<'de, D: Deserializer<'de>>(d: D) -> Result<Option<NodeId>, D::Error> {
    let what = "is no node's id; give one of the workflow's";
    optional_text(d, |id| NodeId::parse(id).ok_or(what))
}

fn servers<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<String>>, D::Error> {
    let names = Option::<Vec<String>>::deserialize(d)?;
    let is_name = |name: &String| stored_name(name).is_some();
    match names {
        Some(names) if names.len() > SERVERS_MAX || !names.iter().all(is_name) => Err(
            D::Error::custom("must be a list of names of servers, as GET /workflows tells them"),
        ),
        names => Ok(names),
    }
}

/// Checks a workflow to be stored. Returns its metadata for the list of workflows, or why it cannot be stored.
pub fn check_stored_workflow(body: &[u8]) -> Result<Value, Problem> {
    let problem = |error: &dyn std::fmt::Display| {
        Problem::new(400, format!("The workflow cannot be stored: {error}."))
    };
    let workflow = Workflow::parse(body).map_err(|error| problem(&error))?;
    let document: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut about = json!({"nodes": workflow.nodes.len()});
    if let (Some(description), Some(about)) = (tool_description(&document)?, about.as_object_mut())
    {
        about.insert("description".to_owned(), description.into());
    }
    Ok(about)
}

impl WorkflowRequest {
    /// Reads the body of a request. Returns `None` if it requests no workflow.
    #[must_use]
    pub fn from_body(body: &[u8]) -> Option<Result<Self, Problem>> {
        members_of(body, WORKFLOW_WEIGHT_MAX, ["workflow", "node"]).map(read_members)
    }

    /// Returns the requests for the automata that a sent workflow begins. If one is malformed, the workflow is refused.
    fn begins(&self) -> Vec<Value> {
        let Some(WantedDocument::Sent(graph)) = &self.workflow else {
            return Vec::new();
        };
        let workflow = Workflow::from_json(graph);
        let nodes = workflow.into_iter().flat_map(|workflow| workflow.nodes);
        let enabled = nodes.filter(|node| node.is_enabled);
        let requests = enabled.filter_map(|node| match node.kind {
            NodeKind::Automate { request } => Some(request.into()),
            _ => None,
        });
        requests.collect()
    }
}

/// Checks that the caller may start a workflow, whose tools may do anything. The operator may start any workflow, and
/// other people only what the setting allows.
pub fn may_start_workflow(
    settings: &Settings,
    is_operator: bool,
    wanted: &WorkflowRequest,
) -> Result<(), Problem> {
    let is_sent = matches!(wanted.workflow, Some(WantedDocument::Sent(_)));
    match settings.shared_access(PUBLIC_WORKFLOWS) {
        _ if is_operator => Ok(()),
        SharedAccess::Any => Ok(()),
        SharedAccess::Stored if !is_sent && wanted.servers.is_some() => Err(Problem::new(
            403,
            "Here only the operator chooses the servers whose tools a stored workflow calls: leave \
             servers out.",
        )),
        SharedAccess::Stored if !is_sent => Ok(()),
        SharedAccess::Stored => Err(Problem::new(
            403,
            "Here only the operator's own workflows can be started without the operator's token: give \
             the name of one of GET /workflows.",
        )),
        SharedAccess::Operator => Err(Problem::new(
            401,
            "A workflow calls the operator's tools and needs the operator's token: send it as \
             “Authorization: Bearer TOKEN”.",
        )),
    }
}

impl Requests for WorkflowEngine {
    type Wanted = WorkflowRequest;

    const KEEPS_ARTIFACTS: bool = true;
    const BODY_BYTES_MAX: usize = WORKFLOW_BODY_BYTES_MAX;
    const BEGIN_ANEW: &'static str = "Start the workflow anew.";
    const HOW_TO_FORK: &'static str = "The run to fork is of a workflow; send the workflow, or the node from which it \
                                       is to be done again, beside the fork.";

    fn read(body: &[u8], _caps: &Caps) -> Option<Result<WorkflowRequest, Problem>> {
        WorkflowRequest::from_body(body)
    }

    fn terms(wanted: &WorkflowRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session_id.as_deref(),
            turnstile_token: wanted.turnstile_token.as_deref(),
            fork: wanted.fork.as_ref().map(|fork| ForkTerms {
                run: &fork.run,
                before: fork.node.map(|node| node.to_string()),
            }),
            stored_name: wanted
                .workflow
                .as_ref()
                .and_then(WantedDocument::stored_name),
        }
    }

    fn may_start(
        settings: &Settings,
        is_operator: bool,
        wanted: &WorkflowRequest,
    ) -> Result<(), Problem> {
        may_start_workflow(settings, is_operator, wanted)
    }

    fn begins(wanted: &WorkflowRequest) -> Vec<Value> {
        wanted.begins()
    }

    fn needs(order: &WorkflowOrder) -> Vec<SettingsPart> {
        let order = order.order();
        order.map_or_else(|_| Vec::new(), |order| needs(&order.workflow))
    }

    fn accept(wanted: WorkflowRequest, given: Given<'_, Self>) -> Result<WorkflowOrder, Problem> {
        wanted.accept(given.stored, given.forked, given.providers, given.caps)
    }

    fn order_runtime_ms_max(order: &WorkflowOrder) -> u64 {
        order.limits.runtime_ms_max
    }

    /// Returns the highest cost of the run's questions to models. Child runs reserve their own cost.
    fn most(order: &WorkflowOrder, _providers: &Providers) -> Option<Amount> {
        let limits = order.order().ok()?.limits;
        let chats = u64::from(limits.chats_max).saturating_mul(limits.chat_nano_usd_max);
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: limits.nano_usd_max.map_or(chats, |most| most.min(chats)),
        })
    }

    const NOUN: &'static str = "workflow";

    fn limited(order: WorkflowOrder, left: &ParentLimits<'_>) -> Result<WorkflowOrder, String> {
        if left.runtime_ms_max < RUNTIME_MS_MIN {
            let noun = left.noun;
            return Err(format!("The {noun}'s time does not last for a workflow."));
        }
        Ok(order.within(left.runtime_ms_max, left.nano_usd_max))
    }

    fn nano_usd_max(order: &WorkflowOrder) -> u64 {
        order.limits.nano_usd_max.unwrap_or_default()
    }

    /// Converts the last event to the result for the parent run, `{"completed": true}`. The workflow's record has the
    /// details.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let text = |member| last_event.pointer(member).and_then(Value::as_str);
        let result = match text("/type") {
            Some("completed") => Ok(ChildOutput {
                value: json!({"completed": true}),
                message: "The workflow was completed.".to_owned(),
            }),
            Some("stopped") => Err("The workflow was stopped.".into()),
            _ => {
                let says = text("/payload/message")
                    .filter(|says| !says.is_empty())
                    .unwrap_or("The workflow ended without a result.");
                Err(NoResult {
                    is_unknown: text("/payload/reason") == Some("unknown_outcome"),
                    ..says.into()
                })
            }
        };
        (result, nano_usd_told(last_event).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";
    const NODE: &str = "00000000-0000-0000-0000-000000000001";

    fn read(body: &str) -> Option<Result<WorkflowRequest, Problem>> {
        WorkflowRequest::from_body(body.as_bytes())
    }

    #[test]
    fn only_a_body_with_a_workflow_is_read() {
        for other in [
            r#"{"personA":"Cosette","personB":"Javert"}"#,
            r#"{"personA":"\"workflow\"","personB":"Javert"}"#,
            r#"{"fork":{"run":"r"}}"#,
            r#"{"fork":{"run":"r","state":1}}"#,
            r#"["workflow"]"#,
            r#"{"workflow":"#,
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        let sent = read(r#"{"workflow":{"id":1},"servers":["desk"],"sessionId":"s2"}"#)
            .unwrap()
            .unwrap();
        assert_eq!(sent.workflow, Some(WantedDocument::Sent(json!({"id": 1}))));
        assert_eq!(
            (sent.session_id.as_deref(), sent.servers.unwrap().len()),
            (Some("s2"), 1)
        );
        let stored = read(r#"{"workflow":"orders"}"#).unwrap().unwrap();
        assert_eq!(
            stored.workflow,
            Some(WantedDocument::Stored("orders".into()))
        );
        let fork = format!(r#"{{"fork":{{"run":"{RUN}","node":"{NODE}"}}}}"#);
        let fork = read(&fork).unwrap().unwrap();
        assert_eq!(
            (fork.workflow, fork.fork.unwrap().node),
            (None, NodeId::parse(NODE))
        );
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_field() {
        for (body, field) in [
            (r#"{"workflow":7}"#, "workflow"),
            (r#"{"workflow":"../x"}"#, "workflow"),
            (r#"{"workflow":{},"servers":"desk"}"#, "servers"),
            (r#"{"workflow":{},"servers":["a b"]}"#, "servers"),
            (r#"{"workflow":{},"servers":["a",7]}"#, "servers"),
            (r#"{"workflow":{},"options":[]}"#, "options"),
            (r#"{"workflow":{},"personA":"Cosette"}"#, "personA"),
            (r#"{"workflow":{},"fork":["x"]}"#, "fork"),
            (r#"{"workflow":{},"fork":{}}"#, "fork.run"),
            (r#"{"workflow":{},"fork":{"run":"x"}}"#, "fork.run"),
            (
                r#"{"fork":{"run":"s1.AAAAAAAAAAAAAAAAAAAAAA","node":7,"state":1}}"#,
                "fork.node",
            ),
            (
                r#"{"workflow":{},"fork":{"run":"s1.AAAAAAAAAAAAAAAAAAAAAA","state":1}}"#,
                "fork.state",
            ),
            (
                r#"{"workflow":{},"fork":{"run":"s1.AAAAAAAAAAAAAAAAAAAAAA","node":"x"}}"#,
                "fork.node",
            ),
            (r#"{"workflow":{},"turnstileToken":1}"#, "turnstileToken"),
        ] {
            let problem = read(body).unwrap().unwrap_err();
            assert_eq!(problem.named_field(), Some(field), "{body}");
        }
    }

    #[test]
    fn each_end_is_read() {
        let end = |event: Value| WorkflowEngine::end(&event);
        let spent = json!({"spent": {"usd": 0.5}});
        let (completed, nano_usd) = end(json!({"type": "completed", "payload": spent}));
        assert_eq!(completed.unwrap().value, json!({"completed": true}));
        assert_eq!(nano_usd, 500_000_000);
        let stopped = end(json!({"type": "stopped"})).0.unwrap_err();
        assert_eq!(stopped.message, "The workflow was stopped.");
        let failed = json!({"type": "failed", "payload": {"message": "No tool."}});
        assert_eq!(end(failed).0.unwrap_err().message, "No tool.");
        assert!(end(Value::Null).0.is_err());
    }
}
