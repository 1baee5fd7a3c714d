//! The walk, in the project's own cases.

use serde_json::json;
use workflow::machine::ToolFailure;

use super::table::{Table, chain, edge, equals, node, texts, tool, workflow};

#[test]
fn a_loop_runs_its_body_until_its_condition_holds() {
    let json = workflow(
        &[
            node(
                1,
                "Again",
                "Loop",
                json!({
                    "exit_condition": equals("poll.state", json!("done")), "max_iterations": 9,
                }),
            ),
            tool(2, "poll"),
            node(3, "End", "EndLoop", json!({"loop_id": super::table::id(1)})),
            tool(4, "after"),
        ],
        &[
            edge(1, 2, "LoopBody"),
            edge(1, 4, "LoopDone"),
            edge(2, 3, ""),
            edge(3, 1, ""),
        ],
    );
    let mut table = Table::new(&json)
        .answers(
            "poll",
            [
                texts(&[r#"{"state":"wait"}"#]),
                texts(&[r#"{"state":"done"}"#]),
            ],
        )
        .answers("after", [texts(&["ok"])]);
    let expected = [
        "Again: control",
        "Again: iteration 0",
        "poll: run",
        "poll: calls poll{}",
        "poll.success = true",
        "poll.state = \"wait\"",
        "poll.result = {\"state\":\"wait\"}",
        "End: control",
        "Again: control",
        "Again: iteration 1",
        "poll: run",
        "poll: calls poll{}",
        "poll.success = true",
        "poll.state = \"done\"",
        "poll.result = {\"state\":\"done\"}",
        "End: control",
        "Again: control",
        "Again: left after 2: condition_met",
        "after: run",
        "after: calls after{}",
        "after.success = true",
        "after.result = \"ok\"",
        "completed",
    ];
    assert_eq!(table.run(), expected);
}

#[test]
fn a_node_fails_after_its_retries_and_so_does_the_run() {
    let mut poll = tool(1, "poll");
    poll["retries"] = json!(1);
    let refused = || Err(ToolFailure::Refused("busy".into()));
    let mut table = Table::new(&chain(&[poll, tool(2, "after")])).answers("poll", [refused()]);
    let expected = [
        "poll: run",
        "poll: calls poll{}",
        "poll: retry 1: MCP tool poll failed: Tool call failed: busy",
        "poll: calls poll{}",
        "poll: failed: MCP tool poll failed: Tool call failed: busy",
        "node_failed: MCP tool poll failed: Tool call failed: busy",
    ];
    assert_eq!(table.run(), expected);
}

#[test]
fn a_call_that_may_have_run_is_made_again_only_where_retries_allow_it() {
    let lost = || Err(ToolFailure::UnknownOutcome("the connection broke".into()));
    let mut table = Table::new(&chain(&[tool(1, "pay")])).answers("pay", [lost()]);
    let expected = [
        "pay: run",
        "pay: calls pay{}",
        "pay: failed: MCP tool pay failed: Tool call failed: the connection broke",
        "unknown_outcome: MCP tool pay failed: Tool call failed: the connection broke",
    ];
    assert_eq!(table.run(), expected);
    let mut pay = tool(1, "pay");
    pay["retries"] = json!(1);
    let mut table = Table::new(&chain(&[pay])).answers("pay", [lost(), texts(&["paid"])]);
    assert_eq!(table.run().last().unwrap(), "completed");
}

#[test]
fn a_node_that_settles_lets_time_pass() {
    let mut first = tool(1, "a");
    first["settle_ms"] = json!(500);
    let mut table = Table::new(&chain(&[first, tool(2, "b")]))
        .answers("a", [texts(&["x"])])
        .answers("b", [texts(&["x"])]);
    let (_, run) = table.conduct();
    // Three answers of a millisecond each, and the wait.
    assert_eq!(run.spent().runtime_ms, 503);
}

#[test]
fn a_stop_ends_the_run_before_the_next_node() {
    let mut table = Table::new(&chain(&[tool(1, "a"), tool(2, "b")])).answers("a", [texts(&["x"])]);
    table.stop_at = Some(1);
    let expected = [
        "a: run",
        "a: calls a{}",
        "a.success = true",
        "a.result = \"x\"",
        "stopped",
    ];
    assert_eq!(table.run(), expected);
}

#[test]
fn an_investigation_becomes_variables() {
    use kernel::Millis;
    use workflow::machine::{Action, ChildEnd, Input, Outcome, WorkflowRun};
    let json = chain(&[node(
        1,
        "Chain",
        "Investigation",
        json!({"a": "Ann", "b": "Bob"}),
    )]);
    let mut run = WorkflowRun::new(Table::new(&json).order).unwrap();
    run.handle(Input::Start, Millis(0));
    let command = run.next_command().unwrap();
    assert!(matches!(&command.action, Action::Investigate(call) if call.person_b == "Bob"));
    let end = ChildEnd {
        run: "s.r".into(),
        path: ["Ann", "Cid", "Bob"].map(str::to_owned).to_vec(),
        message: "found".into(),
    };
    let answer = super::table::answer(&command, Outcome::Investigated(Ok(end)));
    run.handle(Input::Answer(answer), Millis(1));
    let set: Vec<_> = run
        .variables()
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .filter(|line| !line.starts_with("chain.result"))
        .collect();
    let expected = [
        "chain.found = true",
        "chain.hops = 2",
        "chain.message = \"found\"",
        "chain.path = [\"Ann\",\"Cid\",\"Bob\"]",
        "chain.run = \"s.r\"",
        "chain.success = true",
    ];
    assert_eq!(set, expected);
}

#[test]
fn an_automaton_of_an_unknown_outcome_is_not_tried_again() {
    use kernel::Millis;
    use workflow::machine::{
        Action, ChildFailure, Ending, Input, NoticeKind, Outcome, WhyFailed, WorkflowRun,
    };
    for (is_unknown, begun) in [(true, 1), (false, 3)] {
        let mut shop = node(1, "Shop", "Automaton", json!({"automaton": "buyer"}));
        shop["retries"] = json!(2);
        let mut run = WorkflowRun::new(Table::new(&chain(&[shop])).order).unwrap();
        run.handle(Input::Start, Millis(0));
        let mut commands = 0;
        while let Some(command) = run.next_command() {
            let Action::Automate(call) = &command.action else {
                panic!("{command:?}");
            };
            assert_eq!(call.request, json!({"automaton": "buyer"}));
            commands += 1;
            let failure = ChildFailure {
                run: Some("s.r".into()),
                message: "It clicked.".into(),
                is_unknown,
            };
            let answer = super::table::answer(&command, Outcome::Automated(Err(failure)));
            run.handle(Input::Answer(answer), Millis(1));
        }
        assert_eq!(commands, begun);
        let last = std::iter::from_fn(|| run.next_notice()).last().unwrap();
        let NoticeKind::Ended {
            ending: Ending::Failed { why, .. },
            ..
        } = last.kind
        else {
            panic!("{last:?}");
        };
        assert_eq!(why == WhyFailed::UnknownOutcome, is_unknown);
    }
}
