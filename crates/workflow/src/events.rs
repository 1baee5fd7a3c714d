//! The events of a workflow run. They form its trace, and their members are named as in the specification.
//!
//! //= seed 002, Trace Events

use serde_json::{Value, json};

use engine::record::{EventBody, interrupted};
use kernel::Millis;
use platform::events::{EventKinds, WireEvent, timestamp};

use crate::machine::graph::{CHILD_RUNS, ChildKind};
use crate::machine::values::shown;
use crate::machine::{Ending, Notice, NoticeKind, Spent, Visit};

/// The message for viewers of a run that was interrupted.
const MESSAGE: &str = "The run was interrupted on the server and can't go on; a call that was under \
                                   way may have been made. A fork of it makes no call twice that was answered.";

/// The kinds of events that a workflow run emits, by their effect on the run.
///
/// //= seed 002, Trace Events
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

/// Converts a notice to the run's event with this number.
pub fn workflow_event(
    run: &str,
    number: u32,
    notice: &Notice,
) -> Result<WireEvent, serde_json::Error> {
    let (kind, payload) = told(&notice.kind);
    let node = notice.node.as_ref();
    let body = EventBody {
        kind,
        run_id: run,
        timestamp: timestamp(notice.at),
        node_id: node.map(|(id, _)| id.to_string()),
        node_name: node.map(|(_, name)| name.as_str()),
        payload,
    };
    body.event(number, notice.kind.is_last())
}

/// Returns the last event of an interrupted run: `failed`, with the reason `interrupted`.
#[must_use]
pub fn interrupted_workflow(run: &str, number: u32, now: Millis) -> WireEvent {
    let payload = json!({"reason": "interrupted", "node": null, "message": MESSAGE});
    interrupted(run, number, now, &payload)
}

fn told(kind: &NoticeKind) -> (&'static str, Value) {
    match kind {
        NoticeKind::Started { nodes } => ("workflow_started", json!({"nodes": nodes})),
        NoticeKind::Warning(says) | NoticeKind::Remark(says) => {
            ("warning", json!({"message": says}))
        }
        NoticeKind::Visited { how, kind } => {
            let event = match how {
                Visit::Run => "node_started",
                Visit::Control => "node_evaluated",
                Visit::Skipped => "node_skipped",
            };
            (event, json!({"type": kind}))
        }
        NoticeKind::TargetResolved { .. }
        | NoticeKind::AppResolved { .. }
        | NoticeKind::ElementResolved { .. } => resolved(kind),
        NoticeKind::ToolCall { .. }
        | NoticeKind::ToolResult { .. }
        | NoticeKind::VisionSummary { .. } => tools(kind),
        NoticeKind::Retry { attempt, error } => {
            ("retry", json!({"attempt": attempt, "error": error}))
        }
        NoticeKind::VariableSet { variable, value } => (
            "variable_set",
            json!({"variable": variable, "value": shown(value)}),
        ),
        NoticeKind::BranchEvaluated { resolved, output } => {
            let resolved = resolved.as_ref();
            let branch = resolved.map(|(left, right, holds)| {
                json!({
                    "resolved_left": shown(left),
                    "resolved_right": shown(right),
                    "result": holds,
                    "output_taken": output,
                })
            });
            let branch = branch.unwrap_or_else(|| json!({"output_taken": output}));
            ("branch_evaluated", branch)
        }
        NoticeKind::LoopIteration { iteration } => {
            ("loop_iteration", json!({"iteration": iteration}))
        }
        NoticeKind::LoopExited {
            reason,
            iterations_completed,
        } => (
            "loop_exited",
            json!({"reason": reason.as_ref(), "iterations_completed": iterations_completed}),
        ),
        NoticeKind::Child { kind, run, message } => {
            (kind.as_str(), json!({"run": run, "message": message}))
        }
        NoticeKind::NodeCompleted => ("node_completed", json!({})),
        NoticeKind::NodeFailed { error } => ("node_failed", json!({"error": error})),
        NoticeKind::TraceBounded { events } => ("trace_bounded", json!({"events": events})),
        NoticeKind::CheckEvaluated(verdict) => (
            "check_evaluated",
            json!({
                "check_name": verdict.check,
                "verdict": verdict.word.as_ref(),
                "reasoning": verdict.reasoning,
            }),
        ),
        NoticeKind::Ended {
            ending,
            spent,
            events_left_out,
        } => ended(ending, *spent, *events_left_out),
    }
}

fn tools(kind: &NoticeKind) -> (&'static str, Value) {
    match kind {
        NoticeKind::ToolCall {
            server,
            tool,
            arguments,
            index,
        } => {
            let mut payload = json!({"name": tool, "args": arguments.as_ref().map(shown)});
            if let Some(members) = payload.as_object_mut() {
                let server = server.clone().map(Value::from);
                let index = index.map(Value::from);
                let more = [("server", server), ("index", index)]
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.to_owned(), value?)));
                members.extend(more);
            }
            ("tool_call", payload)
        }
        NoticeKind::ToolResult {
            tool,
            text,
            text_len,
            image_count,
            images,
        } => (
            "tool_result",
            json!({
                "name": tool,
                "text": text,
                "text_len": text_len,
                "image_count": image_count,
                "images": images,
            }),
        ),
        NoticeKind::VisionSummary {
            image_count,
            model,
            summary,
        } => (
            "vision_summary",
            json!({"image_count": image_count, "vlm_model": model, "summary_json": summary}),
        ),
        _ => ("warning", json!({})),
    }
}

fn resolved(kind: &NoticeKind) -> (&'static str, Value) {
    match kind {
        NoticeKind::TargetResolved {
            target,
            x,
            y,
            matched_text,
            app_name,
        } => (
            "target_resolved",
            json!({
                "target": target,
                "x": x,
                "y": y,
                "matched_text": matched_text,
                "app_name": app_name,
            }),
        ),
        NoticeKind::AppResolved {
            user_input,
            name,
            pid,
        } => (
            "app_resolved",
            json!({"user_input": user_input, "resolved_name": name, "resolved_pid": pid}),
        ),
        NoticeKind::ElementResolved {
            target,
            name,
            app_name,
        } => (
            "element_resolved",
            json!({"target": target, "resolved_name": name, "app_name": app_name}),
        ),
        _ => ("warning", json!({})),
    }
}

fn ended(ending: &Ending, spent: Spent, events_left_out: u64) -> (&'static str, Value) {
    let (kind, mut payload) = match ending {
        Ending::Completed => ("completed", json!({})),
        Ending::Stopped => ("stopped", json!({})),
        Ending::Failed { why, node, message } => (
            "failed",
            json!({
                "reason": why.as_ref(),
                "node": node.map(|node| node.to_string()),
                "message": message,
            }),
        ),
    };
    if let Some(members) = payload.as_object_mut() {
        members.insert("spent".to_owned(), workflow_spent(spent));
        members.insert("events_left_out".to_owned(), events_left_out.into());
    }
    (kind, payload)
}

/// Returns what a workflow run has spent, as JSON for events and records.
#[must_use]
pub fn workflow_spent(spent: Spent) -> Value {
    // The amount is at most 1e13 billionths of a dollar, which an `f64` represents exactly.
    #[allow(clippy::cast_precision_loss)]
    let usd = spent.nano_usd as f64 / 1e9;
    json!({
        "steps": spent.steps,
        "tool_calls": spent.tool_calls,
        "chats": spent.chats,
        CHILD_RUNS: spent.child_runs,
        "runtime_ms": spent.runtime_ms,
        "usd": usd,
    })
}
