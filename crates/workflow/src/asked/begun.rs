//! The workflows that other runs begin.

use serde_json::{Value, json};

use engine::budget::Amount;
use engine::{Begun, ChildOutput, ChildResult, NoResult, ParentLimits};

use crate::stored::{WorkflowEngine, WorkflowOrder};

use super::options::RUNTIME_MS_MIN;

impl Begun for WorkflowEngine {
    const NOUN: &'static str = "workflow";

    fn limited(order: WorkflowOrder, left: &ParentLimits<'_>) -> Result<WorkflowOrder, String> {
        if left.runtime_ms_max < RUNTIME_MS_MIN {
            let noun = left.noun;
            return Err(format!("The {noun}'s time does not last for a workflow."));
        }
        Ok(order.within(left.runtime_ms_max, left.nano_usd_max))
    }

    fn nano_usd_max(order: &WorkflowOrder) -> u64 {
        order.nano_usd_max().unwrap_or_default()
    }

    /// Returns `{"completed": true}`: what a workflow has set and read stands in its own record.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let usd = last_event.pointer("/payload/spent/usd");
        let usd = usd.and_then(Value::as_f64).unwrap_or_default();
        let text = |member| last_event.pointer(member).and_then(Value::as_str);
        let result = match text("/type") {
            Some("completed") => Ok(ChildOutput {
                value: json!({"completed": true}),
                message: "The workflow was completed.".to_owned(),
            }),
            Some("stopped") => Err("The workflow was stopped.".into()),
            _ => {
                let says = text("/payload/message").filter(|says| !says.is_empty());
                let says = says.unwrap_or("The workflow ended without a result.");
                Err(NoResult {
                    is_unknown: text("/payload/reason") == Some("unknown_outcome"),
                    ..says.into()
                })
            }
        };
        (result, Amount::nano_usd_of(usd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
