//! A workflow of thirty calls: twenty to a server that stores data, ten to one that computes.

use serde_json::{Value, json};

/// The number of its calls.
pub const CALLS: usize = 30;
/// The number of orders, each with several calls to the server that stores data.
const ORDERS: usize = 6;

/// Returns whether a call `tool {arguments}` may be repeated, according to its server.
pub fn may_be_repeated(call: &str) -> bool {
    !["create_entities ", "add_observations ", "create_relations "]
        .iter()
        .any(|acting| call.starts_with(acting))
}

/// Returns the graph; its first call removes leftovers of an earlier run.
pub fn workflow() -> Value {
    let names: Vec<String> = (1..=ORDERS).map(order).collect();
    let mut calls = vec![("memory", "delete_entities", json!({"entityNames": names}))];
    for n in 1..=ORDERS {
        let entity = json!({"name": order(n), "entityType": "order", "observations": []});
        let observation = json!({"entityName": order(n), "contents": ["paid"]});
        calls.push(("memory", "create_entities", json!({"entities": [entity]})));
        calls.push(("everything", "get-sum", json!({"a": n, "b": 40})));
        calls.push((
            "memory",
            "add_observations",
            json!({"observations": [observation]}),
        ));
        calls.push(("memory", "open_nodes", json!({"names": [order(n)]})));
    }
    let relation = json!({"from": order(1), "to": order(2), "relationType": "comes before"});
    calls.push((
        "memory",
        "create_relations",
        json!({"relations": [relation]}),
    ));
    let long = json!({"duration": 0.02, "steps": 2});
    calls.push(("everything", "trigger-long-running-operation", long));
    calls.push(("everything", "echo", json!({"message": "all orders"})));
    calls.push(("everything", "get-tiny-image", json!({})));
    calls.push(("memory", "read_graph", json!({})));
    let nodes: Vec<Value> = calls
        .into_iter()
        .zip(1..)
        .map(|(call, number)| node(number, call))
        .collect();
    let edges = (1..nodes.len()).map(|n| json!({"from": id(n), "to": id(n + 1), "output": null}));
    let edges: Vec<Value> = edges.collect();
    json!({"id": id(99), "name": "thirty calls", "nodes": nodes, "edges": edges})
}

fn order(number: usize) -> String {
    format!("order {number}")
}

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn node(number: usize, (server, tool, arguments): (&str, &str, Value)) -> Value {
    json!({
        "id": id(number), "name": format!("Call {number}"), "server": server, "position": {"x": 0, "y": 0},
        "node_type": {"type": "McpToolCall", "tool_name": tool, "arguments": arguments},
        "enabled": true, "timeout_ms": null, "settle_ms": null, "retries": 0,
        "trace_level": "Minimal", "expected_outcome": null, "checks": [],
    })
}
