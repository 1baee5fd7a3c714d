//! Tests of tool calls that fail: whether the tool is executed, and what the client sees.

use super::mcp_legacy::{begun, call, event_ids, resume};
use super::mcp_modern::{Asked, events, log, modern_call};
use super::*;

/// The outcome of a call as its client sees it.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    /// A status other than 200.
    Status(u16),
    /// An error of the protocol with this code.
    Error(i64),
    /// A result of this type.
    Result(&'static str),
    /// A stream or a body without a complete answer.
    NoAnswer,
    /// A stream whose connection breaks.
    Broken,
}

fn seen(reply: &Reply) -> Seen {
    if status(reply) != 200 {
        return Seen::Status(status(reply));
    }
    let broken = matches!(
        reply.response.body(),
        ReplyBody::Pieces {
            ending: BodyEnding::BrokenOff,
            ..
        }
    );
    if broken {
        return Seen::Broken;
    }
    let is_stream = reply.response.headers()[CONTENT_TYPE] == "text/event-stream";
    let answers = if is_stream {
        events(reply)
    } else {
        let bytes = reply.response.body().bytes();
        serde_json::from_slice(&bytes).into_iter().collect()
    };
    let answer = answers.iter().find(|message| message["id"] == 1);
    let Some(answer) = answer else {
        return Seen::NoAnswer;
    };
    match answer["error"]["code"].as_i64() {
        Some(code) => Seen::Error(code),
        None => Seen::Result(match answer["result"]["resultType"].as_str() {
            None => "none",
            Some("complete") => "complete",
            Some("input_required") => "input_required",
            Some(_) => "another",
        }),
    }
}

