//! Invalid workflows, with messages that say where; and graphs that make no sense.

use serde_json::{Value, json};
use workflow::machine::Dialect;
use workflow::machine::graph::Workflow;

use super::table::{Table, chain, edge, equals, id, node, texts, tool, workflow};

#[track_caller]
fn check_unreadable(json: &Value, expected: &str) {
    assert_eq!(Workflow::from_json(json).unwrap_err().to_string(), expected);
}

#[test]
fn an_error_names_the_node_and_the_member() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut json = chain(&[tool(1, "a"), tool(2, "b")]);
        change(&mut json);
        json
    };
    check_unreadable(&json!([]), "the workflow must be an object");
    check_unreadable(
        &json!({"id": id(0), "name": "w", "nodes": []}),
        "`edges` of the workflow is missing",
    );
    for (pointer, value, expected) in [
        (
            "/nodes/1/retries",
            json!(1.5),
            "`retries` of node 2 \"b\" must be a whole number from 0 to 4294967295",
        ),
        (
            "/nodes/1/retries",
            json!(-1),
            "`retries` of node 2 \"b\" must be a whole number from 0 to 4294967295",
        ),
        (
            "/nodes/0/id",
            json!("one"),
            "`id` of node 1 \"a\" must be a UUID",
        ),
        (
            "/nodes/0/enabled",
            json!("yes"),
            "`enabled` of node 1 \"a\" must be true or false",
        ),
        (
            "/nodes/0/trace_level",
            json!("Most"),
            "`trace_level` of node 1 \"a\" must be one of Off, Minimal, Full, not \"Most\"",
        ),
        (
            "/nodes/0/position",
            json!(3),
            "`position` of node 1 \"a\" must be an object",
        ),
        (
            "/nodes/0/node_type/tool_name",
            json!(null),
            "`tool_name` of `node_type` of node 1 \"a\" must be a text",
        ),
        (
            "/nodes/0/settle_ms",
            json!("1s"),
            "`settle_ms` of node 1 \"a\" must be whole milliseconds or null",
        ),
        (
            "/edges/0/output",
            json!("IfTrue"),
            "`output` of edge 1 must be an object",
        ),
        (
            "/edges/0/output",
            json!({"type": "Maybe"}),
            "`type` of `output` of edge 1 must be one of IfTrue, IfFalse, SwitchCase, SwitchDefault, LoopBody, LoopDone, not \"Maybe\"",
        ),
    ] {
        let json = with(&|json| *json.pointer_mut(pointer).unwrap() = value.clone());
        check_unreadable(&json, expected);
    }
    let unknown = with(&|json| json["nodes"][0]["node_type"]["type"] = json!("Fly"));
    let error = Workflow::from_json(&unknown).unwrap_err().to_string();
    assert!(
        error.starts_with("`type` of `node_type` of node 1 \"a\" must be one of AiStep,")
            && error.ends_with(", not \"Fly\""),
        "{error}"
    );
    let long = with(&|json| json["nodes"][0]["node_type"]["type"] = json!("x".repeat(10_000)));
    let error = Workflow::from_json(&long).unwrap_err().to_string();
    assert!(error.len() < 500, "{} bytes", error.len());
    let missing = with(&|json| {
        json["nodes"][0]["node_type"]
            .as_object_mut()
            .unwrap()
            .remove("arguments");
    });
    check_unreadable(
        &missing,
        "`arguments` of `node_type` of node 1 \"a\" is missing",
    );
}

#[test]
fn a_disabled_node_of_an_unknown_type_is_passed_over() {
    let told = |dialect: Dialect, mut json: Value| {
        json["nodes"][1]["enabled"] = json!(false);
        let tools = ["a", "b", "c"].into_iter();
        let table = tools.fold(Table::of(dialect, &json), |table, name| {
            table.answers(name, [texts(&[])])
        });
        { table }.run().join("\n")
    };
    let fly = node(2, "Fly away", "Fly", json!({"wings": 2}));
    for dialect in [Dialect::Seed, Dialect::Clickweave, Dialect::Strict] {
        let one = told(dialect, chain(&[tool(1, "a"), fly.clone(), tool(3, "b")]));
        assert!(
            one.contains("Fly away: skipped") && one.contains("b: run"),
            "{one}"
        );
        // It may branch; any edge is as good as its first.
        let nodes = [tool(1, "a"), fly.clone(), tool(3, "b"), tool(4, "c")];
        let ways = [edge(1, 2, ""), edge(2, 3, "IfTrue"), edge(2, 4, "IfFalse")];
        let two = told(dialect, workflow(&nodes, &ways));
        assert!(two.contains("b: run") && !two.contains("c: run"), "{two}");
    }
}

