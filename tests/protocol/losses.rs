//! Broken streams, lost sessions, unreachable servers: what may be sent again, and what may not.

use mcp::{Agreed, CallFailure, Connection, Exchange, Reply, ResumePoint};
use serde_json::json;

use super::script::{
    Conducted, Scripted, call, conduct, conduct_exchange, error, handshake, result, said, server,
    status, stream, tools,
};

fn modern(answer: Scripted) -> Conducted {
    conduct(Connection::new(server(), 0), call(), [tools(), answer])
}

fn in_session(answers: impl IntoIterator<Item = Scripted>) -> Conducted {
    let mut all = vec![status(400)];
    all.extend(handshake("s1"));
    all.push(tools());
    all.extend(answers);
    conduct(Connection::new(server(), 0), call(), all)
}

fn answer() -> String {
    format!(
        "id: e2\ndata: {}\n\n",
        json!({"jsonrpc": "2.0", "id": "ID", "result": said("hi")})
    )
}

#[test]
fn a_call_of_which_nobody_knows_what_came_is_not_sent_again() {
    for answer in [
        Scripted::Nothing,
        Scripted::Broken("id: e1\ndata:\n\n".to_owned()),
        stream(": ends without an answer\n\n"),
        status(500),
        status(502),
        Scripted::Whole(200, "application/json", "{\"jsonrpc\"".to_owned()),
        Scripted::Whole(200, "text/html", "<html>".to_owned()),
        Scripted::Whole(202, "", String::new()),
    ] {
        let conducted = modern(answer);
        assert!(
            matches!(conducted.result, Err(CallFailure::Unknown(_))),
            "{:?}",
            conducted.result
        );
        assert_eq!(conducted.sent.len(), 2);
        assert!(conducted.exchange.has_sent_call());
        assert_eq!(conducted.exchange.resume_point(), None);
    }
}

#[test]
fn what_was_surely_not_done_is_told_apart() {
    let busy = modern(Scripted::With(
        429,
        vec![("retry-after", "2")],
        String::new(),
    ));
    assert_eq!(
        busy.result,
        Err(CallFailure::Busy {
            after_ms: Some(2_000)
        })
    );
    let refused = modern(status(403));
    assert!(matches!(refused.result, Err(CallFailure::Unusable(_))));
}

#[test]
fn a_stream_of_a_session_is_taken_up_where_it_broke() {
    let broken = Scripted::Broken("id: e1\nretry: 250\ndata:\n\n".to_owned());
    let conducted = in_session([broken, Scripted::Nothing, stream(&answer())]);
    assert!(
        matches!(conducted.result, Ok(Reply::Called(_))),
        "{:?}",
        conducted.result
    );
    let resumed = ["GET 2025-11-25 s1 e1", "GET 2025-11-25 s1 e1"];
    assert_eq!(conducted.sent[conducted.sent.len() - 2..], resumed);
    // The server's value, then the default.
    assert_eq!(conducted.paused_ms, 1_250);
}

#[test]
fn a_stream_that_cannot_be_taken_up_leaves_the_outcome_unknown() {
    let broken = || Scripted::Broken("id: e1\ndata:\n\n".to_owned());
    for next in [status(405), status(404), status(400)] {
        let conducted = in_session([broken(), next]);
        assert!(
            matches!(conducted.result, Err(CallFailure::Unknown(_))),
            "{:?}",
            conducted.result
        );
    }
    // Repeatedly, but not for ever.
    let conducted = in_session((0..6).map(|_| broken()));
    assert!(matches!(conducted.result, Err(CallFailure::Unknown(_))));
    let conducted = in_session([Scripted::Broken("data:\n\n".to_owned())]);
    assert!(matches!(conducted.result, Err(CallFailure::Unknown(_))));
}

#[test]
fn a_refusal_in_a_stream_that_was_taken_up_is_an_answer() {
    let refusal = json!({"jsonrpc": "2.0", "id": "ID", "error": {"code": -32_602, "message": "no such tool"}});
    let broken = Scripted::Broken("id: e1\ndata:\n\n".to_owned());
    let conducted = in_session([broken, stream(&format!("data: {refusal}\n\n"))]);
    assert_eq!(
        conducted.result,
        Err(CallFailure::Refused("no such tool".to_owned()))
    );
}

