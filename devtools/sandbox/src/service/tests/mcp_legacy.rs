//! Tests of the MCP server in sessions.

use super::mcp_modern::{Asked, events, log};
use super::*;

const SESSION: &str = "mcp-session-id";

fn post(body: Value) -> Asked {
    Asked {
        method: "POST",
        address: "/mcp/desk".to_owned(),
        headers: vec![
            ("accept", "application/json, text/event-stream".to_owned()),
            ("content-type", "application/json".to_owned()),
        ],
        body,
    }
}

pub fn initialize(version: &str) -> Asked {
    let params = json!({"protocolVersion": version, "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}});
    post(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

/// Begins a session of this revision and returns its id.
pub fn begun(sandbox: &mut Sandbox, version: &str) -> String {
    let reply = initialize(version).send(sandbox);
    assert_eq!(events(&reply)[0]["result"]["protocolVersion"], version);
    let id = reply.response.headers()[SESSION]
        .to_str()
        .unwrap()
        .to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let ready = post(ready)
        .with(SESSION, &id)
        .with("mcp-protocol-version", version);
    assert_eq!(status(&ready.send(sandbox)), 202);
    id
}

/// Makes a valid request in a session.
pub fn asked(session: &str, id: u64, method: &str, params: &Value) -> Asked {
    let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    post(body)
        .with(SESSION, session)
        .with("mcp-protocol-version", "2025-11-25")
}

pub fn call(session: &str, id: u64, tool: &str, arguments: &Value) -> Asked {
    asked(
        session,
        id,
        "tools/call",
        &json!({"name": tool, "arguments": arguments}),
    )
}

/// Requests the events that follow this one in its stream.
pub fn resume(sandbox: &mut Sandbox, session: &str, event_id: &str) -> Reply {
    let again = Asked {
        method: "GET",
        body: Value::Null,
        ..asked(session, 0, "", &json!({}))
    };
    again.with("last-event-id", event_id).send(sandbox)
}

pub fn event_ids(reply: &Reply) -> Vec<String> {
    let text = String::from_utf8(reply.response.body().bytes()).unwrap();
    let ids = text.lines().filter_map(|line| line.strip_prefix("id: "));
    ids.map(str::to_owned).collect()
}

#[test]
fn a_session_begins_is_used_and_ends() {
    let mut sandbox = plain();
    let session = begun(&mut sandbox, "2025-11-25");
    let listed = events(&asked(&session, 1, "tools/list", &json!({})).send(&mut sandbox));
    assert_eq!(listed[0]["result"]["tools"].as_array().unwrap().len(), 8);
    assert!(listed[0]["result"].get("ttlMs").is_none());
    let reply = call(&session, 2, "find_text", &json!({"text": "Save"})).send(&mut sandbox);
    let text = String::from_utf8(reply.response.body().bytes()).unwrap();
    assert!(
        text.starts_with("id: 3-0\nretry: 200\ndata: \n\nevent: message\nid: 3-1\ndata: {"),
        "{text}"
    );
    assert!(events(&reply)[0]["result"].get("resultType").is_none());
    let unknown = events(&call(&session, 3, "dance", &json!({})).send(&mut sandbox));
    assert_eq!(unknown[0]["error"]["code"], -32_602);
    let other = events(&asked(&session, 4, "prompts/list", &json!({})).send(&mut sandbox));
    assert_eq!(other[0]["error"]["code"], -32_601);
    let end = || Asked {
        method: "DELETE",
        body: Value::Null,
        ..asked(&session, 0, "", &json!({}))
    };
    assert_eq!(status(&end().send(&mut sandbox)), 200);
    assert_eq!(status(&end().send(&mut sandbox)), 404);
    assert_eq!(log(&mut sandbox), ["1 find_text"]);
}

#[test]
fn every_mistake_is_refused() {
    let mut sandbox = plain();
    let session = begun(&mut sandbox, "2025-11-25");
    let good = || asked(&session, 1, "ping", &json!({}));
    let version = "mcp-protocol-version";
    let spoilt_hello =
        |place: &str, name: &str| initialize("2025-11-25").saying(place, name, Value::Null);
    for (asked, expect, code) in [
        (good().without(SESSION), 400, -32_000),
        (good().with(SESSION, "unknown"), 404, -32_001),
        (good().without(version), 400, -32_000),
        (good().with(version, "2025-06-18"), 400, -32_000),
        (good().with("accept", "text/event-stream"), 406, -32_000),
        (good().with("content-type", "text/json"), 415, -32_000),
        (
            good().with("origin", "http://evil.example:8787"),
            403,
            -32_000,
        ),
        (good().saying("", "id", json!(0)), 400, -32_600),
        (good().saying("", "id", Value::Null), 400, -32_600),
        (good().saying("", "params", json!([])), 400, -32_600),
        (
            initialize("2025-11-25").with(SESSION, &session),
            400,
            -32_600,
        ),
        (spoilt_hello("/params", "capabilities"), 400, -32_602),
        (spoilt_hello("/params/clientInfo", "version"), 400, -32_602),
        (spoilt_hello("/params", "protocolVersion"), 400, -32_602),
    ] {
        let reply = asked.send(&mut sandbox);
        assert_eq!(status(&reply), expect, "{:?} {}", asked.headers, asked.body);
        assert_eq!(
            body(&reply)["error"]["code"],
            code,
            "{:?} {}",
            asked.headers,
            asked.body
        );
    }
    let batch = Asked {
        body: json!([good().body]),
        ..good()
    };
    assert_eq!(body(&batch.send(&mut sandbox))["error"]["code"], -32_600);
    assert_eq!(status(&good().send(&mut sandbox)), 200);
    assert_eq!(
        status(&good().send(&mut sandbox)),
        400,
        "an id is used once"
    );
}

#[test]
fn nothing_but_a_ping_comes_before_the_client_is_ready() {
    let mut sandbox = plain();
    let reply = initialize("2025-11-25").send(&mut sandbox);
    let session = reply.response.headers()[SESSION].to_str().unwrap();
    let early = asked(session, 1, "tools/list", &json!({})).send(&mut sandbox);
    assert_eq!(status(&early), 400);
    let ping = asked(session, 2, "ping", &json!({})).send(&mut sandbox);
    assert_eq!(events(&ping)[0]["result"], json!({}));
}

#[test]
fn older_revisions_are_spoken_as_they_were() {
    let mut sandbox = plain();
    let unknown = events(&initialize("2030-01-01").send(&mut sandbox));
    assert_eq!(unknown[0]["result"]["protocolVersion"], "2025-11-25");
    let session = begun(&mut sandbox, "2025-03-26");
    let list = asked(&session, 1, "tools/list", &json!({})).without("mcp-protocol-version");
    let reply = list.send(&mut sandbox);
    assert_eq!(event_ids(&reply), ["2-0"]);
    assert_eq!(events(&reply)[0]["id"], 1);
}

#[test]
fn a_stream_is_taken_up_where_it_broke() {
    let mut sandbox = plain();
    let session = begun(&mut sandbox, "2025-11-25");
    let mut asked = call(&session, 1, "list_apps", &json!({}));
    asked.body["params"]["_meta"] = json!({"progressToken": 5});
    let reply = asked.send(&mut sandbox);
    let ids = event_ids(&reply);
    assert_eq!(ids, ["2-0", "2-1", "2-2", "2-3"]);
    let rest = resume(&mut sandbox, &session, &ids[1]);
    assert_eq!(event_ids(&rest), &ids[2..]);
    assert_eq!(events(&rest), &events(&reply)[1..]);
    assert_eq!(status(&resume(&mut sandbox, &session, "9-9")), 400);
    let idle = Asked {
        method: "GET",
        body: Value::Null,
        ..call(&session, 0, "", &json!({}))
    };
    assert_eq!(status(&idle.send(&mut sandbox)), 405);
    assert_eq!(
        status(&idle.with("accept", "application/json").send(&mut sandbox)),
        406
    );
    assert_eq!(
        log(&mut sandbox),
        ["1 list_apps"],
        "nothing is executed again"
    );
}
