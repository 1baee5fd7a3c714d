//! Large graphs: read, looked at and walked without deep recursion.

use serde_json::{Value, json};
use visual_degrees::workflow::graph::NODES_MAX;

use super::table::{Table, chain, texts, tool};

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
    use visual_degrees::workflow::graph::Workflow;
    let json = json!({
        "id": super::table::id(0), "name": "w", "edges": [],
        "nodes": vec![Value::Null; NODES_MAX + 1],
    });
    let error = Workflow::from_json(&json).unwrap_err().to_string();
    assert_eq!(error, "the workflow has 20001 nodes; 20000 may be");
}
