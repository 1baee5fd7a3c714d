//! Transcripts of each kind of walk in every dialect, with notices and commands. `tests/versions` ties the transcripts
//! to the version.

use domain::Sha256Digest;
use domain::chat::{ChatReply, ImageRef, ModelToolCall};
use serde_json::{Value, json};
use workflow::machine::{Block, Dialect, ToolFailure, ToolResult};

use crate::kept;

use super::table::{Table, chain, edge, equals, id, node, reply, texts, tool, workflow};

/// Runs a table in each dialect, and compares the runs with the stored ones. In none of these walks do the seed and
/// Clickweave differ.
#[track_caller]
fn check(name: &str, table: impl Fn() -> Table) {
    for (dialect, folder) in [
        (Dialect::Seed, "clickweave"),
        (Dialect::Clickweave, "clickweave"),
        (Dialect::Strict, "strict"),
    ] {
        let mut table = table();
        table.order.dialect = dialect;
        table.tells_commands = true;
        let lines = table.run().join("\n") + "\n";
        kept::check(
            &lines,
            &format!("tests/workflow/transcripts/{folder}/{name}.txt"),
        );
    }
}

/// Returns a loop around `poll`, which leads to node 4, a tool named `after`.
fn looped(iterations_max: u32) -> Value {
    let condition = equals("poll.state", json!("done"));
    let parameters = json!({"exit_condition": condition, "max_iterations": iterations_max});
    workflow(
        &[
            node(1, "Round", "Loop", parameters),
            tool(2, "poll"),
            node(3, "End", "EndLoop", json!({"loop_id": id(1)})),
            tool(4, "after"),
        ],
        &[
            edge(1, 2, "LoopBody"),
            edge(1, 4, "LoopDone"),
            edge(2, 3, ""),
            edge(3, 1, ""),
        ],
    )
}

