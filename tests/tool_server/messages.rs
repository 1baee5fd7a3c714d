//! Which messages are accepted, by era.

use mcp::Era;
use serde_json::{Value, json};
use visual_degrees::mcp_server::{Asked, Method, Posted, ToolCall};

use super::{META, modern, plain, read, with};

fn asked(headers: &[(String, String)], body: &str) -> Asked {
    match read(headers, body) {
        Ok(Posted::Asked(asked)) => asked,
        other => panic!("{body}: {other:?}"),
    }
}

#[track_caller]
fn refused(headers: &[(String, String)], body: &str, status: u16, code: i64) -> Value {
    let refusal = read(headers, body).unwrap_err();
    let told: Value = serde_json::from_str(&refusal.body()).unwrap();
    assert_eq!(
        (refusal.status(), told["error"]["code"].as_i64()),
        (status, Some(code)),
        "{body}: {told}"
    );
    told
}

fn request(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#)
}

#[test]
fn a_request_of_the_newest_revision_stands_for_itself() {
    for (method, expected) in [
        ("server/discover", Method::Discover),
        ("tools/list", Method::ListTools),
    ] {
        let asked = asked(&modern(method), &request(method, META));
        let session = None;
        let (id, era) = (json!(1), Era::Modern);
        assert_eq!(
            asked,
            Asked {
                id,
                era,
                session,
                method: expected
            }
        );
    }
    let method = "tools/call";
    let params = format!(r#""name":"find_chain","arguments":{{"a":"x"}},{META}"#);
    let params = params.replacen("\"_meta\":{", "\"_meta\":{\"progressToken\":\"t\",", 1);
    let headers = with(modern(method), "mcp-name", "find_chain");
    let call = asked(&headers, &request(method, &params)).method;
    let expected = ToolCall {
        name: "find_chain".into(),
        arguments: serde_json::from_value(json!({"a": "x"})).unwrap(),
        progress_token: Some(json!("t")),
        key: None,
    };
    assert_eq!(call, Method::CallTool(expected));
}

#[test]
fn the_headers_of_the_newest_revision_say_what_the_body_says() {
    let call = request("tools/call", &format!(r#""name":"é",{META}"#));
    let headers = with(modern("tools/call"), "mcp-name", "=?base64?w6k=?=");
    assert!(read(&headers, &call).is_ok());
    let list = request("tools/list", META);
    let without = |name: &str| {
        let mut headers = modern("tools/list");
        headers.retain(|(key, _)| key != name);
        headers
    };
    let told = refused(&without("mcp-protocol-version"), &list, 400, -32_020);
    assert_eq!(told["error"]["data"]["supported"][0], "2026-07-28");
    refused(&without("mcp-method"), &list, 400, -32_020);
    refused(
        &with(modern("tools/list"), "mcp-method", "tools/call"),
        &list,
        400,
        -32_020,
    );
    refused(
        &with(modern("tools/list"), "mcp-protocol-version", "2025-11-25"),
        &list,
        400,
        -32_020,
    );
    refused(&modern("tools/call"), &call, 400, -32_020);
    refused(&with(headers.clone(), "mcp-name", "e"), &call, 400, -32_020);
    refused(
        &with(headers, "mcp-name", "=?base64?!?="),
        &call,
        400,
        -32_020,
    );
}

#[test]
fn what_the_newest_revision_needs_is_named() {
    refused(
        &modern("tools/list"),
        &request("tools/list", ""),
        400,
        -32_602,
    );
    let half = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let told = refused(
        &modern("tools/list"),
        &request("tools/list", half),
        400,
        -32_602,
    );
    let says = told["error"]["message"].as_str().unwrap();
    assert!(says.contains("clientCapabilities"), "{says}");
    assert_eq!(told["id"], 1);
    let later = META.replace("2026-07-28", "2099-01-01");
    let headers = with(modern("tools/list"), "mcp-protocol-version", "2099-01-01");
    let told = refused(&headers, &request("tools/list", &later), 400, -32_022);
    assert_eq!(told["error"]["data"]["requested"], "2099-01-01");
    refused(
        &modern("prompts/list"),
        &request("prompts/list", META),
        404,
        -32_601,
    );
}

#[test]
fn a_handshake_begins_what_needs_a_session_afterwards() {
    for (proposed, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2024-11-05"),
        ("2023-01-01", "2025-11-25"),
    ] {
        let params = format!(r#""protocolVersion":"{proposed}","capabilities":{{}}"#);
        let asked = asked(&plain(), &request("initialize", &params));
        assert_eq!(asked.method, Method::Initialize(agreed));
        assert_eq!((asked.session, asked.era), (None, Era::Legacy));
    }
    refused(&plain(), &request("initialize", ""), 400, -32_602);
    let list = request("tools/list", "");
    refused(&plain(), &list, 400, -32_600);
    let in_session = with(plain(), "mcp-session-id", "S-1_a");
    let of_session = asked(&in_session, &list);
    assert_eq!(of_session.session.as_deref(), Some("S-1_a"));
    assert_eq!(
        asked(&in_session, &request("ping", "")).method,
        Method::Ping
    );
    // An unknown method is answered within the session.
    refused(&in_session, &request("prompts/list", ""), 200, -32_601);
    let odd = with(in_session, "mcp-protocol-version", "1");
    refused(&odd, &list, 400, -32_022);
    for forged in ["", "a b", "é", &"a".repeat(200)] {
        refused(
            &with(plain(), "mcp-session-id", forged),
            &list,
            404,
            -32_600,
        );
    }
}

#[test]
fn a_session_is_told_that_nobody_waits() {
    let note = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{params}}}}}"#)
    };
    let in_session = with(plain(), "mcp-session-id", "s");
    let cancelled = note("notifications/cancelled", r#""requestId":7"#);
    let expected = Posted::Cancelled {
        session: "s".into(),
        request: json!(7),
    };
    assert_eq!(read(&in_session, &cancelled), Ok(expected));
    refused(
        &in_session,
        &note("notifications/cancelled", ""),
        400,
        -32_602,
    );
    let session = Some("s".into());
    let noted = read(&in_session, &note("notifications/initialized", ""));
    assert_eq!(noted, Ok(Posted::Noted { session }));
    // Without a session it is unknown whose request is meant.
    assert_eq!(
        read(&plain(), &cancelled),
        Ok(Posted::Noted { session: None })
    );
    refused(&in_session, &note("tools/call", ""), 400, -32_600);
}

