//! Tool calls: what is sent, and how answers are parsed.

use mcp::{CallFailure, CallResult, Connection, Content, Operation, Reply};
use serde_json::{Value, json};

use super::script::{call, conduct, error, handshake, result, said, server, status, stream, tools};

fn text(words: &str) -> Result<Reply, CallFailure> {
    Ok(Reply::Called(CallResult {
        content: vec![Content::Text(words.to_owned())],
        ..CallResult::default()
    }))
}

#[test]
fn a_call_carries_what_the_newest_revision_wants() {
    let conducted = conduct(
        Connection::new(server(), 7),
        call(),
        [tools(), result(said("hi"))],
    );
    assert_eq!(conducted.result, text("hi"));
    let [_, request] = &conducted.requests[..] else {
        panic!("{:?}", conducted.sent)
    };
    let header = |name: &str| request.headers()[name].to_str().unwrap();
    assert_eq!(header("mcp-method"), "tools/call");
    assert_eq!(header("mcp-name"), "echo");
    assert_eq!(header("mcp-param-region"), "=?base64?w6k=?=");
    assert_eq!(header("accept"), "application/json, text/event-stream");
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    let expected = json!({
        "jsonrpc": "2.0", "id": 9, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"region": "é", "n": 1}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "visual-degrees", "version": env!("CARGO_PKG_VERSION")},
            "progressToken": 9,
        }},
    });
    assert_eq!(body, expected);
}

#[test]
fn a_list_is_asked_for_page_by_page() {
    let page = |name: &str, next: Value| {
        result(
            json!({"tools": [{"name": name, "inputSchema": {"type": "object"}}], "nextCursor": next}),
        )
    };
    let answers = [page("a", json!("2")), page("b", json!(null))];
    let conducted = conduct(Connection::new(server(), 0), Operation::ListTools, answers);
    let names: Vec<_> = conducted
        .exchange
        .connection()
        .tools()
        .unwrap()
        .iter()
        .map(|tool| &tool.name)
        .collect();
    assert_eq!(names, ["a", "b"]);
    let second: Value = serde_json::from_slice(conducted.requests[1].body()).unwrap();
    assert_eq!(second["params"]["cursor"], "2");
}

#[test]
fn an_answer_comes_in_a_stream_behind_progress() {
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 2, "progress": 1, "total": 2, "message": "half"}});
    let other = json!({"jsonrpc": "2.0", "id": 999, "result": {}});
    let answer = json!({"jsonrpc": "2.0", "id": "ID", "result": said("hi")});
    let text_of = format!(
        ": ping\n\ndata: {progress}\n\ndata: no JSON\n\ndata: {other}\n\ndata: {answer}\n\ndata: later\n\n"
    );
    let mut conducted = conduct(
        Connection::new(server(), 0),
        call(),
        [tools(), stream(&text_of)],
    );
    assert_eq!(conducted.result, text("hi"));
    let progress = conducted.exchange.take_progress();
    assert_eq!(
        (
            progress[0].progress,
            progress[0].total,
            progress[0].message.as_deref()
        ),
        (1.0, Some(2.0), Some("half"))
    );
}

#[test]
fn a_server_that_asks_itself_is_answered_beside() {
    let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
    let sample =
        json!({"jsonrpc": "2.0", "id": 5, "method": "sampling/createMessage", "params": {}});
    let answer = json!({"jsonrpc": "2.0", "id": "ID", "result": said("hi")});
    let mut answers = vec![status(400)];
    answers.extend(handshake("s1"));
    answers.extend([
        tools(),
        stream(&format!(
            "data: {ping}\n\ndata: {sample}\n\ndata: {answer}\n\n"
        )),
    ]);
    let conducted = conduct(Connection::new(server(), 0), call(), answers);
    assert_eq!(conducted.result, text("hi"));
    let beside: Vec<_> = conducted
        .sent
        .iter()
        .filter(|line| line.starts_with('+'))
        .collect();
    assert_eq!(
        beside,
        [
            "+ POST result {} 2025-11-25 s1",
            "+ POST error -32601 2025-11-25 s1"
        ]
    );
}

#[test]
fn tools_that_have_changed_are_asked_for_again_once() {
    let mismatch = || error(400, -32_020, "Mcp-Param-Region is missing", json!(null));
    let conducted = conduct(
        Connection::new(server(), 0),
        call(),
        [tools(), mismatch(), tools(), result(said("hi"))],
    );
    assert_eq!(conducted.result, text("hi"));
    let conducted = conduct(
        Connection::new(server(), 0),
        call(),
        [tools(), mismatch(), tools(), mismatch()],
    );
    assert_eq!(
        conducted.result,
        Err(CallFailure::Refused(
            "Mcp-Param-Region is missing".to_owned()
        ))
    );
}

#[test]
fn a_tool_that_wants_input_fails_in_words() {
    let kind = |kind: &str| result(json!({"resultType": kind, "inputRequests": {}, "content": []}));
    for (answer, expected) in [
        (kind("input_required"), "asks for input"),
        (
            error(200, -32_602, "Unknown tool: echo", json!(null)),
            "Unknown tool: echo",
        ),
        (error(413, -32_600, "too large", json!(null)), "too large"),
    ] {
        let failed = conduct(Connection::new(server(), 0), call(), [tools(), answer]).result;
        assert!(
            matches!(&failed, Err(CallFailure::Refused(says)) if says.contains(expected)),
            "{failed:?}"
        );
    }
    // Whatever it means, the tool may have been executed.
    let unknown = conduct(
        Connection::new(server(), 0),
        call(),
        [tools(), kind("dream")],
    )
    .result;
    assert!(
        matches!(&unknown, Err(CallFailure::Unknown(says)) if says.contains("unknown kind dream")),
        "{unknown:?}"
    );
}