fn polled(json: &Value) -> Table {
    let states = [r#"{"state":"wait"}"#, r#"{"state":"done"}"#];
    Table::new(json)
        .answers("poll", states.map(|state| texts(&[state])))
        .answers("after", [texts(&["ok"])])
}

#[test]
fn a_loop_is_left_by_its_condition() {
    check("a_loop_is_left_by_its_condition", || polled(&looped(5)));
}

#[test]
fn a_loop_is_left_after_its_most_iterations() {
    check("a_loop_is_left_after_its_most_iterations", || {
        polled(&looped(1))
    });
}

#[test]
fn a_walk_ends_at_its_most_steps() {
    check("a_walk_ends_at_its_most_steps", || {
        let mut table = polled(&looped(5));
        table.order.limits.steps_max = 4;
        table
    });
}

/// Returns `look`, then a branch on its result, then `yes` or `no`.
fn branched(kind: &str, parameters: Value, taken: [&str; 2]) -> Value {
    workflow(
        &[
            tool(1, "look"),
            node(2, "Which", kind, parameters),
            tool(3, "yes"),
            tool(4, "no"),
        ],
        &[edge(1, 2, ""), edge(2, 3, taken[0]), edge(2, 4, taken[1])],
    )
}

fn looking(json: &Value, seen: &'static str) -> Table {
    Table::new(json)
        .answers("look", [texts(&[seen])])
        .answers("yes", [texts(&["ok"])])
        .answers("no", [texts(&["ok"])])
}

#[test]
fn a_branch_is_taken() {
    let condition = equals("look.result", json!("x"));
    let json = branched("If", json!({"condition": condition}), ["IfTrue", "IfFalse"]);
    check("an_if_that_holds", || looking(&json, "x"));
    check("an_if_that_does_not_hold", || looking(&json, "y"));
    let cases = json!({"cases": [{"name": "c", "condition": condition}]});
    let json = branched("Switch", cases, ["SwitchCase c", "SwitchDefault"]);
    check("a_switch_with_a_match", || looking(&json, "x"));
    check("a_switch_without_a_match", || looking(&json, "y"));
}

#[test]
fn a_node_is_tried_again_settles_and_fails() {
    let mut late = tool(1, "late");
    late["retries"] = json!(1);
    late["settle_ms"] = json!(20);
    let json = chain(&[late, tool(2, "after")]);
    let refused = || Err(ToolFailure::Refused("busy".into()));
    let table = || Table::new(&json).answers("after", [texts(&["ok"])]);
    check("a_retry_that_succeeds", || {
        table().answers("late", [refused(), texts(&["now"])])
    });
    check("a_retry_that_fails", || {
        table().answers("late", [refused()])
    });
    let lost = || Err(ToolFailure::UnknownOutcome("the connection broke".into()));
    check("a_call_that_may_have_run", || {
        Table::new(&chain(&[tool(1, "pay")])).answers("pay", [lost()])
    });
    check("a_tool_that_nobody_has", || {
        Table::new(&chain(&[tool(1, "none")]))
    });
    for (name, answer) in [
        ("a_stop", texts(&["now"])),
        ("a_stop_before_a_retry", refused()),
    ] {
        check(name, || {
            let mut table = table().answers("late", [answer.clone()]);
            table.stop_at = Some(1);
            table
        });
    }
}

fn step() -> Table {
    let json = chain(&[node(
        1,
        "Step",
        "AiStep",
        json!({"prompt": "Fill the form"}),
    )]);
    let image = ImageRef {
        digest: Sha256Digest::of(b"png"),
        mime_type: "image/png".into(),
    };
    let seen = ToolResult {
        blocks: vec![Block::Image(image), Block::Text("a form".into())],
        ..ToolResult::default()
    };
    let mut table = Table::new(&json).answers("look", [Ok(seen)]);
    table.listed = vec!["look", "type"];
    table
}

#[test]
fn a_model_calls_tools() {
    let call = |tool: &str| {
        let call = ModelToolCall {
            id: "c".into(),
            tool: tool.into(),
            arguments: r#"{"n":1}"#.into(),
        };
        Ok(ChatReply {
            calls: vec![call],
            ..ChatReply::default()
        })
    };
    check("a_model_that_looks", || {
        step().replies([call("look"), reply("A form with a name."), reply("Done.")])
    });
    check("a_model_that_calls_what_is_not_there", || {
        step().replies([call("none"), reply("Done.")])
    });
    check("a_model_that_is_not_there", step);
}

#[test]
fn an_element_is_asked_of_a_model() {
    let parameters = json!({"target": "times", "button": "Left", "click_count": 1});
    let json = chain(&[node(1, "Click", "Click", parameters)]);
    let nothing = ["[]", r#"{"available_elements":["Multiply","Divide"]}"#];
    let found = r#"[{"text":"Multiply","x":1.5,"y":2}]"#;
    let table = || {
        Table::new(&json)
            .answers("find_text", [texts(&nothing), texts(&[found])])
            .answers("click", [texts(&["ok"])])
    };
    check("an_element_by_another_name", || {
        table().replies([reply(r#"{"name":"Multiply"}"#)])
    });
    check("an_element_that_nobody_finds", || {
        table().replies([reply(r#"{"name":null}"#)])
    });
}

#[test]
fn checks_are_judged_after_the_run() {
    let mut look = tool(1, "look");
    let named = |name: &str, on_fail: &str| {
        json!({
            "name": name, "check_type": "TextPresent", "params": {"text": name}, "on_fail": on_fail,
        })
    };
    look["checks"] = json!([named("one", "FailNode"), named("two", "WarnOnly")]);
    let json = chain(&[look]);
    let verdicts = |one: &str| {
        let said = |name: &str, verdict: &str| json!({"check_name": name, "verdict": verdict, "reasoning": "seen"});
        reply(&json!([said("one", one), said("two", "fail")]).to_string())
    };
    let table = || Table::new(&json).answers("look", [texts(&["x"])]);
    check("a_check_that_passes", || {
        table().replies([verdicts("pass")])
    });
    check("a_check_that_fails", || table().replies([verdicts("fail")]));
    check("a_check_that_nobody_judges", table);
}
