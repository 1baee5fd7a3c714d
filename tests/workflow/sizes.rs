//! Large graphs are parsed, validated and walked without deep recursion.

use serde_json::{Value, json};
use workflow::machine::graph::NODES_MAX;

use kernel::Millis;
use workflow::machine::{Input, Outcome, WorkflowRun};

use crate::counting_allocator::most_held;

use super::table::{Table, answer, chain, edge, equals, id, node, texts, tool, workflow};

fn long_chain(nodes: usize) -> Value {
    let nodes: Vec<Value> = (1..=nodes).map(|number| tool(number, "a")).collect();
    chain(&nodes)
}

#[test]
fn a_chain_of_ten_thousand_nodes_is_walked() {
    let mut table = Table::new(&long_chain(10_000)).answers("a", [texts(&["x"])]);
    table.order.limits.tool_calls_max = 20_000;
    let (lines, run) = table.conduct();
    assert_eq!(lines.last().unwrap(), "completed");
    assert_eq!(run.spent().tool_calls, 10_000);
}

#[test]
fn a_workflow_with_too_many_nodes_is_refused() {
    use workflow::machine::graph::Workflow;
    let json = json!({
        "id": super::table::id(0), "name": "w", "edges": [],
        "nodes": vec![Value::Null; NODES_MAX + 1],
    });
    let error = Workflow::from_json(&json).unwrap_err().to_string();
    assert_eq!(error, "the workflow has 20001 nodes; 20000 may be");
}

/// Returns the most bytes held by a loop of this many calls, with its notices consumed as they come.
fn bytes_of_loop(iterations: u32) -> usize {
    let json = workflow(
        &[
            node(
                1,
                "Round",
                "Loop",
                json!({
                    "exit_condition": equals("a.result", json!("never")), "max_iterations": iterations,
                }),
            ),
            tool(2, "a"),
            node(3, "End", "EndLoop", json!({"loop_id": id(1)})),
        ],
        &[edge(1, 2, "LoopBody"), edge(2, 3, ""), edge(3, 1, "")],
    );
    let mut order = Table::new(&json).order;
    order.limits.steps_max = 4 * iterations;
    order.limits.tool_calls_max = iterations;
    order.limits.runtime_ms_max = u64::MAX;
    let (calls, most) = most_held(|| {
        let mut run = WorkflowRun::new(order).unwrap();
        run.handle(Input::Start, Millis(0));
        let mut calls = 0;
        while let Some(command) = run.next_command() {
            while run.next_notice().is_some() {}
            calls += 1;
            let outcome = Outcome::Called(texts(&[&format!("{{\"n\":{calls}}}")]));
            run.handle(Input::Answer(answer(&command, outcome)), Millis(calls));
        }
        assert!(run.is_ended());
        calls
    });
    assert_eq!(calls, u64::from(iterations));
    most
}

#[test]
fn a_loop_of_a_hundred_thousand_iterations_holds_no_more_than_a_short_one() {
    let (short, long) = (bytes_of_loop(1_000), bytes_of_loop(100_000));
    println!("1,000 iterations hold {short} bytes at most, 100,000 hold {long}");
    assert!(long < short + 10_000, "{short} {long}");
}
