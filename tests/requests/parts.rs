//! Settings that only some runs need: if they are wrong, those runs are refused, and others begin.

use devtools::rehearsal::sandbox_settings;
use engine::Problem;
use sandbox::SandboxOptions;
use serde_json::{Value, json};
use visual_degrees::engines::EngineName;

use crate::workflow::table::{chain, node, tool};

/// More servers than allowed.
fn servers() -> String {
    let servers = (0..21).map(|n| {
        (
            format!("s{n}"),
            json!(format!("https://s{n}.example.org/mcp")),
        )
    });
    Value::Object(servers.collect()).to_string()
}

/// Returns the result of `POST /runs` for this body, with one wrong setting.
fn accepted(setting: (&str, &str), body: &Value) -> Result<(), Problem> {
    let browser = ("BROWSER_CDP", "http://127.0.0.1:9333");
    let settings = sandbox_settings(&SandboxOptions::default(), &[browser, setting]);
    assert_eq!(settings.missing(), Vec::<String>::new(), "{setting:?}");
    let (providers, caps) = (settings.providers.as_ref().unwrap(), settings.caps_of(true));
    assert_eq!(settings.wrong_parts().len(), 1, "{setting:?}");
    let wanted = EngineName::wanted(body.to_string().as_bytes(), caps).unwrap();
    wanted?.accept(None, None, (providers, caps)).map(drop)
}

#[test]
fn a_wrong_setting_refuses_the_runs_that_need_it_and_no_others() {
    let search = json!({"personA": "Cosette", "personB": "Javert"});
    let captured = json!({"personA": "Cosette", "personB": "Javert", "options": {"capture": true}});
    let ways = |nodes: &[Value]| json!({"workflow": chain(nodes)});
    let nested = node(
        1,
        "Search",
        "Investigation",
        json!({"a": "Cosette", "b": "Javert"}),
    );
    let mut disabled = tool(2, "press");
    disabled["enabled"] = json!(false);
    let alone = ways(&[nested.clone(), disabled]);
    let calls = ways(&[nested, tool(2, "press")]);
    let mut named = alone.clone();
    named["servers"] = json!(["s1"]);
    let thinks = ways(&[node(1, "Think", "AiStep", json!({"prompt": "p"}))]);
    let visits = ways(&[node(1, "Visit", "Automaton", json!({"automaton": "shop"}))]);
    let automaton = json!({
        "automaton": [{"name": "S", "checks": [], "actions": ["navigate('https://a.example')"], "end_state": "e"}],
        "origins": ["https://a.example"],
    });
    let servers = servers();
    let (tools, vision) = (("MCP_SERVERS", &*servers), ("VISION_MODEL", "llava"));
    let (browser, secrets) = (("BROWSER_CDP", "file:///x"), ("AUTOMATON_SECRETS", "{}"));
    for (setting, refused, begun) in [
        (
            tools,
            vec![&calls, &thinks, &named],
            vec![&search, &captured, &alone],
        ),
        (
            vision,
            vec![&thinks],
            vec![&search, &captured, &alone, &calls],
        ),
        (
            browser,
            vec![&captured, &visits, &automaton],
            vec![&search, &alone, &calls, &thinks],
        ),
        (
            secrets,
            vec![&visits, &automaton],
            vec![&search, &captured, &alone, &calls, &thinks],
        ),
    ] {
        for body in refused {
            let problem = accepted(setting, body).unwrap_err();
            let told = problem.detail().contains(setting.0);
            assert_eq!(
                (problem.status(), told),
                (503, true),
                "{}: {body}",
                setting.0
            );
        }
        for body in begun {
            let problem = accepted(setting, body).err();
            assert!(problem.is_none(), "{}: {body}: {problem:?}", setting.0);
        }
    }
}

#[test]
fn what_others_may_do_is_nothing_where_its_setting_is_wrong() {
    let search = json!({"personA": "Cosette", "personB": "Javert"});
    for setting in [
        ("PUBLIC_WORKFLOWS", "all"),
        ("PUBLIC_AUTOMATA", "any"),
        ("MCP", "yes"),
    ] {
        assert!(accepted(setting, &search).is_ok(), "{setting:?}");
    }
}
