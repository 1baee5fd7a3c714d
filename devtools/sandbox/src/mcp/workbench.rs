//! The desktop of one server, and the calls executed on it.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::altered::altered;
use super::desktop::Desktop;
use super::faults::McpFault;
use super::plan::ServerPlan;
use super::tool_calls::{Called, call};

/// The most executed calls that the log keeps; beyond that the oldest are dropped.
const ROWS_MAX: usize = 1_000;
/// The most bytes that the log keeps; beyond that the oldest calls are dropped.
const LOG_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A desktop, and the calls executed on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Workbench {
    desktop: Desktop,
    /// The executed calls as rows, each with its length in bytes.
    log: VecDeque<(Value, usize)>,
    log_bytes: usize,
    /// The number of calls so far, executed or not.
    calls: u64,
}

impl Workbench {
    /// Counts a call and returns the plan's fault for it, if any.
    pub(super) fn next_fault(&mut self, plan: &ServerPlan) -> Option<McpFault> {
        self.calls += 1;
        plan.fault_at(self.calls)
    }

    /// Executes a call and returns its `result`, altered by its fault. Returns `None` if the tool does not exist.
    pub(super) fn execute(
        &mut self,
        name: &str,
        arguments: &Value,
        fault: Option<McpFault>,
    ) -> Option<Value> {
        let result = self.executed(name, arguments)?;
        Some(altered(fault, result, self.calls))
    }

    fn executed(&mut self, name: &str, arguments: &Value) -> Option<Value> {
        match call(&mut self.desktop, name, arguments) {
            Called::Unknown => None,
            Called::Refused(result) => Some(result),
            Called::Executed(result) => {
                self.note(json!({
                    "n": self.calls, "tool": name, "arguments": arguments,
                    "isError": result.get("isError"),
                }));
                Some(result)
            }
        }
    }

    fn note(&mut self, row: Value) {
        let bytes = row.to_string().len();
        self.log_bytes += bytes;
        self.log.push_back((row, bytes));
        while self.log.len() > ROWS_MAX || self.log_bytes > LOG_BYTES_MAX {
            let Some((_, bytes)) = self.log.pop_front() else {
                return;
            };
            self.log_bytes -= bytes;
        }
    }

    /// Returns the log of executed calls, the oldest first. `n` is a call's number among all calls, executed or not.
    pub(super) fn log(&self) -> Value {
        let rows: Vec<_> = self.log.iter().map(|(row, _)| row).collect();
        json!(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bench: &Workbench) -> Vec<u64> {
        let log = bench.log();
        let rows = log.as_array().unwrap().iter();
        rows.map(|row| row["n"].as_u64().unwrap()).collect()
    }

    #[test]
    fn what_was_not_executed_is_not_told() {
        let mut bench = Workbench::default();
        for (tool, arguments) in [
            ("list_apps", json!({})),
            ("list_apps", json!({"name": 7})),
            ("dance", json!({})),
            ("launch_app", json!({"app_name": "Chess"})),
        ] {
            bench.calls += 1;
            bench.execute(tool, &arguments, None);
        }
        assert_eq!(numbers(&bench), [1, 4]);
        assert_eq!(bench.log()[1]["isError"], true);
    }

    #[test]
    fn the_log_is_bounded_by_rows_and_by_bytes() {
        let mut bench = Workbench::default();
        for _ in 0..ROWS_MAX + 5 {
            bench.calls += 1;
            bench.execute("list_apps", &json!({}), None);
        }
        let told = numbers(&bench);
        assert_eq!((told.len(), told[0]), (ROWS_MAX, 6));
        let large = json!({"template_image_base64": "x".repeat(LOG_BYTES_MAX / 2)});
        bench.execute("find_image", &large, None);
        bench.execute("find_image", &large, None);
        assert_eq!(numbers(&bench).len(), 1);
        assert!(bench.log_bytes <= LOG_BYTES_MAX);
    }
}
