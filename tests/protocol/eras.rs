//! How the era of a server is detected.

use mcp::{Agreed, CallFailure, Connection, Operation, Reply};
use serde_json::json;

use super::script::{
    Scripted, call, conduct, error, handshake, result, said, server, status, tools,
};

#[track_caller]
fn check(answers: Vec<Scripted>, expected: &[&str]) -> Result<Reply, CallFailure> {
    let conducted = conduct(Connection::new(server(), 0), Operation::ListTools, answers);
    assert_eq!(conducted.sent, expected);
    conducted.result
}

const PROBE: &str = "POST tools/list 2026-07-28";
const HANDSHAKE: [&str; 3] = [
    "POST initialize",
    "POST notifications/initialized 2025-11-25 s1",
    "POST tools/list 2025-11-25 s1",
];

#[test]
fn a_server_that_answers_the_newest_revision_speaks_it() {
    assert_eq!(check(vec![tools()], &[PROBE]), Ok(Reply::Listed));
}

#[test]
fn every_other_refusal_leads_to_a_handshake() {
    let expected: Vec<&str> = std::iter::once(PROBE).chain(HANDSHAKE).collect();
    for refusal in [
        || {
            error(
                400,
                -32_000,
                "Bad Request: Server not initialized",
                json!(null),
            )
        },
        || error(404, -32_001, "Session not found", json!(null)),
        || error(200, -32_600, "Invalid Request", json!(null)),
        || status(404),
        || status(405),
        || status(500),
        || Scripted::Whole(200, "text/html", "<html>".to_owned()),
        || {
            error(
                400,
                -32_022,
                "Unsupported",
                json!({"supported": ["2025-11-25"]}),
            )
        },
    ] {
        let mut answers = vec![refusal()];
        answers.extend(handshake("s1"));
        answers.push(tools());
        assert_eq!(check(answers, &expected), Ok(Reply::Listed));
    }
}

#[test]
fn a_refusal_in_words_of_the_newest_revision_leads_to_none() {
    let again = error(
        400,
        -32_022,
        "Unsupported",
        json!({"supported": ["2026-07-28"]}),
    );
    assert_eq!(
        check(vec![again, tools()], &[PROBE, PROBE]),
        Ok(Reply::Listed)
    );
    for (refusal, says) in [
        (
            error(400, -32_021, "needs roots", json!(null)),
            "needs roots",
        ),
        (
            error(404, -32_601, "Method not found", json!(null)),
            "Method not found",
        ),
    ] {
        assert_eq!(
            check(vec![refusal], &[PROBE]),
            Err(CallFailure::Refused(says.to_owned()))
        );
    }
}

#[test]
fn what_a_handshake_would_not_mend_is_told() {
    let result = check(vec![status(401)], &[PROBE]);
    assert!(
        matches!(&result, Err(CallFailure::Unusable(says)) if says.contains("MCP_SERVERS")),
        "{result:?}"
    );
    let busy = Scripted::With(429, vec![("retry-after", "3")], String::new());
    assert_eq!(
        check(vec![busy], &[PROBE]),
        Err(CallFailure::Busy {
            after_ms: Some(3_000)
        })
    );
    let result = check(vec![status(503)], &[PROBE]);
    assert!(matches!(result, Err(CallFailure::Down(_))), "{result:?}");
    let result = check(vec![Scripted::Nothing], &[PROBE]);
    assert!(matches!(result, Err(CallFailure::Down(_))), "{result:?}");
    let redirected = check(vec![status(307), status(307)], &[PROBE, "POST initialize"]);
    assert!(
        matches!(&redirected, Err(CallFailure::Unusable(says)) if says.contains("redirects")),
        "{redirected:?}"
    );
}

#[test]
fn a_server_of_no_known_revision_is_left() {
    let future = result(json!({"protocolVersion": "2031-01-01", "capabilities": {}}));
    let result = check(vec![status(400), future], &[PROBE, "POST initialize"]);
    assert!(
        matches!(result, Err(CallFailure::Unusable(_))),
        "{result:?}"
    );
}

#[test]
fn what_was_found_out_is_not_found_out_again() {
    let known = conduct(
        Connection::new(server(), 0),
        Operation::ListTools,
        [tools()],
    );
    let connection = known.exchange.into_connection();
    assert_eq!(connection.agreed(), Some(&Agreed::Modern));
    let called = conduct(connection, call(), [result(said("hi"))]);
    assert_eq!(called.sent, ["POST tools/call 2026-07-28"]);
    assert!(matches!(called.result, Ok(Reply::Called(_))));
    assert!(called.exchange.connection().ending().is_none());
}

#[test]
fn a_named_revision_is_spoken_without_asking() {
    let mut pinned = server();
    pinned.version = Some("2025-03-26".to_owned());
    let mut answers: Vec<_> = handshake("s1").into();
    answers.push(tools());
    let conducted = conduct(Connection::new(pinned, 0), Operation::ListTools, answers);
    assert_eq!(conducted.sent, HANDSHAKE);
    let proposed: serde_json::Value = serde_json::from_slice(conducted.requests[0].body()).unwrap();
    assert_eq!(proposed["params"]["protocolVersion"], "2025-03-26");
    let ending = conducted.exchange.connection().ending().unwrap();
    assert_eq!(
        (
            ending.method().as_str(),
            ending.headers()["mcp-session-id"].to_str().unwrap()
        ),
        ("DELETE", "s1")
    );
}
