//! The kinds of events that a workflow's run tells.
//!
//! //= seed 002, Trace Events

use platform::events::EventKinds;

use crate::machine::graph::ChildKind;

/// The kinds of events that a workflow's run tells.
pub const WORKFLOW_KINDS: EventKinds = EventKinds {
    goes_on: &[
        "workflow_started",
        "warning",
        "node_started",
        "node_evaluated",
        "node_skipped",
        "tool_call",
        "tool_result",
        "target_resolved",
        "app_resolved",
        "element_resolved",
        "vision_summary",
        "retry",
        "variable_set",
        "branch_evaluated",
        "loop_iteration",
        "loop_exited",
        ChildKind::Chain.as_str(),
        ChildKind::Automate.as_str(),
        "node_completed",
        "node_failed",
        "trace_bounded",
        "check_evaluated",
    ],
    ends: &["completed", "failed", "stopped"],
};
