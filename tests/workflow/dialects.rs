//! Where the seed and Clickweave of February differ, what new runs are refused for, and what stored orders of the
//! strict dialect still do.

use serde_json::{Value, json};
use workflow::machine::{Dialect, ToolResult};

use super::table::{Table, chain, edge, equals, id, node, texts, tool, workflow};

fn looped(max: u32, done_to: usize) -> Value {
    workflow(
        &[
            node(
                1,
                "Round",
                "Loop",
                json!({
                    "exit_condition": equals("poll.result", json!("x")), "max_iterations": max,
                }),
            ),
            tool(2, "poll"),
            node(3, "End", "EndLoop", json!({"loop_id": id(1)})),
            tool(4, "after"),
        ],
        &[
            edge(1, 2, "LoopBody"),
            edge(1, done_to, "LoopDone"),
            edge(2, if done_to == 3 { 4 } else { 3 }, ""),
            edge(3, 1, ""),
            edge(4, 3, ""),
        ][..if done_to == 3 { 5 } else { 4 }],
    )
}

/// Returns the notices of a loop's rounds.
fn rounds(dialect: Dialect, json: &Value, name: &str) -> Vec<String> {
    let table = Table::of(dialect, json).answers("poll", [texts(&["x"])]);
    let lines = table.answers("after", [texts(&["x"])]).run();
    let mark = format!("{name}: ");
    let of_it = lines.iter().filter_map(|line| line.strip_prefix(&mark));
    of_it
        .filter(|line| *line != "control")
        .map(str::to_owned)
        .collect()
}

#[test]
fn by_the_seed_a_body_runs_at_least_once() {
    let json = looped(0, 4);
    let expected = ["iteration 0", "left after 1: condition_met"];
    assert_eq!(rounds(Dialect::Seed, &json, "Round"), expected);
    let expected = [
        "warning: its max_iterations is 0, so its body never runs.",
        "left after 0: max_iterations",
    ];
    assert_eq!(rounds(Dialect::Clickweave, &json, "Round"), expected);
}

#[test]
fn by_the_seed_the_condition_comes_before_the_maximum() {
    let json = looped(1, 4);
    for (dialect, reason) in [
        (Dialect::Seed, "condition_met"),
        (Dialect::Clickweave, "max_iterations"),
        (Dialect::Strict, "condition_met"),
    ] {
        let expected = ["iteration 0".to_owned(), format!("left after 1: {reason}")];
        assert_eq!(rounds(dialect, &json, "Round"), expected, "{dialect:?}");
    }
}

#[test]
fn by_the_seed_a_node_has_ten_retries_at_most() {
    let mut json = chain(&[tool(1, "poll")]);
    for (retries, refused) in [(10, false), (11, true)] {
        json["nodes"][0]["retries"] = json!(retries);
        let finding = Table::new(&json).finding();
        assert_eq!(finding.is_some(), refused, "{retries}: {finding:?}");
        assert_eq!(Table::of(Dialect::Clickweave, &json).finding(), None);
    }
    check_told(&json, "poll", "it has more than 10 retries.");
}

/// Checks that the run emits a warning, even if new runs are refused for it.
#[track_caller]
fn check_told(json: &Value, node: &str, says: &str) {
    for dialect in [Dialect::Seed, Dialect::Clickweave] {
        let mut table = Table::of(dialect, json)
            .answers("poll", [texts(&["x"])])
            .answers("after", [texts(&["x"])]);
        table.order.limits.steps_max = 100;
        let lines = table.run();
        let warning = format!("{node}: warning: {says}");
        assert!(lines.contains(&warning), "{dialect:?}: {lines:#?}");
    }
}

