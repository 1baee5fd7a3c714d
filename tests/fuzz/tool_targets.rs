//! The parsers of the MCP server: a message with its headers, a call's arguments, and the event id of a reconnecting
//! client.

use serde_json::Value;
use settings::Caps;
use visual_degrees::engines::EngineName;
use visual_degrees::mcp_server::{
    BODY_BYTES_MAX, BuiltInCall, CallPoint, Method, Posted, read_post, take_wait_ms,
};

use super::corpus::texts;
use super::runner::Target;

const WORDS: [&str; 30] = [
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":",
    "\"initialize\"",
    "\"server/discover\"",
    "\"tools/list\"",
    "\"tools/call\"",
    "\"ping\"",
    "\"notifications/cancelled\"",
    "\"params\":{",
    "\"requestId\":1",
    "\"protocolVersion\":\"2025-11-25\"",
    "\"_meta\":{",
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"",
    "\"io.modelcontextprotocol/clientCapabilities\":{}",
    "\"progressToken\":\"t\"",
    "\"visual-degrees/idempotencyKey\":\"k\"",
    "\"name\":\"find_chain\"",
    "\"name\":\"get_run\"",
    "\"name\":\"check_chain\"",
    "\"arguments\":{",
    "\"a\":\"Ann\",\"b\":\"Bob\"",
    "\"waitMs\":0",
    "\"run\":\"s1.AAAAAAAAAAAAAAAAAAAAAA\"",
    "\"hops\":6",
    "\"avoid\":[\"x\"]",
    "2026-07-28\n",
    "2025-11-25\n",
    "=?base64?eA==?=",
    "[[",
    "\\ud800",
    "null",
];

const CALL: &str = r#"2026-07-28
tools/call
find_chain

{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_chain","arguments":{"a":"Ann","b":"Bob","waitMs":5},"_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
const SESSION: &str = r#"2025-11-25


c2Vzc2lvbg
{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"get_run","arguments":{"run":"s1.AAAAAAAAAAAAAAAAAAAAAA"}}}"#;
const HANDSHAKE: &str = r#"



{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
const CANCELLED: &str = r#"2025-11-25


c2Vzc2lvbg
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;

pub fn all() -> Vec<Target> {
    vec![messages()]
}

/// The first four lines are the headers' revision, method, name and session; the rest is the body.
fn messages() -> Target {
    Target {
        name: "tool-message",
        // The most memory of a message and its answer.
        bound_bytes: 16 * 1024 * 1024,
        bulky_bytes: BODY_BYTES_MAX,
        seeds: texts(&[CALL, SESSION, HANDSHAKE, CANCELLED]),
        dictionary: &WORDS,
        read: Box::new(|bytes| {
            let mut parts = bytes.splitn(5, |byte| *byte == b'\n');
            let mut line =
                || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
            let [version, method, name, session] = [line(), line(), line(), line()];
            let body = parts.next().unwrap_or_default();
            let header = |wanted: &str| {
                let text = match wanted {
                    "content-type" => "application/json",
                    "accept" => "*/*",
                    "mcp-protocol-version" => &version,
                    "mcp-method" => &method,
                    "mcp-name" => &name,
                    "mcp-session-id" => &session,
                    _ => "",
                };
                Some(text.to_owned()).filter(|text| !text.is_empty())
            };
            let _ = CallPoint::of_text(&session);
            match read_post(&header, body) {
                Err(refusal) => {
                    let told: Value = serde_json::from_str(&refusal.body()).expect("it is JSON");
                    assert!(told["error"]["code"].as_i64() < Some(0));
                    assert!((200..500).contains(&refusal.status()));
                }
                Ok(Posted::Asked(asked)) => {
                    if let Method::CallTool(call) = asked.method {
                        let mut arguments = call.arguments;
                        let _ = take_wait_ms(&call.name, &mut arguments);
                        let own = "https://d.example";
                        if BuiltInCall::read(&call.name, &arguments, own).is_none() {
                            let caps = Caps::default();
                            let _ = EngineName::wanted_by_call(&call.name, &arguments, &caps);
                        }
                    }
                }
                Ok(Posted::Cancelled { .. } | Posted::Noted { .. }) => {}
            }
        }),
    }
}
