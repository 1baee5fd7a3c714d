//! The kinds of a workflow's events.
//!
//! //= seed 002, Trace Events

/// Those after which others come.
pub(super) const GOES_ON: [&str; 21] = [
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
    "investigation",
    "node_completed",
    "node_failed",
    "trace_bounded",
    "check_evaluated",
];

/// Those that end a run.
pub(super) const ENDS: [&str; 3] = ["completed", "failed", "stopped"];
