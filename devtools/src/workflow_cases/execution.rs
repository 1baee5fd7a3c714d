//! Executes a case in memory, in virtual time.

use serde_json::{Map, Value, json};

use domain::{Failure, FailureKind};
use kernel::Millis;
use workflow::machine::graph::Workflow;
use workflow::machine::{
    Action, Answer, ChildFailure, Dialect, Ending, Input, Limits, Notice, NoticeKind, Order,
    Outcome, ToolFailure, Visit, WorkflowRun,
};

use super::case::Case;

/// The most steps of a case. No case needs this many; the limit ends a case that would run for ever.
const STEPS_MAX: u32 = 2_000_000;

/// Executes a case and returns the engine's record, in the form of `expect`.
pub(super) fn execute(case: &Case) -> Value {
    let Ok(workflow) = Workflow::from_json(&case.workflow) else {
        return json!({"status": {"state": "unreadable"}});
    };
    let order = Order {
        workflow,
        dialect: Dialect::Clickweave,
        servers: Vec::new(),
        limits: Limits {
            steps_max: STEPS_MAX,
            tool_calls_max: STEPS_MAX,
            runtime_ms_max: u64::MAX,
            call_ms_max: u64::MAX,
            trace_events_max: u32::MAX,
            ..Limits::default()
        },
    };
    match WorkflowRun::new(order) {
        Ok(run) => conduct(run, case),
        Err(finding) => json!({"status": {
            "state": "invalid",
            "kind": <&str>::from(&finding),
            "about": finding.about(),
        }}),
    }
}

fn conduct(mut run: WorkflowRun, case: &Case) -> Value {
    let mut tools = case.script.begin();
    let (mut events, mut now_ms, mut calls) = (Vec::new(), 0u64, 0u64);
    let stop = || Input::Stop { lost: Vec::new() };
    if case.script.stop_at_call == Some(0) {
        run.handle(stop(), Millis(now_ms));
    }
    run.handle(Input::Start, Millis(now_ms));
    loop {
        while let Some(notice) = run.next_notice() {
            events.extend(event(notice));
        }
        let Some(command) = run.next_command() else {
            break;
        };
        let outcome = match &command.action {
            Action::CallTool(call) => {
                calls += 1;
                let answer = tools.call(&call.tool);
                if case.script.stop_at_call == Some(calls) {
                    run.handle(stop(), Millis(now_ms));
                }
                now_ms = now_ms.saturating_add(answer.delay_ms);
                Outcome::Called(answer.result)
            }
            Action::Wait { ms } => {
                now_ms = now_ms.saturating_add(*ms);
                Outcome::Waited
            }
            // No case requests these actions.
            Action::ListTools { .. } => Outcome::Listed(Err(ToolFailure::NotSent(NOBODY.into()))),
            Action::Chat(_) => {
                Outcome::Chatted(Err(Failure::new(FailureKind::Misconfigured, NOBODY)))
            }
            Action::Automate(_) => Outcome::Automated(Err(no_child())),
            Action::Investigate(_) => Outcome::Investigated(Err(no_child())),
        };
        let answer = Answer {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
            outcome,
            remarks: Vec::new(),
        };
        run.handle(Input::Answer(answer), Millis(now_ms));
    }
    json!({"status": run.ending().map(status), "events": events})
}

const NOBODY: &str = "nobody answers that in a case";

fn status(ending: &Ending) -> Value {
    match ending {
        Ending::Completed => json!({"state": "completed"}),
        Ending::Stopped => json!({"state": "stopped"}),
        Ending::Failed { node, message, .. } => json!({
            "state": "failed",
            "node": node.map(|node| node.to_string()),
            "message": message,
        }),
    }
}

/// Converts a notice to the form of recorded cases. Returns `None` if cases omit such notices.
fn event(notice: Notice) -> Option<Value> {
    let (name, members) = match notice.kind {
        NoticeKind::Visited { how, .. } => {
            let how = match how {
                Visit::Run => "run",
                Visit::Control => "control",
                Visit::Skipped => "skipped",
            };
            ("visit", json!({"how": how}))
        }
        NoticeKind::ToolCall {
            tool, arguments, ..
        } => {
            let mut members = json!({"tool": tool});
            if let (Some(arguments), Some(members)) = (arguments, members.as_object_mut()) {
                members.insert("arguments".to_owned(), arguments);
            }
            ("call", members)
        }
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
        NoticeKind::Retry { attempt, error } => {
            ("retry", json!({"attempt": attempt, "error": error}))
        }
        NoticeKind::VariableSet { variable, value } => (
            "variable_set",
            json!({"variable": variable, "value": value}),
        ),
        NoticeKind::BranchEvaluated { resolved, output } => {
            let mut members = json!({"output_taken": output});
            if let (Some((left, right, holds)), Some(members)) = (resolved, members.as_object_mut())
            {
                members.insert("resolved_left".to_owned(), left);
                members.insert("resolved_right".to_owned(), right);
                members.insert("result".to_owned(), holds.into());
            }
            ("branch_evaluated", members)
        }
        NoticeKind::LoopIteration { iteration } => {
            ("loop_iteration", json!({"iteration": iteration}))
        }
        NoticeKind::LoopExited {
            reason,
            iterations_completed,
        } => (
            "loop_exited",
            json!({
                "reason": reason.as_ref(),
                "iterations_completed": iterations_completed,
            }),
        ),
        _ => return None,
    };
    let mut event: Map<String, Value> = members.as_object().cloned().unwrap_or_default();
    event.insert("event".to_owned(), name.into());
    let node = notice.node.map(|(id, _)| id.to_string());
    event.insert("node".to_owned(), node.into());
    Some(Value::Object(event))
}

fn no_child() -> ChildFailure {
    ChildFailure {
        run: None,
        message: NOBODY.to_owned(),
        is_unknown: false,
    }
}
