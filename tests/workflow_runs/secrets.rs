//! The secret for an MCP server is never revealed, although the server echoes it.

use serde_json::{Value, json};

use crate::workflow::table::{id, node};

use super::bench::{Bench, last};

/// The desktop's answer about its apps has these words.
const SECRET: &str = "org.example.ledger";

fn run_with(headers: &Value) -> (String, Value) {
    let call = json!({"tool_name": "list_apps", "arguments": {}});
    let workflow = json!({"id": id(0), "name": "echo", "nodes": [node(1, "Apps", "McpToolCall", call)], "edges": []});
    let mut bench = Bench::with_headers("/mcp/desk", false, headers);
    let run = bench.conduct(&workflow, &json!({}));
    (format!("{run:?}"), last(&run))
}

#[test]
fn what_a_server_repeats_of_its_headers_is_hidden() {
    let (told, _) = run_with(&json!({}));
    assert!(told.contains(SECRET), "{told}");
    for headers in [
        json!({"Authorization": format!("Bearer {SECRET}")}),
        json!({"Authorization": "Basic YWRhOm9yZy5leGFtcGxlLmxlZGdlcg=="}),
        json!({"X-Api-Key": SECRET.to_uppercase()}),
        json!({"Cookie": format!("theme=dark; sid={SECRET}")}),
        json!({"X-Caller": SECRET}),
    ] {
        let (told, last) = run_with(&headers);
        assert_eq!(last["type"], "completed", "{headers}: {last}");
        assert!(!told.contains(SECRET) && told.contains("***"), "{headers}");
        // Other texts are emitted unchanged.
        assert!(told.contains("org.example.notes"), "{headers}: {told}");
    }
}
