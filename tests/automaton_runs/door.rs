//! Requests for automata: which bodies are recognised, who may start them, and the refusals.

use automaton::wire::AutomatonEngine;
use devtools::rehearsal::sandbox_settings;
use engine::Problem;
use engine::Requests as _;
use sandbox::SandboxOptions;
use serde_json::{Value, json};
use settings::Caps;
use visual_degrees::engines::EngineName;

use super::bench::{buyer, request, shop, simulation, state};

fn problem(body: &Value, more: &[(&str, &str)]) -> Problem {
    let simulation = simulation(shop(1), Vec::new(), more);
    let (providers, caps) = simulation.operator();
    let wanted = EngineName::wanted(body.to_string().as_bytes(), caps).unwrap();
    match wanted {
        Err(problem) => problem,
        Ok(wanted) => wanted.accept(None, None, (providers, caps)).unwrap_err(),
    }
}

/// Invalid bodies, each with the status, the field and a word of its refusal.
fn wrong_bodies() -> Vec<(Value, u16, Option<&'static str>, &'static str)> {
    let with = |member: &str, value: Value| {
        let mut body = request(1);
        body[member] = value;
        body
    };
    let unknown = json!([state("S", &[("text", "x")], &["click('css selector')"], "")]);
    let outside = "click('id', 'x', percentage=1.5)";
    let outside = json!([state("S", &[("text", "x")], &[outside], "")]);
    let nowhere = json!([state("S", &[("text", "x")], &["press_key('Enter')"], "")]);
    let without = |member: &str| {
        let mut body = request(1);
        body.as_object_mut().unwrap().remove(member);
        body
    };
    let mut all = vec![
        (with("automaton", json!(7)), 400, Some("automaton"), "list"),
        (
            with("automaton", json!("../x")),
            400,
            Some("automaton"),
            "GET /automata",
        ),
        (with("automaton", unknown), 409, None, "line 1"),
        (
            with("automaton", outside),
            409,
            None,
            "a number from 0 to 1",
        ),
        (with("automaton", nowhere), 400, Some("origins"), "origins"),
        (
            with("parameters", json!({"NAME": 7})),
            400,
            Some("parameters.NAME"),
            "text",
        ),
        (
            with("secrets", json!({"a b": "x"})),
            400,
            Some("secrets"),
            "name",
        ),
        (
            with("secrets", json!({"PASSWORD": "a b"})),
            400,
            Some("secrets.PASSWORD"),
            "at least 3 characters",
        ),
        (
            with("parameters", json!({"NAME": "a", "PASSWORD": "b"})),
            400,
            Some("parameters.PASSWORD"),
            "secret",
        ),
        (
            without("secrets"),
            400,
            Some("parameters.PASSWORD"),
            "secrets",
        ),
        (
            with("origins", json!(["https://a/x"])),
            400,
            Some("origins"),
            "https://example.org",
        ),
        (
            with("browser", json!({"width": 5})),
            400,
            Some("browser"),
            "pixels",
        ),
        (
            with("browser", json!({"timeZone": "Mars/Base"})),
            409,
            Some("browser.timeZone"),
            "Europe/Berlin",
        ),
        (
            with("browser", json!({"depth": 5})),
            400,
            Some("browser"),
            "pixels",
        ),
    ];
    all.extend(wrong_options());
    all
}

/// Bodies with invalid options, prompts or other members.
fn wrong_options() -> Vec<(Value, u16, Option<&'static str>, &'static str)> {
    let with = |member: &str, value: Value| {
        let mut body = request(1);
        body[member] = value;
        body
    };
    vec![
        (
            with("options", json!({"dialect": "strict"})),
            400,
            Some("dialect"),
            "known are",
        ),
        (
            with("options", json!({"speed": 1})),
            400,
            Some("speed"),
            "known are",
        ),
        (
            with("options", json!({"runtimeMs": 1})),
            400,
            Some("runtimeMs"),
            "from 1000",
        ),
        (with("prompts", json!({})), 400, Some("prompts"), "list"),
        (
            with("fork", json!({"run": "x"})),
            400,
            Some("fork.run"),
            "token",
        ),
        (with("more", json!(1)), 400, Some("more"), "known are"),
    ]
}

