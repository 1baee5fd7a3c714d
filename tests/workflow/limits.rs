//! What a run may do and spend.

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
fn comparing_long_values_counts_as_steps() {
    let literal =
        |text: String| json!({"type": "Literal", "value": {"type": "String", "value": text}});
    let condition = json!({
        "left": literal("x".repeat(1_000_000)), "operator": "Contains", "right": literal("y".to_owned()),
    });
    let exit = json!({"exit_condition": equals("a", json!(1)), "max_iterations": 1_000_000});
    let graph = workflow(
        &[
            node(1, "Round", "Loop", exit),
            node(2, "Is it there?", "If", json!({"condition": condition})),
            node(3, "End", "EndLoop", json!({"loop_id": id(1)})),
        ],
        &[
            edge(1, 2, "LoopBody"),
            edge(1, 3, "LoopDone"),
            edge(2, 3, "IfTrue"),
            edge(2, 3, "IfFalse"),
            edge(3, 1, ""),
        ],
    );
    let mut table = Table::new(&graph);
    table.order.limits.steps_max = 1_000;
    let (lines, run) = table.conduct();
    assert!(
        lines.last().unwrap().starts_with("step_limit"),
        "{:?}",
        lines.last()
    );
    let compared = lines.iter().filter(|line| line.contains("takes IfFalse"));
    // Three visits, and twenty steps for a megabyte; the last comparison is told, and was one too many.
    assert_eq!(compared.count(), 1_000 / 23 + 1);
    assert!(run.spent().steps <= 1_000);
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
