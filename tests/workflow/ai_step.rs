//! AI steps: a model that calls tools.

use domain::Sha256Digest;
use domain::chat::{ChatPurpose, ChatReply, ImageRef, ModelToolCall, Part, Turn};
use serde_json::{Value, json};
use workflow::machine::{Block, ToolFailure, ToolResult};

use super::table::{Table, chain, node, reply, texts};

fn step(parameters: Value) -> Value {
    let mut all = json!({"prompt": "Fill the form"});
    for (name, value) in parameters.as_object().unwrap() {
        all[name] = value.clone();
    }
    chain(&[node(1, "Step", "AiStep", all)])
}

fn calls(tools: &[(&str, &str)]) -> Result<ChatReply, domain::Failure> {
    let calls = tools
        .iter()
        .enumerate()
        .map(|(at, (tool, arguments))| ModelToolCall {
            id: format!("c{at}"),
            tool: (*tool).to_owned(),
            arguments: (*arguments).to_owned(),
        });
    Ok(ChatReply {
        calls: calls.collect(),
        ..ChatReply::default()
    })
}

fn table(parameters: Value) -> Table {
    let mut table = Table::new(&step(parameters)).answers("look", [texts(&["a form"])]);
    table.listed = vec!["look", "type"];
    table
}

fn tool_turns(table: &Table) -> Vec<&str> {
    let last = table.asked.last().unwrap();
    let turns = last.turns.iter().filter_map(|turn| match turn {
        Turn::Tool { text, .. } => Some(text.as_str()),
        _ => None,
    });
    turns.collect()
}

#[test]
fn a_model_calls_tools_until_it_is_done() {
    let mut table =
        table(json!({})).replies([calls(&[("look", "{\"n\":1}")]), reply("It is done.")]);
    let expected = [
        "Step: run",
        "Step: calls look{\"n\":1}",
        "step.success = true",
        "step.result = \"It is done.\"",
        "completed",
    ];
    assert_eq!(table.run(), expected);
    assert_eq!(
        tool_turns(&table),
        ["The tool answered:\n~~~~\na form\n~~~~"]
    );
    assert_eq!(table.asked[0].tools.len(), 2);
}

#[test]
fn only_the_allowed_tools_are_offered_and_called() {
    let mut table = table(json!({"allowed_tools": ["look"]}))
        .replies([calls(&[("type", "{}"), ("look", "{")]), reply("No.")]);
    let lines = table.run();
    assert_eq!(
        lines.iter().filter(|line| line.contains("calls")).count(),
        0,
        "{lines:#?}"
    );
    assert_eq!(table.asked[0].tools.len(), 1);
    let [first, second] = tool_turns(&table)[..] else {
        panic!()
    };
    assert!(first.contains("there is no tool type here"), "{first}");
    assert!(second.contains("its arguments are no JSON"), "{second}");
}

#[test]
fn a_tool_that_fails_is_told_to_the_model_and_one_that_may_have_run_ends_the_run() {
    let failing = |failure: ToolFailure| {
        let mut table = table(json!({}))
            .answers("look", [Err(failure)])
            .replies([calls(&[("look", "")]), reply("Then not.")]);
        let lines = table.run();
        lines.last().unwrap().clone()
    };
    assert_eq!(failing(ToolFailure::Refused("no".into())), "completed");
    let lost = failing(ToolFailure::UnknownOutcome("it broke".into()));
    assert_eq!(
        lost,
        "unknown_outcome: MCP tool look failed: Tool call failed: it broke"
    );
}

#[test]
fn a_step_ends_softly_at_its_limits() {
    let endless = || std::iter::repeat_n(calls(&[("look", ""), ("look", "")]), 50);
    let made = |mut table: Table| {
        let lines = table.run();
        assert_eq!(lines.last().unwrap(), "completed");
        let count = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
        (count("calls look"), count("at once"))
    };
    assert_eq!(made(table(json!({})).replies(endless())), (10, 0));
    // One reply may hold more calls than are left.
    assert_eq!(
        made(table(json!({"max_tool_calls": 3})).replies(endless())),
        (3, 1)
    );
    let mut short = table(json!({})).replies(endless());
    short.order.workflow.nodes[0].timeout_ms = Some(3);
    // The list of tools, and one turn with two calls.
    assert_eq!(made(short), (2, 0));
}

#[test]
fn pictures_are_looked_at_and_told_in_words() {
    let image = ImageRef {
        digest: Sha256Digest::of(b"png"),
        mime_type: "image/png".into(),
    };
    let seen = ToolResult {
        blocks: vec![Block::Image(image.clone())],
        ..ToolResult::default()
    };
    let mut table = table(json!({})).answers("look", [Ok(seen)]).replies([
        calls(&[("look", "")]),
        reply("{\"button\": \"Save\"}"),
        reply("Done."),
    ]);
    let lines = table.run();
    assert!(lines[2].contains("VisionSummary"), "{lines:#?}");
    assert_eq!(table.asked[1].purpose, ChatPurpose::Vision);
    assert!(
        matches!(&table.asked[1].turns[0], Turn::User(parts) if parts[1] == Part::Image(image))
    );
    let told = format!("{:?}", table.asked[2].turns.last().unwrap());
    assert!(told.contains("Save"), "{told}");
}

#[test]
fn a_stop_is_seen_before_the_next_turn() {
    let mut table = table(json!({})).replies([calls(&[("look", "")]), reply("Done.")]);
    // The third command is the tool's call.
    table.stop_at = Some(3);
    assert_eq!(table.run().last().unwrap(), "stopped");
    assert_eq!(table.asked.len(), 1);
}
