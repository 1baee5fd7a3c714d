//! Which answers of a workflow's run a fork of it gets that begins at a node.

use crate::workflow::graph::NodeId;

use super::answer_entry::AnswerEntry;
use super::entry::Entry;
use super::inherit::answers_to_inherit;
use super::rebuild::RebuiltRun;
use super::workflow::WorkflowEngine;

/// The answers that came before the node was visited first; all of them where it never was, and
/// where no node is given.
#[must_use]
pub fn answers_before(
    entries: Vec<Entry<WorkflowEngine>>,
    node: Option<NodeId>,
) -> Vec<AnswerEntry<WorkflowEngine>> {
    let Some(node) = node else {
        return answers_to_inherit(entries);
    };
    let mut before = Vec::new();
    let mut rebuilt: Option<RebuiltRun<WorkflowEngine>> = None;
    for entry in entries {
        before.push(entry.clone());
        match (&mut rebuilt, entry) {
            (None, Entry::Opened(opened)) => rebuilt = RebuiltRun::new(opened).ok(),
            (Some(rebuilt), entry) => {
                if rebuilt.apply(entry).is_err() || visits(rebuilt, node) {
                    break;
                }
            }
            (None, _) => {}
        }
    }
    answers_to_inherit(before)
}

/// Whether one of the events since the last look is of the node.
fn visits(rebuilt: &mut RebuiltRun<WorkflowEngine>, node: NodeId) -> bool {
    let of_node = format!("\"nodeId\":\"{node}\"");
    let is_visit = |kind: &str| matches!(kind, "node_started" | "node_evaluated" | "node_skipped");
    let events = rebuilt.take_events();
    let mut visits = events.iter().filter(|event| is_visit(event.kind));
    visits.any(|event| event.json.contains(&of_node))
}