/// The kinds of faults, each with the outcome in the newest revision, the outcome in a session, and whether the tool is
/// executed.
const KINDS: [(&str, Seen, Seen, bool); 31] = [
    (
        "session-gone-404",
        Seen::Status(404),
        Seen::Status(404),
        false,
    ),
    (
        "session-gone-400",
        Seen::Status(400),
        Seen::Status(400),
        false,
    ),
    (
        "session-gone-text-400",
        Seen::Status(400),
        Seen::Status(400),
        false,
    ),
    (
        "unauthorised-401",
        Seen::Status(401),
        Seen::Status(401),
        false,
    ),
    (
        "wrong-host-403",
        Seen::Status(403),
        Seen::Status(403),
        false,
    ),
    ("busy-429", Seen::Status(429), Seen::Status(429), false),
    ("redirect-307", Seen::Status(307), Seen::Status(307), false),
    (
        "unsupported-version-400",
        Seen::Status(400),
        Seen::Status(400),
        false,
    ),
    (
        "header-mismatch-400",
        Seen::Status(400),
        Seen::Status(400),
        false,
    ),
    (
        "input-required",
        Seen::Result("input_required"),
        Seen::Result("none"),
        false,
    ),
    (
        "unknown-result-type",
        Seen::Result("another"),
        Seen::Result("another"),
        false,
    ),
    (
        "no-result-type",
        Seen::Result("none"),
        Seen::Result("none"),
        true,
    ),
    (
        "rpc-error",
        Seen::Error(-32_603),
        Seen::Error(-32_603),
        false,
    ),
    ("other-id", Seen::NoAnswer, Seen::NoAnswer, true),
    ("cut-stream", Seen::Broken, Seen::Broken, true),
    ("empty-stream", Seen::NoAnswer, Seen::NoAnswer, true),
    ("accepted-202", Seen::Status(202), Seen::Status(202), true),
    ("error-500", Seen::Status(500), Seen::Status(500), true),
    (
        "bad-gateway-502",
        Seen::Status(502),
        Seen::Status(502),
        true,
    ),
    ("html-200", Seen::NoAnswer, Seen::NoAnswer, true),
    ("cut-json", Seen::NoAnswer, Seen::NoAnswer, true),
    (
        "slow-progress",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    ("never", Seen::NoAnswer, Seen::NoAnswer, true),
    (
        "long-progress",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    ("endless-progress", Seen::NoAnswer, Seen::NoAnswer, true),
    (
        "structured-alone",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    (
        "large-picture",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    (
        "huge-picture",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    (
        "broken-picture",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    (
        "many-pings",
        Seen::Result("complete"),
        Seen::Result("none"),
        true,
    ),
    ("flood", Seen::NoAnswer, Seen::NoAnswer, true),
];

fn faulty(asked: Asked, kind: &str) -> Asked {
    let address = format!("/mcp/desk?fault={kind}@2&fault=busy-429@3");
    Asked { address, ..asked }
}

#[test]
fn each_fault_is_seen_and_only_the_second_call_has_it() {
    for (kind, in_modern, in_session, is_executed) in KINDS {
        let expect = if is_executed {
            vec!["1 list_apps", "2 list_windows", "4 list_apps"]
        } else {
            vec!["1 list_apps", "4 list_apps"]
        };
        let mut sandbox = plain();
        let send = |sandbox: &mut Sandbox, tool: &str| {
            seen(&faulty(modern_call(1, tool, &json!({})), kind).send(sandbox))
        };
        assert_eq!(
            send(&mut sandbox, "list_apps"),
            Seen::Result("complete"),
            "{kind}"
        );
        assert_eq!(send(&mut sandbox, "list_windows"), in_modern, "{kind}");
        assert_eq!(send(&mut sandbox, "list_apps"), Seen::Status(429), "{kind}");
        assert_eq!(
            send(&mut sandbox, "list_apps"),
            Seen::Result("complete"),
            "{kind}"
        );
        assert_eq!(log(&mut sandbox), expect, "{kind}");

        let mut sandbox = plain();
        let send = |sandbox: &mut Sandbox, tool: &str| {
            let session = begun(sandbox, "2025-11-25");
            seen(&faulty(call(&session, 1, tool, &json!({})), kind).send(sandbox))
        };
        assert_eq!(
            send(&mut sandbox, "list_apps"),
            Seen::Result("none"),
            "{kind}"
        );
        assert_eq!(send(&mut sandbox, "list_windows"), in_session, "{kind}");
        assert_eq!(send(&mut sandbox, "list_apps"), Seen::Status(429), "{kind}");
        assert_eq!(
            send(&mut sandbox, "list_apps"),
            Seen::Result("none"),
            "{kind}"
        );
        assert_eq!(log(&mut sandbox), expect, "{kind} in a session");
    }
}

#[test]
fn a_session_that_is_gone_is_gone() {
    for kind in [
        "session-gone-404",
        "session-gone-400",
        "session-gone-text-400",
    ] {
        let mut sandbox = plain();
        let session = begun(&mut sandbox, "2025-11-25");
        let asked = |id| Asked {
            address: format!("/mcp/desk?fault={kind}@1"),
            ..call(&session, id, "list_apps", &json!({}))
        };
        asked(1).send(&mut sandbox);
        assert_eq!(status(&asked(2).send(&mut sandbox)), 404, "{kind}");
    }
}

#[test]
fn what_broke_in_a_session_is_recovered_and_what_broke_outside_is_lost() {
    let mut sandbox = plain();
    let session = begun(&mut sandbox, "2025-11-25");
    let cut = Asked {
        address: "/mcp/desk?fault=cut-stream@1&fault=cut-stream@2".to_owned(),
        ..call(&session, 1, "list_apps", &json!({}))
    };
    let reply = cut.send(&mut sandbox);
    assert_eq!(events(&reply), Vec::<Value>::new());
    let ids = event_ids(&reply);
    assert_eq!(ids.len(), 1);
    let rest = events(&resume(&mut sandbox, &session, &ids[0]));
    assert_eq!((rest.len(), &rest[0]["id"]), (1, &json!(1)));
    let lost = Asked {
        address: cut.address,
        ..modern_call(2, "list_apps", &json!({}))
    };
    let reply = lost.send(&mut sandbox);
    assert!(event_ids(&reply).is_empty());
    assert_eq!(log(&mut sandbox), ["1 list_apps", "2 list_apps"]);
}

#[test]
fn late_answers_are_late_and_the_last_wait_ends() {
    let mut sandbox = plain();
    let at = |kind: &str, number: u64| format!("/mcp/desk?fault={kind}@{number}");
    let slow = Asked {
        address: at("slow-progress", 1),
        ..modern_call(1, "list_apps", &json!({}))
    };
    let slow = slow
        .saying("/params/_meta", "progressToken", json!(1))
        .send(&mut sandbox);
    assert_eq!(slow.response.body().pauses_ms(), 2_500);
    assert_eq!(events(&slow).len(), 4);
    let never = Asked {
        address: at("never", 2),
        ..modern_call(2, "list_apps", &json!({}))
    };
    assert_eq!(
        never.send(&mut sandbox).response.body().pauses_ms(),
        600_000
    );
    let session = begun(&mut sandbox, "2025-11-25");
    let never = Asked {
        address: at("never", 3),
        ..call(&session, 1, "list_apps", &json!({}))
    };
    let reply = never.send(&mut sandbox);
    let again = resume(&mut sandbox, &session, &event_ids(&reply)[0]);
    for reply in [reply, again] {
        assert_eq!(
            (reply.response.body().pauses_ms(), events(&reply).len()),
            (600_000, 0)
        );
    }
}

#[test]
fn a_question_comes_on_the_stream_of_a_session() {
    let mut sandbox = plain();
    let session = begun(&mut sandbox, "2025-11-25");
    let asked = Asked {
        address: "/mcp/desk?fault=input-required@1".to_owned(),
        ..call(&session, 1, "list_apps", &json!({}))
    };
    let events = events(&asked.send(&mut sandbox));
    assert_eq!(events[0]["method"], "elicitation/create");
    assert_eq!(events[1]["result"]["isError"], true);
    let answer = json!({"jsonrpc": "2.0", "id": events[0]["id"], "result": {"action": "decline"}});
    let answer = Asked {
        body: answer,
        ..call(&session, 2, "", &json!({}))
    };
    assert_eq!(status(&answer.send(&mut sandbox)), 202);
}

#[test]
fn a_fault_that_does_not_exist_is_a_mistake() {
    let mut sandbox = plain();
    for fault in ["gone@1", "never", "never@0"] {
        let address = format!("/mcp/desk?fault={fault}");
        let asked = Asked {
            address,
            ..modern_call(1, "list_apps", &json!({}))
        };
        assert_eq!(status(&asked.send(&mut sandbox)), 400, "{fault}");
    }
}