#[test]
fn what_only_does_harm_is_refused_in_new_runs() {
    let check = |json: &Value, node: &str, says: &str| {
        for dialect in [Dialect::Seed, Dialect::Clickweave] {
            let refused = Table::of(dialect, json).finding().unwrap();
            assert_eq!(refused.to_string(), format!("Node '{node}': {says}"));
        }
        check_told(json, node, says);
    };
    check(
        &looped(3, 3),
        "Round",
        "its LoopDone leads to its own EndLoop, so it never ends.",
    );
    let mut once = looped(3, 4);
    once["edges"][2] = edge(4, 3, "");
    check(
        &once,
        "Round",
        "its body never comes to its EndLoop, so it runs once.",
    );
    let nowhere = workflow(&[tool(1, "poll")], &[edge(1, 9, "")]);
    check(
        &nowhere,
        "poll",
        "an edge of it leads to a node that does not exist; the run ends there.",
    );
    let mut twice = chain(&[tool(1, "poll"), tool(2, "after")]);
    let other = tool(2, "after");
    twice["nodes"].as_array_mut().unwrap().push(other);
    check(
        &twice,
        "after",
        "another node has its id, and is executed in its place.",
    );
    let apart = workflow(&[tool(1, "poll"), tool(2, "after")], &[edge(9, 2, "")]);
    check(&apart, "after", "no way leads to it.");
}

#[test]
fn other_surprises_are_told_and_the_run_goes_on() {
    let check = |json: &Value, node: &str, says: &str| {
        for dialect in [Dialect::Seed, Dialect::Clickweave] {
            assert_eq!(Table::of(dialect, json).finding(), None, "{says}");
        }
        check_told(json, node, says);
    };
    let after = || tool(2, "after");
    let alike = chain(&[tool(1, "poll"), {
        let mut node = after();
        node["name"] = json!("Poll");
        node
    }]);
    check(
        &alike,
        "poll",
        "another node's name is the same as a variable; they overwrite each other.",
    );
    let labelled = workflow(&[tool(1, "poll"), after()], &[edge(1, 2, "IfTrue")]);
    check(
        &labelled,
        "poll",
        "its edge has a label, so it is not followed; the run ends there.",
    );
    let switch = node(1, "Sorter", "Switch", json!({"cases": []}));
    check(
        &workflow(&[switch], &[]),
        "Sorter",
        "it has no SwitchDefault; without a match the run ends there.",
    );
    let unknown = node(
        2,
        "Gate",
        "If",
        json!({"condition": equals("pol.result", json!("x"))}),
    );
    let unknown = workflow(
        &[tool(1, "poll"), unknown, tool(3, "after")],
        &[edge(1, 2, ""), edge(2, 3, "IfTrue"), edge(2, 3, "IfFalse")],
    );
    check(
        &unknown,
        "Gate",
        "its condition asks for a variable that no node sets.",
    );
    let mut timed = chain(&[tool(1, "poll")]);
    timed["nodes"][0]["timeout_ms"] = json!(5);
    check(&timed, "poll", "its timeout_ms is not looked at.");
}

#[test]
fn a_switch_without_a_match_says_so() {
    let cases = json!([{"name": "c", "condition": equals("poll.result", json!("y"))}]);
    let json = workflow(
        &[
            tool(1, "poll"),
            node(2, "Sorter", "Switch", json!({"cases": cases})),
            tool(3, "after"),
        ],
        &[edge(1, 2, ""), edge(2, 3, "SwitchCase c")],
    );
    let lines = Table::new(&json).answers("poll", [texts(&["x"])]).run();
    let tail = &lines[lines.len() - 3..];
    let expected = [
        "Sorter: warning: no case holds and there is no SwitchDefault; the run ends here.",
        "Sorter: takes SwitchDefault",
        "completed",
    ];
    assert_eq!(tail, expected);
}

