//! A server as a list of answers, with its requests recorded.

use std::collections::VecDeque;

use http::{HeaderMap, HeaderValue, Request, StatusCode};
use mcp::{CallFailure, Connection, Exchange, Operation, Reply, Server, Step};
use serde_json::{Value, json};

/// One answer of the server.
pub enum Scripted {
    /// A status, a content type and a complete body.
    Whole(u16, &'static str, String),
    /// A status, headers and a body.
    With(u16, Vec<(&'static str, &'static str)>, String),
    /// A stream that breaks off after these bytes.
    Broken(String),
    /// No answer at all.
    Nothing,
}

/// A JSON-RPC result. `ID` is the number of the request.
pub fn result(result: Value) -> Scripted {
    Scripted::Whole(
        200,
        "application/json",
        json!({"jsonrpc": "2.0", "id": "ID", "result": result}).to_string(),
    )
}

/// A JSON-RPC error with this status.
pub fn error(status: u16, code: i64, message: &str, data: Value) -> Scripted {
    let error = json!({"code": code, "message": message, "data": data});
    Scripted::Whole(
        status,
        "application/json",
        json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string(),
    )
}

pub fn status(status: u16) -> Scripted {
    Scripted::Whole(status, "text/plain", "no".to_owned())
}

/// A stream of these pieces.
pub fn stream(text: &str) -> Scripted {
    Scripted::Whole(200, "text/event-stream", text.to_owned())
}

/// The tools of most of these servers.
pub fn tools() -> Scripted {
    result(json!({"tools": [{"name": "echo", "inputSchema": {
        "type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    }}]}))
}

/// The answers to a handshake: its result, and to the client's readiness.
pub fn handshake(session: &'static str) -> [Scripted; 2] {
    let answer = json!({"jsonrpc": "2.0", "id": "ID", "result": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"},
    }});
    let headers = vec![
        ("content-type", "application/json"),
        ("mcp-session-id", session),
    ];
    [
        Scripted::With(200, headers, answer.to_string()),
        Scripted::Whole(202, "", String::new()),
    ]
}

/// Returns a tool's result with these words.
pub fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// The result of an exchange.
pub struct Conducted {
    pub exchange: Exchange,
    pub result: Result<Reply, CallFailure>,
    /// Each request as a line, with `+` before auxiliary ones.
    pub sent: Vec<String>,
    pub requests: Vec<Request<Vec<u8>>>,
    pub paused_ms: u64,
}

pub fn server() -> Server {
    Server {
        address: "https://tools.example.org/mcp".parse().unwrap(),
        headers: Vec::new(),
        version: None,
    }
}

pub fn call() -> Operation {
    Operation::CallTool {
        tool: "echo".to_owned(),
        arguments: Some(json!({"region": "\u{e9}", "n": 1})),
    }
}

pub fn conduct(
    connection: Connection,
    operation: Operation,
    answers: impl IntoIterator<Item = Scripted>,
) -> Conducted {
    conduct_exchange(Exchange::new(connection, operation), answers)
}

pub fn conduct_exchange(
    mut exchange: Exchange,
    answers: impl IntoIterator<Item = Scripted>,
) -> Conducted {
    let mut answers: VecDeque<Scripted> = answers.into_iter().collect();
    let (mut sent, mut requests, mut paused_ms) = (Vec::new(), Vec::new(), 0);
    let mut step = exchange.begin();
    let mut pieces: VecDeque<u8> = VecDeque::new();
    let mut is_whole = true;
    loop {
        while let Some(aside) = exchange.aside() {
            sent.push(format!("+ {}", line(&aside)));
        }
        step = match step {
            Step::Done(result) => {
                assert!(
                    answers.is_empty(),
                    "not everything was asked for: {sent:#?}"
                );
                return Conducted {
                    exchange,
                    result,
                    sent,
                    requests,
                    paused_ms,
                };
            }
            Step::Pause(ms) => {
                paused_ms += ms;
                exchange.go_on()
            }
            Step::Read => match pieces.pop_front() {
                // Byte by byte, so that nothing depends on chunking.
                Some(byte) => exchange.take_bytes(&[byte]),
                None => exchange.take_end(is_whole),
            },
            Step::Send(request) => {
                sent.push(line(&request));
                let id = id_of(&request);
                requests.push(request);
                let answer = answers.pop_front();
                let (status, headers, body, whole) =
                    match answer.unwrap_or_else(|| panic!("asked too often: {sent:#?}")) {
                        Scripted::Nothing => {
                            step = exchange.take_nothing();
                            continue;
                        }
                        Scripted::Whole(status, kind, body) => {
                            (status, vec![("content-type", kind)], body, true)
                        }
                        Scripted::With(status, headers, body) => (status, headers, body, true),
                        Scripted::Broken(body) => (
                            200,
                            vec![("content-type", "text/event-stream")],
                            body,
                            false,
                        ),
                    };
                let mut map = HeaderMap::new();
                for (name, value) in headers {
                    map.insert(name, HeaderValue::from_static(value));
                }
                pieces = body.replace("\"ID\"", &id).into_bytes().into();
                is_whole = whole;
                exchange.take_head(StatusCode::from_u16(status).unwrap(), &map)
            }
        };
    }
}

fn id_of(request: &Request<Vec<u8>>) -> String {
    let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    // The answer to an earlier request belongs to the earlier call.
    let id = body
        .get("id")
        .cloned()
        .unwrap_or(json!(CALL_ID.with(std::cell::Cell::get)));
    if let Some(id) = id.as_u64() {
        CALL_ID.with(|last| last.set(id));
    }
    id.to_string()
}

thread_local! {
    /// The number of the last request, for resumed streams.
    static CALL_ID: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Returns `POST tools/call 2026-07-28`, with the session or the event if present.
fn line(request: &Request<Vec<u8>>) -> String {
    let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    let header = |name: &str| {
        let value = request
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap());
        value.map(|value| format!(" {value}")).unwrap_or_default()
    };
    let method = body.get("method").and_then(Value::as_str);
    let method = method.map(|method| format!(" {method}"));
    let error = body
        .pointer("/error/code")
        .map(|code| format!(" error {code}"));
    let answer = body.get("result").map(|result| format!(" result {result}"));
    format!(
        "{}{}{}{}{}",
        request.method(),
        method.or(error).or(answer).unwrap_or_default(),
        header("mcp-protocol-version"),
        header("mcp-session-id"),
        header("last-event-id"),
    )
}
