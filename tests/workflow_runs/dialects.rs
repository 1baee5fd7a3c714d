//! Requesting dialects: the default, and what no request may name.

use engine::Problem;
use serde_json::{Value, json};
use workflow::machine::Dialect;
use workflow::requests::WorkflowRequest;
use workflow::wire::WorkflowOrder;

use crate::workflow::table::{chain, edge, tool, workflow};

use super::bench::{Bench, example, told};

/// Returns the result of a body of `POST /runs`, as a fork of a run if given.
fn asked(body: &Value, forked: Option<&WorkflowOrder>) -> Result<WorkflowOrder, Problem> {
    let bench = Bench::new("/mcp/desk", false);
    let wanted = WorkflowRequest::from_body(body.to_string().as_bytes());
    let (providers, caps) = bench.simulation.operator();
    wanted
        .unwrap()
        .unwrap()
        .accept(None, forked, providers, caps)
}

#[test]
fn the_seed_holds_where_nothing_is_said_and_strict_is_no_more() {
    let body = |options: Value| json!({"workflow": chain(&[tool(1, "a")]), "options": options});
    let dialect = |options| asked(&body(options), None).map(|order| order.dialect);
    assert_eq!(dialect(json!({})), Ok(Dialect::Seed));
    for (name, expected) in [("seed", Dialect::Seed), ("clickweave", Dialect::Clickweave)] {
        assert_eq!(dialect(json!({"dialect": name})), Ok(expected));
    }
    for (name, says) in [
        ("strict", "seed, the default, took its place"),
        ("Seed", "must be seed or clickweave"),
    ] {
        let problem = dialect(json!({"dialect": name})).unwrap_err();
        assert_eq!(
            (problem.status(), problem.named_field()),
            (400, Some("dialect"))
        );
        assert!(problem.detail().contains(says), "{}", problem.detail());
    }
}

#[test]
fn a_fork_of_a_strict_run_is_read_as_the_seed_says() {
    let forked = |name: &str| {
        let mut stored = serde_json::to_value(
            asked(&json!({"workflow": chain(&[tool(1, "a")])}), None).unwrap(),
        )
        .unwrap();
        stored["dialect"] = json!(name);
        let fork =
            json!({"fork": {"run": "s1.AAAAAAAAAAAAAAAAAAAAAA"}, "workflow": stored["workflow"]});
        let stored = serde_json::from_value(stored).unwrap();
        asked(&fork, Some(&stored)).unwrap().dialect
    };
    let dialects = ["seed", "clickweave", "strict"].map(forked);
    assert_eq!(
        dialects,
        [Dialect::Seed, Dialect::Clickweave, Dialect::Seed]
    );
}

#[test]
fn what_no_new_run_may_have_is_refused_with_its_node() {
    let mut many = chain(&[tool(1, "a")]);
    many["nodes"][0]["retries"] = json!(11);
    let nowhere = workflow(&[tool(1, "a")], &[edge(1, 9, "")]);
    for (graph, name, refused) in [
        (&many, "seed", true),
        (&many, "clickweave", false),
        (&nowhere, "seed", true),
        (&nowhere, "clickweave", true),
    ] {
        let body = json!({"workflow": graph, "options": {"dialect": name}});
        let problem = asked(&body, None).err();
        let status = problem.as_ref().map(Problem::status);
        assert_eq!(status, refused.then_some(409), "{name}: {problem:?}");
    }
}

#[test]
fn the_example_tells_the_same_in_both_dialects() {
    let told_in = |name: &str| {
        let mut bench = Bench::new("/mcp/desk?eras=modern", false);
        told(&bench.conduct(&example(), &json!({"dialect": name})))
    };
    assert_eq!(told_in("seed"), told_in("clickweave"));
}