#[test]
fn values_of_an_earlier_answer_go_with_the_next_one() {
    let again = |number, name: &str| {
        let mut json = tool(number, "look");
        json["name"] = json!(name);
        json
    };
    // One node, executed twice.
    let json = workflow(
        &[
            node(
                1,
                "Round",
                "Loop",
                json!({
                    "exit_condition": equals("look.count", json!(0)), "max_iterations": 5,
                }),
            ),
            again(2, "look"),
            node(3, "End", "EndLoop", json!({"loop_id": id(1)})),
        ],
        &[edge(1, 2, "LoopBody"), edge(2, 3, ""), edge(3, 1, "")],
    );
    let answers = || [texts(&[r#"[{"x":7}]"#]), texts(&["[]"])];
    let mut table = Table::new(&json).answers("look", answers());
    let (lines, run) = table.conduct();
    assert_eq!(run.variables().value("look.x"), &json!(7));
    let warning = "look: warning: its answer is an empty list; the values of an earlier one stay.";
    assert!(lines.iter().any(|line| line == warning), "{lines:#?}");
    let (lines, run) = Table::of(Dialect::Strict, &json)
        .answers("look", answers())
        .conduct();
    assert_eq!(run.variables().value("look.x"), &Value::Null);
    assert!(
        !lines.iter().any(|line| line.contains("warning")),
        "{lines:#?}"
    );
}

#[test]
fn a_stored_strict_order_finds_a_list_beside_other_words_and_takes_what_is_structured() {
    let find = node(
        1,
        "Find",
        "FindText",
        json!({"search_text": "a", "match_mode": "Exact"}),
    );
    let answers = || [texts(&[r#"[{"x":7}]"#, "1 match"])];
    let (_, run) = Table::of(Dialect::Strict, &chain(std::slice::from_ref(&find)))
        .answers("find_text", answers())
        .conduct();
    assert_eq!(run.variables().value("find.found"), &json!(true));
    let (_, run) = Table::new(&chain(std::slice::from_ref(&find)))
        .answers("find_text", answers())
        .conduct();
    assert_eq!(run.variables().value("find.found"), &Value::Null);
    let structured = || {
        [texts(&["2 matches"]).map(|result| ToolResult {
            structured: Some(json!([{"x": 8, "found": "no", "success": false}])),
            ..result
        })]
    };
    let (_, run) = Table::of(Dialect::Strict, &chain(std::slice::from_ref(&find)))
        .answers("find_text", structured())
        .conduct();
    assert_eq!(run.variables().value("find.x"), &json!(8));
    assert_eq!(run.variables().value("find.found"), &json!(true));
    assert_eq!(run.variables().value("find.success"), &json!(true));
    let (_, run) = Table::new(&chain(&[find]))
        .answers("find_text", structured())
        .conduct();
    assert_eq!(run.variables().value("find.result"), &json!("2 matches"));
}

#[test]
fn a_stop_ends_the_retries_of_stored_strict_orders_alone() {
    let mut node = tool(1, "poll");
    node["retries"] = json!(2);
    let failing = || {
        texts(&["no"]).map(|mut result| {
            result.is_error = true;
            result
        })
    };
    let calls = |mut table: Table| {
        table.stop_at = Some(1);
        let lines = table.answers("poll", [failing()]).run();
        lines.iter().filter(|line| line.contains("calls")).count()
    };
    assert_eq!(calls(Table::new(&chain(&[node.clone()]))), 3);
    assert_eq!(calls(Table::of(Dialect::Strict, &chain(&[node]))), 1);
}

#[test]
fn a_loop_that_was_left_early_counts_anew_in_stored_strict_orders_alone() {
    // The If leaves the inner loop, and the outer loop enters it again.
    let never = || equals("poll.result", json!("never"));
    let json = workflow(
        &[
            node(
                1,
                "Outer",
                "Loop",
                json!({"exit_condition": never(), "max_iterations": 2}),
            ),
            node(
                2,
                "Inner",
                "Loop",
                json!({"exit_condition": never(), "max_iterations": 3}),
            ),
            tool(3, "poll"),
            node(
                4,
                "Gate",
                "If",
                json!({"condition": equals("poll.result", json!("x"))}),
            ),
            node(5, "Inner end", "EndLoop", json!({"loop_id": id(2)})),
            node(6, "Outer end", "EndLoop", json!({"loop_id": id(1)})),
        ],
        &[
            edge(1, 2, "LoopBody"),
            edge(2, 3, "LoopBody"),
            edge(2, 6, "LoopDone"),
            edge(3, 4, ""),
            edge(4, 6, "IfTrue"),
            edge(4, 5, "IfFalse"),
            edge(5, 2, ""),
            edge(6, 1, ""),
        ],
    );
    let warning = "warning: it was left without its exit before, and goes on counting from there.";
    for dialect in [Dialect::Seed, Dialect::Clickweave] {
        let expected = ["iteration 0", warning, "iteration 1"];
        assert_eq!(rounds(dialect, &json, "Inner"), expected);
    }
    let expected = ["iteration 0", "iteration 0"];
    assert_eq!(rounds(Dialect::Strict, &json, "Inner"), expected);
}