#[test]
fn a_call_may_bring_its_own_key() {
    let headers = with(modern("tools/call"), "mcp-name", "t");
    let key = |headers: &[(String, String)], meta: &str| {
        let params = format!(r#""name":"t",{META}"#);
        let params = params.replacen("\"_meta\":{", &format!("\"_meta\":{{{meta}"), 1);
        match asked(headers, &request("tools/call", &params)).method {
            Method::CallTool(call) => call.key,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(key(&headers, ""), None);
    let sent = with(headers.clone(), "idempotency-key", "k1");
    assert_eq!(key(&sent, ""), Some("k1".into()));
    let own = r#""visual-degrees/idempotencyKey":"k2","#;
    assert_eq!(key(&sent, own), Some("k2".into()));
    for wrong in ["", "a b", &"k".repeat(201)] {
        let headers = with(headers.clone(), "idempotency-key", wrong);
        let call = request("tools/call", &format!(r#""name":"t",{META}"#));
        refused(&headers, &call, 400, -32_602);
    }
}

#[test]
fn a_client_says_what_it_sends_and_takes() {
    let body = request("tools/list", META);
    let sent = |name: &str, value: &str| with(modern("tools/list"), name, value);
    refused(&sent("content-type", "text/plain"), &body, 415, -32_600);
    refused(&sent("accept", "application/json"), &body, 406, -32_600);
    refused(&sent("accept", "text/event-stream"), &body, 406, -32_600);
    for takes in [
        "*/*",
        "text/event-stream;q=1, application/json; q=0.5",
        "APPLICATION/JSON,text/event-stream",
    ] {
        assert!(read(&sent("accept", takes), &body).is_ok(), "{takes}");
    }
    assert!(
        read(
            &sent("content-type", "application/json; charset=utf-8"),
            &body
        )
        .is_ok()
    );
}
