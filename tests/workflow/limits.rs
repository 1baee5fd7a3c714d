//! The limits of a workflow run.

use serde_json::{Value, json};

use super::table::{Table, chain, edge, equals, id, node, texts, tool, workflow};

/// A valid workflow that never ends.
fn endless() -> Value {
    workflow(
        &[
            node(
                1,
                "Round",
                "Loop",
                json!({
                    "exit_condition": equals("a", json!(1)), "max_iterations": 1,
                }),
            ),
            node(2, "End", "EndLoop", json!({"loop_id": id(1)})),
        ],
        &[
            edge(1, 2, "LoopBody"),
            edge(1, 2, "LoopDone"),
            edge(2, 1, ""),
        ],
    )
}

#[test]
fn a_workflow_that_never_ends_is_ended() {
    let mut table = Table::new(&endless());
    table.order.limits.steps_max = 1_000;
    let (lines, run) = table.conduct();
    assert_eq!(
        lines.last().unwrap(),
        "step_limit: The run has taken all of its 1000 steps; a loop of it may never end."
    );
    assert_eq!(run.spent().steps, 1_000);
}

#[test]
fn what_is_told_of_a_long_loop_is_bounded_and_that_is_told() {
    let mut table = Table::new(&endless());
    table.order.limits.trace_events_max = 20;
    let (lines, run) = table.conduct();
    assert_eq!(run.spent().steps, 100_000);
    assert!(lines.len() < 30, "{}", lines.len());
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.contains("TraceBounded"))
            .count(),
        1
    );
    assert!(run.events_left_out() > 100_000);
}

#[test]
fn calls_time_and_retries_are_bounded() {
    let many = || chain(&[tool(1, "a"), tool(2, "b"), tool(3, "c")]);
    let table = || {
        Table::new(&many())
            .answers("a", [texts(&["x"])])
            .answers("b", [texts(&["x"])])
            .answers("c", [texts(&["x"])])
    };
    let mut few = table();
    few.order.limits.tool_calls_max = 2;
    let last = few.run().pop().unwrap();
    assert_eq!(
        last,
        "budget: The run has made all of the tool calls that it may make."
    );
    let mut short = table();
    short.order.limits.runtime_ms_max = 2;
    assert_eq!(
        short.run().pop().unwrap(),
        "time_limit: The run's time of 2 ms is over."
    );
    let mut retried = tool(1, "a");
    retried["retries"] = json!(4_000_000_000_u32);
    let failing = texts(&["no"]).map(|mut result| {
        result.is_error = true;
        result
    });
    let mut table = Table::new(&chain(&[retried])).answers("a", [failing]);
    table.order.limits.steps_max = 50;
    table.order.limits.tool_calls_max = 1_000;
    assert!(table.run().pop().unwrap().starts_with("step_limit"));
}

#[test]
fn a_chat_that_the_money_does_not_last_for_is_not_asked() {
    let mut table = Table::new(&chain(&[node(1, "Step", "AiStep", json!({"prompt": "p"}))]));
    table.order.limits.nano_usd_max = Some(2);
    table.order.limits.chat_nano_usd_max = 1;
    let last = table.run().pop().unwrap();
    // A question may take three attempts.
    assert_eq!(
        last,
        "budget: The run's money does not last for one more question to a model."
    );
    assert!(table.asked.is_empty());
}