#[test]
fn what_is_wrong_is_refused_with_its_field() {
    for (body, status, field, says) in wrong_bodies() {
        let problem = problem(&body, &[]);
        let about = (problem.status(), problem.named_field());
        assert_eq!(about, (status, field), "{body} {problem:?}");
        assert!(problem.detail().contains(says), "{}", problem.detail());
        assert!(
            !problem.detail().contains("correct-horse"),
            "{}",
            problem.detail()
        );
    }
    let problem = problem(&request(1), &[("BROWSER_CDP", "")]);
    assert_eq!(
        (problem.status(), problem.named_field()),
        (409, Some("automaton"))
    );
    assert!(problem.detail().contains("BROWSER_CDP"));
}

#[test]
fn a_page_without_a_state_is_waited_for_less_where_models_make_states() {
    let simulation = simulation(shop(1), Vec::new(), &[]);
    let (providers, caps) = simulation.operator();
    let waits_ms = |body: &Value, stored: Option<Value>| {
        let wanted = EngineName::wanted(body.to_string().as_bytes(), caps).unwrap();
        let order = wanted.unwrap().accept(stored, None, (providers, caps));
        let order: Value = serde_json::from_str(order.unwrap().get()).unwrap();
        order["settings"]["noStatesTimeoutMs"].as_u64().unwrap()
    };
    let prompts = json!([{"name": "Log in", "triggers": ["Welcome"], "actions": ["Log in"]}]);
    let mut body = request(1);
    assert_eq!(waits_ms(&body, None), 60_000);
    body["prompts"] = json!([]);
    assert_eq!(waits_ms(&body, None), 60_000);
    body["prompts"] = prompts.clone();
    assert_eq!(waits_ms(&body, None), 10_000);
    body["options"] = json!({"noStatesTimeoutMs": 60_000});
    assert_eq!(waits_ms(&body, None), 60_000);
    let mut named = request(1);
    named["automaton"] = json!("shop");
    let stored = |members: &Value| {
        let mut stored = members.clone();
        stored["automaton"] = buyer(1);
        Some(stored)
    };
    assert_eq!(waits_ms(&named, stored(&json!({}))), 60_000);
    assert_eq!(
        waits_ms(&named, stored(&json!({"prompts": &prompts}))),
        10_000
    );
    let explicit = json!({"prompts": &prompts, "options": {"noStatesTimeoutMs": 30_000}});
    assert_eq!(waits_ms(&named, stored(&explicit)), 30_000);
    named["prompts"] = json!([]);
    assert_eq!(
        waits_ms(&named, stored(&json!({"prompts": &prompts}))),
        60_000
    );
    named["prompts"] = prompts;
    assert_eq!(waits_ms(&named, stored(&json!({}))), 10_000);
}

#[test]
fn bodies_of_others_are_not_its_own() {
    for body in [
        r#"{"personA":"Ann","personB":"Bob"}"#,
        r#"{"workflow":{"automaton":1}}"#,
        r#"{"workflow":{}}"#,
        "[",
        "",
    ] {
        let read = AutomatonEngine::read(body.as_bytes(), &Caps::default());
        assert!(read.is_none(), "{body}");
    }
}

#[test]
fn strangers_start_stored_automata_alone() {
    let named = json!({"automaton": "shop", "parameters": {"NAME": "a"}});
    let prompted = json!({"automaton": "shop", "prompts": []});
    let foreign = json!({"automaton": "shop", "origins": ["https://a.example"]});
    let sent = json!({"automaton": buyer(1)});
    let may = |access: &str, is_operator: bool, body: &Value| {
        let settings = sandbox_settings(&SandboxOptions::default(), &[("PUBLIC_AUTOMATA", access)]);
        let wanted = AutomatonEngine::read(body.to_string().as_bytes(), &Caps::default());
        let wanted = wanted.unwrap().unwrap();
        let may = AutomatonEngine::may_start(&settings, is_operator, &wanted);
        may.map_or_else(|problem| problem.status(), |()| 200)
    };
    for body in [&named, &prompted, &foreign, &sent] {
        assert_eq!(may("none", true, body), 200);
        assert_eq!(may("none", false, body), 401);
    }
    assert_eq!(may("stored", false, &named), 200);
    for body in [&prompted, &foreign, &sent] {
        assert_eq!(may("stored", false, body), 403, "{body}");
    }
    let any = [("PUBLIC_AUTOMATA", "any")];
    let settings = sandbox_settings(&SandboxOptions::default(), &any);
    let wrong = settings.wrong_parts();
    assert_eq!(wrong, ["PUBLIC_AUTOMATA (must be none or stored)"]);
    assert_eq!(may("any", false, &named), 401, "nobody but the operator");
}
