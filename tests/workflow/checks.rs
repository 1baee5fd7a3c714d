//! Checks after the run.

use domain::chat::{ChatPurpose, Part, Turn};
use serde_json::{Value, json};
use workflow::machine::Dialect;

use super::table::{Table, chain, reply, texts, tool};

fn checked(number: usize, name: &str, checks: &[(&str, &str)]) -> Value {
    let mut node = tool(number, name);
    let check = |(name, on_fail): &(&str, &str)| json!({"name": name, "check_type": "TextPresent", "params": {"text": name}, "on_fail": on_fail});
    node["checks"] = checks.iter().map(check).collect();
    node
}

fn said(verdicts: &[(&str, &str)]) -> String {
    let verdict = |(name, verdict): &(&str, &str)| json!({"check_name": name, "verdict": verdict, "reasoning": "seen"});
    let list: Value = verdicts.iter().map(verdict).collect();
    format!("```json\n{list}\n```")
}

fn verdicts(lines: &[String]) -> Vec<&str> {
    let checks = lines.iter().filter(|line| line.contains(": check "));
    checks.map(String::as_str).collect()
}

#[test]
fn each_check_of_an_executed_node_gets_a_verdict() {
    let nodes = [
        checked(1, "a", &[("one", "FailNode"), ("two", "WarnOnly")]),
        tool(2, "b"),
    ];
    let mut table = Table::new(&chain(&nodes))
        .answers("a", [texts(&["x"])])
        .answers("b", [texts(&["x"])])
        .replies([reply(&said(&[("one", "PASS"), ("two", "fail")]))]);
    let lines = table.run();
    assert_eq!(
        verdicts(&lines),
        ["a: check one: pass (seen)", "a: check two: warn (seen)"]
    );
    assert_eq!(lines.last().unwrap(), "completed");
    let [question] = &table.asked[..] else {
        panic!("{:?}", table.asked)
    };
    assert_eq!(question.purpose, ChatPurpose::Checks);
    let Turn::User(parts) = &question.turns[0] else {
        panic!("{question:?}")
    };
    let [Part::Text(text)] = &parts[..] else {
        panic!("{parts:?}")
    };
    for part in [
        "call of a: {}",
        "answer of a: x",
        "one (TextPresent): {\"text\":\"one\"}",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn what_is_not_said_has_failed_and_nothing_is_judged_after_it() {
    let mut outcome = checked(1, "a", &[("one", "WarnOnly")]);
    outcome["expected_outcome"] = json!("a window");
    let nodes = [outcome, checked(2, "b", &[("three", "FailNode")])];
    let table = |replies: &[(&str, &str)]| {
        Table::new(&chain(&nodes))
            .answers("a", [texts(&["x"])])
            .answers("b", [texts(&["x"])])
            .replies([reply(&said(replies))])
    };
    let lines = table(&[("one", "maybe"), ("Expected outcome", "pass")]).run();
    let expected = [
        "a: check one: fail (seen)",
        "a: check Expected outcome: pass (seen)",
    ];
    assert_eq!(verdicts(&lines), expected);
    // The verdict does not affect the run's end.
    assert_eq!(lines.last().unwrap(), "completed");
    let lines = table(&[]).run();
    assert_eq!(
        verdicts(&lines)[1],
        "a: check Expected outcome: fail (the model gave no verdict on it)"
    );
}

#[test]
fn in_a_stored_order_of_the_strict_dialect_a_failed_check_fails_the_run() {
    let nodes = [checked(1, "a", &[("one", "FailNode")])];
    let run = |word| {
        let lines = Table::of(Dialect::Strict, &chain(&nodes))
            .answers("a", [texts(&["x"])])
            .replies([reply(&said(&[("one", word)]))])
            .run();
        lines.last().unwrap().clone()
    };
    assert_eq!(run("pass"), "completed");
    assert_eq!(
        run("fail"),
        "check_failed: The check \"one\" of node 'a' failed."
    );
}

#[test]
fn checks_come_also_where_the_run_failed_and_where_no_model_answers() {
    let nodes = [checked(1, "a", &[("one", "FailNode")]), tool(2, "gone")];
    let lines = Table::new(&chain(&nodes))
        .answers("a", [texts(&["x"])])
        .run();
    let expected = "a: check one: fail (Check evaluation failed: nobody is there)";
    assert_eq!(verdicts(&lines), [expected]);
    assert!(
        lines.last().unwrap().starts_with("node_failed: "),
        "{lines:#?}"
    );
}