#[test]
fn every_type_of_node_is_read() {
    let condition = equals("a.b", json!(1));
    for (kind, parameters) in [
        (
            "AiStep",
            json!({"prompt": "p", "max_tool_calls": 3, "allowed_tools": ["a"]}),
        ),
        (
            "TakeScreenshot",
            json!({"mode": "Region", "include_ocr": true}),
        ),
        (
            "FindText",
            json!({"search_text": "t", "match_mode": "Exact"}),
        ),
        ("FindImage", json!({"threshold": 1, "max_results": 2})),
        (
            "Click",
            json!({"button": "Center", "click_count": 2, "x": 1}),
        ),
        ("TypeText", json!({"text": "t"})),
        ("PressKey", json!({"key": "k", "modifiers": ["m"]})),
        ("Scroll", json!({"delta_y": -1})),
        ("ListWindows", json!({})),
        (
            "FocusWindow",
            json!({"method": "Pid", "value": "3", "bring_to_front": true}),
        ),
        ("McpToolCall", json!({"tool_name": "t", "arguments": null})),
        (
            "AppDebugKitOp",
            json!({"operation_name": "o", "parameters": [1]}),
        ),
        ("Investigation", json!({"a": "Ann", "b": "Bob"})),
        ("If", json!({"condition": condition})),
        (
            "Switch",
            json!({"cases": [{"name": "c", "condition": condition}]}),
        ),
        (
            "Loop",
            json!({"exit_condition": condition, "max_iterations": 1}),
        ),
        ("EndLoop", json!({"loop_id": id(1)})),
    ] {
        let read = Workflow::from_json(&workflow(&[node(1, "n", kind, parameters)], &[]));
        assert!(read.is_ok(), "{kind}: {read:?}");
    }
}

#[track_caller]
fn check_finding(json: &Value, kind: &str, says: &str) {
    let finding = Table::new(json).finding().unwrap();
    assert_eq!(
        (<&str>::from(&finding), finding.to_string().as_str()),
        (kind, says)
    );
}

#[test]
fn a_graph_that_makes_no_sense_is_refused_by_name() {
    let if_node = |number| {
        node(
            number,
            "Gate",
            "If",
            json!({"condition": equals("a", json!(1))}),
        )
    };
    let looped = |number| {
        let parameters = json!({"exit_condition": equals("a", json!(1)), "max_iterations": 2});
        node(number, "Round", "Loop", parameters)
    };
    let end = |number, of| node(number, "End", "EndLoop", json!({"loop_id": id(of)}));
    let switch = |cases: &[&str]| {
        let case = |name: &&str| json!({"name": name, "condition": equals("a", json!(1))});
        let cases: Vec<_> = cases.iter().map(case).collect();
        node(1, "Sorter", "Switch", json!({"cases": cases}))
    };
    let (a, b) = (tool(2, "a"), tool(3, "b"));
    for (nodes, edges, kind, says) in [
        (
            vec![],
            vec![],
            "NoNodes",
            "The workflow has no nodes; add one.",
        ),
        (
            vec![tool(1, "x"), a.clone()],
            vec![edge(1, 2, ""), edge(2, 1, "")],
            "NoEntryPoint",
            "No node is the first one: an edge leads to each; remove the edge to the first.",
        ),
        (
            vec![tool(1, "x"), a.clone(), b.clone()],
            vec![edge(1, 2, ""), edge(1, 3, "")],
            "MultipleOutgoingEdges",
            "Node 'x' has several edges; a node that does not branch has one at most.",
        ),
        (
            vec![if_node(1), a.clone(), b.clone()],
            vec![edge(1, 2, "IfTrue"), edge(1, 3, "IfFalse"), edge(1, 3, "")],
            "ExtraIfEdges",
            "If 'Gate' has more edges than IfTrue and IfFalse.",
        ),
        (
            vec![switch(&["c", "c"]), a.clone()],
            vec![edge(1, 2, "SwitchCase c")],
            "DuplicateSwitchCaseName",
            "Two cases of Switch 'Sorter' have the name 'c'.",
        ),
        (
            vec![switch(&["c"]), a.clone()],
            vec![edge(1, 2, "SwitchCase c"), edge(1, 2, "SwitchCase c")],
            "DuplicateSwitchCase",
            "Switch 'Sorter' has several edges for case 'c'.",
        ),
        (
            vec![switch(&[]), a.clone()],
            vec![edge(1, 2, "LoopBody")],
            "UnknownSwitchOutput",
            "An edge of Switch 'Sorter' has the label 'LoopBody', which is none of its cases.",
        ),
        (
            vec![looped(1), a.clone(), end(3, 2)],
            vec![edge(1, 2, "LoopBody"), edge(2, 3, ""), edge(3, 2, "")],
            "InvalidEndLoopTarget",
            "EndLoop 'End' belongs to a node that is no Loop; set its loop_id.",
        ),
        (
            vec![looped(1), end(2, 1), end(3, 1)],
            vec![
                edge(1, 2, "LoopBody"),
                edge(1, 3, "LoopDone"),
                edge(2, 1, ""),
                edge(3, 1, ""),
            ],
            "MultipleEndLoops",
            "Loop 'Round' has several EndLoops; one is needed.",
        ),
    ] {
        check_finding(&workflow(&nodes, &edges), kind, says);
    }
}
