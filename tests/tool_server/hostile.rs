//! Five hundred messages that no client of the protocol sends: each is refused, and none begins anything.

use serde_json::Value;
use visual_degrees::mcp_server::Posted;

use super::{META, modern, plain, read, with};

/// Returns bodies that are no message of the protocol, or have something forbidden.
fn bodies() -> Vec<String> {
    let mut bodies: Vec<String> = [
        "",
        " ",
        "null",
        "true",
        "7",
        "1e999",
        "\"text\"",
        "[]",
        "[1]",
        "{",
        "}",
        "{}",
        "{]",
        "\u{feff}{}",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"tools/list\"}",
        "{\"jsonrpc\":2,\"id\":1,\"method\":\"tools/list\"}",
        "{\"id\":1,\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"find_chain\"}}",
    ]
    .map(str::to_owned)
    .to_vec();
    let call = |id: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    };
    for id in [
        "null",
        "true",
        "1.5",
        "[]",
        "{}",
        "1e400",
        &format!("\"{}\"", "i".repeat(300)),
    ] {
        bodies.push(call(id, &format!(r#"{{"name":"find_chain",{META}}}"#)));
    }
    for params in ["null", "7", "\"a\"", "[]", "[1,2]"] {
        bodies.push(call("1", params));
    }
    for name in ["null", "7", "[]", "{}", &format!("\"{}\"", "n".repeat(500))] {
        bodies.push(call("1", &format!(r#"{{"name":{name},{META}}}"#)));
    }
    for arguments in ["7", "\"a\"", "[]", "[{}]", "true"] {
        bodies.push(call(
            "1",
            &format!(r#"{{"name":"find_chain","arguments":{arguments},{META}}}"#),
        ));
    }
    for token in [
        "1.5",
        "[]",
        "{}",
        "true",
        &format!("\"{}\"", "t".repeat(300)),
    ] {
        let meta = META.replacen(
            "\"_meta\":{",
            &format!("\"_meta\":{{\"progressToken\":{token},"),
            1,
        );
        bodies.push(call("1", &format!(r#"{{"name":"find_chain",{meta}}}"#)));
    }
    for depth in [130, 1_000, 100_000] {
        bodies.push(format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        bodies.push(call(
            "1",
            &format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth)),
        ));
    }
    bodies.push(format!("[{}]", vec!["{}"; 100_000].join(",")));
    bodies.push(call(
        "1",
        &format!(
            "{{\"name\":\"find_chain\",\"arguments\":[{}]}}",
            vec!["0"; 200_000].join(",")
        ),
    ));
    bodies
}

/// Returns headers with which nothing may begin either, whatever the body.
fn headers() -> Vec<Vec<(String, String)>> {
    let call = || with(modern("tools/call"), "mcp-name", "find_chain");
    vec![
        call(),
        plain(),
        with(call(), "mcp-protocol-version", "2025-11-25"),
        with(call(), "mcp-protocol-version", "1999-12-31"),
        with(plain(), "mcp-session-id", "forged session"),
        with(plain(), "mcp-session-id", &"s".repeat(129)),
        with(plain(), "content-type", "text/plain"),
        with(plain(), "accept", "text/html"),
        with(plain(), "mcp-protocol-version", "2025-06-18"),
    ]
}

#[test]
fn five_hundred_hostile_messages_begin_nothing() {
    let mut count = 0;
    for headers in headers() {
        for body in bodies() {
            let start: String = body.chars().take(120).collect();
            match read(&headers, &body) {
                Err(refusal) => {
                    assert!((400..500).contains(&refusal.status()), "{start}");
                    let told: Value = serde_json::from_str(&refusal.body()).unwrap();
                    assert!(told["error"]["code"].as_i64().unwrap() < 0, "{start}");
                    assert!(refusal.body().len() < 2_000, "{start}");
                }
                Ok(Posted::Noted { .. }) => panic!("{start} is taken for a notification"),
                Ok(other) => panic!("{start} is taken: {other:?}"),
            }
            count += 1;
        }
    }
    assert!(count >= 500, "{count}");
}

#[test]
fn a_message_is_taken_with_none_of_this() {
    // The messages above are refused only for what is wrong with them.
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"find_chain",{META}}}}}"#
    );
    assert!(read(&with(modern("tools/call"), "mcp-name", "find_chain"), &body).is_ok());
}
