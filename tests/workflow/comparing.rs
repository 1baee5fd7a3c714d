//! Conditions on long values: their cost, and what is emitted.

use kernel::Millis;
use serde_json::{Value, json};
use workflow::machine::{Input, NoticeKind, Outcome, WorkflowRun};

use super::table::{Table, answer, edge, equals, id, node, texts, tool, workflow};

/// Tests whether the answer of `look` contains a text.
fn contains(text: &str) -> Value {
    json!({
        "left": {"type": "Variable", "name": "look.result"},
        "operator": "Contains",
        "right": {"type": "Literal", "value": {"type": "String", "value": text}},
    })
}

/// Looks once, and then tests for a text again and again.
fn endless() -> Value {
    let exit = json!({"exit_condition": equals("a", json!(1)), "max_iterations": 1_000_000});
    workflow(
        &[
            tool(1, "look"),
            node(2, "Round", "Loop", exit),
            node(3, "Is it?", "If", json!({"condition": contains("y")})),
            node(4, "End", "EndLoop", json!({"loop_id": id(2)})),
        ],
        &[
            edge(1, 2, ""),
            edge(2, 3, "LoopBody"),
            edge(2, 4, "LoopDone"),
            edge(3, 4, "IfTrue"),
            edge(3, 4, "IfFalse"),
            edge(4, 2, ""),
        ],
    )
}

/// Looks once, and then tests for each of these texts.
fn switch(wanted: &[&str]) -> Value {
    let cases: Vec<_> = wanted
        .iter()
        .enumerate()
        .map(|(at, text)| json!({"name": format!("c{at}"), "condition": contains(text)}))
        .collect();
    let nodes = [
        tool(1, "look"),
        node(2, "Which?", "Switch", json!({"cases": cases})),
        tool(3, "end"),
    ];
    let mut edges = vec![edge(1, 2, "")];
    edges.extend((0..wanted.len()).map(|at| edge(2, 3, &format!("SwitchCase c{at}"))));
    workflow(&nodes, &edges)
}

/// A workflow whose `look` returns this answer, with this limit of steps.
fn looking(graph: &Value, answer: &str, steps_max: u32) -> Table {
    let mut table = Table::new(graph).answers("look", [texts(&[answer])]);
    table = table.answers("end", [texts(&["x"])]);
    table.order.limits.steps_max = steps_max;
    table
}

/// A megabyte.
fn long_text() -> String {
    "x".repeat(1_000_000)
}

#[test]
fn comparing_a_long_text_counts_as_steps_before_it_is_done() {
    let (lines, run) = looking(&endless(), &long_text(), 1_000).conduct();
    assert!(lines.last().unwrap().starts_with("step_limit"));
    let compared = lines.iter().filter(|line| line.contains("takes IfFalse"));
    // Three visits per round, and twenty steps for the text.
    assert_eq!(compared.count(), 1_000 / 23);
    assert!(run.spent().steps <= 1_000);
}

#[test]
fn a_list_counts_with_the_memory_that_it_takes() {
    let list = Value::from(vec![json!({"a": 1}); 20_000]).to_string();
    assert!(list.len() < 200_000, "{}", list.len());
    let (lines, _) = looking(&endless(), &list, 1_000).conduct();
    assert!(lines.last().unwrap().starts_with("step_limit"));
    let compared = lines.iter().filter(|line| line.contains("takes IfFalse"));
    let compared = compared.count();
    assert!((5..15).contains(&compared), "{compared}");
}

#[test]
fn a_switch_pays_for_each_case_that_it_comes_to_and_for_no_other() {
    let run = |graph: &Value, steps_max: u32| {
        let (lines, run) = looking(graph, &long_text(), steps_max).conduct();
        (lines.last().unwrap().clone(), run.spent().steps)
    };
    let wanted = switch(&["y", "x", "y", "y"]);
    // Three visits, and two cases of twenty steps each.
    assert_eq!(run(&wanted, 43), ("completed".to_owned(), 43));
    let (last, steps) = run(&wanted, 41);
    assert!(last.starts_with("step_limit"), "{last}");
    assert_eq!(steps, 22, "the second case was not paid for any more");
}

#[test]
fn a_loop_pays_for_its_condition_only_where_it_is_asked() {
    let condition = contains("x");
    let exit = json!({"exit_condition": condition, "max_iterations": 5});
    let nodes = [
        tool(1, "look"),
        node(2, "Round", "Loop", exit),
        node(3, "End", "EndLoop", json!({"loop_id": id(2)})),
    ];
    let edges = [edge(1, 2, ""), edge(2, 3, "LoopBody"), edge(3, 2, "")];
    let (lines, run) = looking(&workflow(&nodes, &edges), &long_text(), 1_000).conduct();
    assert_eq!(lines.last().unwrap(), "completed");
    assert_eq!(run.spent().steps, 4 + 20);
}

#[test]
fn long_values_that_conditions_compared_are_told_whole_only_at_first() {
    let text = long_text();
    let mut run = WorkflowRun::new(looking(&endless(), &text, 3_000).order).unwrap();
    run.handle(Input::Start, Millis(0));
    let called = run.next_command().unwrap();
    let looked = Outcome::Called(texts(&[&text]));
    run.handle(Input::Answer(answer(&called, looked)), Millis(1));
    let (mut whole, mut brief) = (0, 0);
    while let Some(notice) = run.next_notice() {
        if let NoticeKind::BranchEvaluated { resolved, .. } = notice.kind {
            let (left, right, _) = resolved.unwrap();
            assert_eq!(right, "y");
            if left == text.as_str() {
                whole += 1;
            } else {
                assert_eq!(left, "1000002 bytes of JSON, too long to be shown");
                brief += 1;
            }
        }
    }
    // Four megabytes in total, and 3,000 steps suffice for 130 rounds.
    assert_eq!((whole, brief), (3, 127));
}