#[test]
fn a_lost_session_is_begun_anew_and_the_call_sent_again() {
    for lost in [
        || status(404),
        || error(404, -32_001, "Session not found", json!(null)),
        || {
            error(
                400,
                -32_000,
                "Bad Request: No valid session ID provided",
                json!(null),
            )
        },
        || {
            error(
                400,
                -32_000,
                "Bad Request: Server not initialized",
                json!(null),
            )
        },
    ] {
        let mut answers = vec![lost()];
        answers.extend(handshake("s2"));
        answers.push(result(said("hi")));
        let conducted = in_session(answers);
        assert!(
            matches!(conducted.result, Ok(Reply::Called(_))),
            "{:?}",
            conducted.result
        );
        assert_eq!(
            conducted.sent.last().unwrap(),
            "POST tools/call 2025-11-25 s2"
        );
    }
    // Words outside the protocol may mean that, too: once.
    let plain = || Scripted::Whole(400, "text/plain", "No valid session ID provided".to_owned());
    for lost in [
        plain,
        || Scripted::Whole(400, "", String::new()),
        || {
            Scripted::Whole(
                400,
                "application/json",
                "{\"detail\": \"no session\"}".to_owned(),
            )
        },
    ] {
        let mut answers = vec![lost()];
        answers.extend(handshake("s2"));
        answers.push(result(said("hi")));
        let conducted = in_session(answers);
        assert!(
            matches!(conducted.result, Ok(Reply::Called(_))),
            "{:?}",
            conducted.result
        );
        let mut answers = vec![lost()];
        answers.extend(handshake("s2"));
        answers.push(lost());
        let conducted = in_session(answers);
        assert_eq!(
            conducted.result,
            Err(CallFailure::Refused(
                "the server answers 400 Bad Request".to_owned()
            ))
        );
    }
    // If no new session can be opened either, the next exchange first detects the server's era again: detecting it with
    // a call could execute the call once too often.
    let conducted = in_session([status(404), Scripted::Nothing]);
    assert!(conducted.result.is_err(), "{:?}", conducted.result);
    let connection = conducted.exchange.into_connection();
    let mut answers = vec![status(400)];
    answers.extend(handshake("s3"));
    answers.push(Scripted::Broken(String::new()));
    let again = conduct(connection, call(), answers);
    assert!(
        again.sent[0].starts_with("POST tools/list"),
        "{:?}",
        again.sent
    );
    let calls = again.sent.iter().filter(|sent| sent.contains("tools/call"));
    assert_eq!(calls.count(), 1, "{:?}", again.sent);
    assert!(
        matches!(again.result, Err(CallFailure::Unknown(_))),
        "{:?}",
        again.result
    );
    // A server that loses every session is given up.
    let mut answers = vec![status(404)];
    answers.extend(handshake("s2"));
    answers.push(status(404));
    let conducted = in_session(answers);
    assert!(
        matches!(conducted.result, Err(CallFailure::Unusable(_))),
        "{:?}",
        conducted.result
    );
}

#[test]
fn another_process_takes_a_call_up_where_the_last_event_came() {
    let agreed = Agreed::Legacy {
        version: "2025-11-25".to_owned(),
        session: Some("s1".to_owned()),
    };
    let point = ResumePoint {
        request: 41,
        last_event_id: "e1".to_owned(),
    };
    let connection = Connection::resumed(server(), agreed, 41);
    let exchange = Exchange::resumed(connection.clone(), call(), point.clone());
    assert_eq!(exchange.resume_point(), Some(point.clone()));
    let answer = json!({"jsonrpc": "2.0", "id": 41, "result": said("hi")});
    let conducted = conduct_exchange(exchange, [stream(&format!("data: {answer}\n\n"))]);
    assert_eq!(conducted.sent, ["GET 2025-11-25 s1 e1"]);
    assert!(
        matches!(conducted.result, Ok(Reply::Called(_))),
        "{:?}",
        conducted.result
    );
    let lost = conduct_exchange(Exchange::resumed(connection, call(), point), [status(404)]);
    assert!(matches!(lost.result, Err(CallFailure::Unknown(_))));
}

#[test]
fn a_call_of_a_session_is_cancelled_in_words_and_others_by_closing() {
    let conducted = in_session([Scripted::Broken("data:\n\n".to_owned())]);
    let cancelled = conducted.exchange.cancellation().unwrap();
    let body: serde_json::Value = serde_json::from_slice(cancelled.body()).unwrap();
    assert_eq!(body["method"], "notifications/cancelled");
    assert_eq!(body["params"]["requestId"], conducted.exchange.request_id());
    assert!(modern(Scripted::Nothing).exchange.cancellation().is_none());
}
