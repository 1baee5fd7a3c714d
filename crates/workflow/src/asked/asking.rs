//! What may be asked of a workflow's run: the workflow engine's own part of what every engine
//! gives.

use serde_json::Value;

use engine::budget::Amount;
use engine::{Asked, ForkTerms, Given, Problem, StartTerms};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::stored::{WorkflowEngine, WorkflowOrder};

use super::acceptance::needs;
use super::permission::may_start_workflow;
use super::wanted::{WORKFLOW_BODY_BYTES_MAX, WantedGraph, WorkflowRequest, is_about_workflow};

impl Asked for WorkflowEngine {
    type Wanted = WorkflowRequest;

    const KEEPS_ARTIFACTS: bool = true;
    const BODY_BYTES_MAX: usize = WORKFLOW_BODY_BYTES_MAX;
    const BEGIN_ANEW: &'static str = "Start the workflow anew.";
    const HOW_TO_FORK: &'static str = "The run to fork is of a workflow; send the workflow, or the node from which it \
                                       is to be done again, beside the fork.";

    fn read(body: &[u8], _caps: &Caps) -> Option<Result<WorkflowRequest, Problem>> {
        if !is_about_workflow(body) {
            return None;
        }
        WorkflowRequest::from_body(body).transpose()
    }

    fn terms(wanted: &WorkflowRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session.as_deref(),
            turnstile_token: wanted.turnstile_token.as_deref(),
            fork: wanted.fork.as_ref().map(|fork| ForkTerms {
                run: &fork.run,
                before: fork.node.map(|node| node.to_string()),
            }),
            stored_name: match &wanted.graph {
                WantedGraph::Stored(name) => Some(name),
                WantedGraph::Sent(_) | WantedGraph::OfFork => None,
            },
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
        order.runtime_ms_max()
    }

    /// Returns what the run's questions to models may cost; its investigations reserve their own
    /// amounts.
    fn most(order: &WorkflowOrder, _providers: &Providers) -> Option<Amount> {
        let limits = order.order().ok()?.limits;
        let chats = u64::from(limits.chats_max).saturating_mul(limits.chat_nano_usd_max);
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: limits.nano_usd_max.map_or(chats, |most| most.min(chats)),
        })
    }
}
