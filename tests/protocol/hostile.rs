//! Servers that send too much, ask too often or describe their tools without end.

use mcp::{CallFailure, Connection, EXCHANGE_BYTES_MAX, Operation, TOOLS_BYTES_MAX};
use serde_json::{Value, json};

use super::script::{
    Scripted, call, conduct, handshake, result, said, server, status, stream, tools,
};

fn says(result: &Result<mcp::Reply, CallFailure>) -> String {
    result.as_ref().unwrap_err().to_string()
}

/// A session in which the call is answered with this stream.
fn in_session(text: &str) -> Vec<Scripted> {
    let mut answers = vec![status(400)];
    answers.extend(handshake("s1"));
    answers.extend([tools(), stream(text)]);
    answers
}

fn pings(count: usize) -> String {
    let ping = |n| format!("data: {{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"ping\"}}\n\n");
    (0..count).map(ping).collect()
}

#[test]
fn pings_without_end_are_not_answered_without_end() {
    let answer = json!({"jsonrpc": "2.0", "id": "ID", "result": said("hi")});
    let conducted = |count: usize| {
        let text = format!("{}data: {answer}\n\n", pings(count));
        conduct(Connection::new(server(), 0), call(), in_session(&text))
    };
    let asides = |sent: &[String]| sent.iter().filter(|line| line.starts_with('+')).count();
    let few = conducted(60);
    assert!(few.result.is_ok());
    assert_eq!(asides(&few.sent), 60);
    let many = conducted(5_000);
    assert_eq!(asides(&many.sent), 60);
    assert!(matches!(many.result, Err(CallFailure::Unknown(_))));
    assert!(says(&many.result).contains("sends too many requests"));
}

#[test]
fn a_stream_of_small_events_ends_somewhere() {
    let event = format!("data: {}\n\n", " ".repeat(1_000_000));
    let text = event.repeat(EXCHANGE_BYTES_MAX / event.len() + 1);
    for (answers, what) in [
        (vec![tools(), stream(&text)], "in the newest revision"),
        (in_session(&text), "in a session"),
    ] {
        let conducted = conduct(Connection::new(server(), 0), call(), answers);
        assert!(says(&conducted.result).contains("without end"), "{what}");
    }
}

#[test]
fn tools_that_say_too_much_are_none() {
    let page = |description_bytes: usize, next: Value| {
        let description = "d".repeat(description_bytes);
        let tool =
            json!({"name": "a", "description": description, "inputSchema": {"type": "object"}});
        result(json!({"tools": [tool], "nextCursor": next}))
    };
    let half = TOOLS_BYTES_MAX / 2;
    for operation in [Operation::ListTools, call()] {
        let answers = [page(half, json!("2")), page(half, json!(null))];
        let conducted = conduct(Connection::new(server(), 0), operation, answers);
        assert!(matches!(conducted.result, Err(CallFailure::Unusable(_))));
        assert!(says(&conducted.result).contains("1000000 bytes"));
        assert!(conducted.exchange.connection().tools().is_none());
    }
}
