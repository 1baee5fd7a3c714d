//! The formats of responses.

use engine::assistant::{Answer, CallPlace, Members};
use mcp::Era;
use serde_json::{Value, json};
use visual_degrees::engines::EngineName;
use visual_degrees::mcp_server::{
    Asked, CHECK_CHAIN, CallFrames, CallPoint, GET_RUN, Method, PATH_BETWEEN, SEEN_WITH, STOP_RUN,
    WHO_IS, call_result, discovered, initialized, listed, ponged,
};

use super::point;

const SERVER: &str = concat!(
    r#"{"name":"visual-degrees","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);

fn asked(era: Era) -> Asked {
    Asked {
        id: json!("a"),
        era,
        session: None,
        method: Method::ListTools,
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_list_is_kept_for_a_while_where_the_revision_says_how_long() {
    let tools = r#"[{"name":"t"}]"#;
    let legacy = listed(&asked(Era::Legacy), tools);
    assert_eq!(
        legacy,
        r#"{"jsonrpc":"2.0","id":"a","result":{"tools":[{"name":"t"}]}}"#
    );
    let modern = listed(&asked(Era::Modern), tools);
    let expected = format!(
        r#"{{"jsonrpc":"2.0","id":"a","result":{{"tools":[{{"name":"t"}}],"ttlMs":60000,"cacheScope":"private","resultType":"complete","_meta":{{"io.modelcontextprotocol/serverInfo":{SERVER}}}}}}}"#
    );
    assert_eq!(modern, expected);
}

#[test]
fn a_server_says_who_it_is_and_what_it_speaks() {
    let result = parsed(&initialized(&asked(Era::Legacy), "2025-06-18"))["result"].clone();
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result["serverInfo"], parsed(SERVER));
    let pong = ponged(&asked(Era::Legacy));
    assert_eq!(pong, r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
    parsed(&ponged(&asked(Era::Modern)));
    let result = parsed(&discovered(&asked(Era::Modern)))["result"].clone();
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(result["supportedVersions"].as_array().unwrap().len(), 5);
}

#[test]
fn an_answer_has_its_value_beside_its_words() {
    let mut members = Members::default();
    members.add("a", json!(1));
    let answer = Answer::new(members, "words".into());
    let legacy = parsed(&call_result(&json!(1), &Era::Legacy, &answer));
    let expected = json!({"content": [{"type": "text", "text": "words"}], "isError": false, "structuredContent": {"a": 1}});
    assert_eq!(legacy["result"], expected);
    let failed = parsed(&call_result(
        &json!(1),
        &Era::Modern,
        &Answer::failed("why"),
    ));
    assert_eq!(failed["result"]["isError"], true);
    assert_eq!(failed["result"]["resultType"], "complete");
    assert_eq!(failed["result"].get("structuredContent"), None);
}

#[test]
fn the_events_of_a_session_say_where_to_go_on() {
    let mut frames = CallFrames::new(point(0, Some(5), Era::Legacy));
    let primed = frames.greeting();
    let id = primed
        .strip_prefix("id: ")
        .unwrap()
        .strip_suffix("\ndata: \n\n")
        .unwrap();
    assert_eq!(CallPoint::of_text(id), Some(point(0, Some(5), Era::Legacy)));
    let told = frames.progress(3, "Going on.").unwrap();
    let (id, rest) = told.strip_prefix("id: ").unwrap().split_once('\n').unwrap();
    let expected = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":\
                    {\"progressToken\":\"t\",\"progress\":3,\"message\":\"Going on.\"}}\n\n";
    assert_eq!(rest, expected);
    let after = CallPoint {
        after: 3,
        ..point(0, Some(5), Era::Legacy)
    };
    assert_eq!(CallPoint::of_text(id), Some(after));
    for wrong in ["", "!", "e30", "bnVsbA", &"A".repeat(4_000)] {
        assert_eq!(CallPoint::of_text(wrong), None, "{wrong}");
    }
}

#[test]
fn the_events_of_the_newest_revision_have_no_ids() {
    let mut frames = CallFrames::new(point(0, Some(5), Era::Modern));
    assert_eq!(frames.greeting(), ":\n\n");
    assert!(
        frames
            .progress(1, "x")
            .unwrap()
            .starts_with("event: message\ndata: ")
    );
    let mut silent = CallFrames::new(CallPoint {
        progress_token: None,
        ..point(0, Some(5), Era::Modern)
    });
    assert_eq!(silent.progress(1, "x"), None);
    assert_eq!(silent.point().after, 1);
}

#[test]
fn a_run_that_goes_on_is_handed_over() {
    let place = CallPlace {
        run: "s1.k3".into(),
        address: "https://d.example/runs/s1.k3".into(),
        secret: Some("S".into()),
    };
    let answer = Answer::going_on(&place, Some("Two “photos”."));
    let value = answer.value.unwrap();
    let expected = json!({
        "run": "s1.k3", "address": "https://d.example/runs/s1.k3", "state": "going_on", "secret": "S",
        "message": "Two “photos”.",
    });
    assert_eq!(value, expected);
    assert!(
        answer.text.contains("Two “photos”.") && answer.text.contains("get_run"),
        "{}",
        answer.text
    );
}

#[test]
fn whoever_is_told_no_secret_is_told_why() {
    let place = CallPlace {
        run: "s1.k3".into(),
        address: "https://d.example/runs/s1.k3".into(),
        secret: None,
    };
    let answer = Answer::going_on(&place, None);
    assert!(answer.text.contains("is told no secret"), "{}", answer.text);
    assert_eq!(answer.value.unwrap().get("secret"), None);
}

#[test]
fn every_tool_is_described_with_its_schemas() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let described = |name: &str| {
        let engines = ["investigation", "workflow", "automaton"];
        let engines = engines.map(|engine| format!("crates/{engine}/tools/{name}.json"));
        let mut places = engines
            .into_iter()
            .chain([format!("src/mcp_server/tools/{name}.json")]);
        let text = places.find_map(|place| std::fs::read_to_string(root.join(place)).ok());
        parsed(&text.unwrap_or_else(|| panic!("{name} is described nowhere")))
    };
    let built_in = [
        GET_RUN,
        STOP_RUN,
        CHECK_CHAIN,
        WHO_IS,
        SEEN_WITH,
        PATH_BETWEEN,
    ];
    let names: Vec<&str> = EngineName::tools().chain(built_in).collect();
    for name in &names {
        let told = described(name);
        assert_eq!(told["name"], *name);
        assert_eq!(told["inputSchema"]["additionalProperties"], false, "{name}");
        assert_eq!(told["outputSchema"]["type"], "object", "{name}");
        assert!(told["description"].as_str().unwrap().len() > 80, "{name}");
    }
    assert_eq!(names[0], "find_chain");
}
