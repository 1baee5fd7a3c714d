//! Every fault of an MCP server, at a call that acts and at one that only looks: how often the tool is executed, and
//! how the run ends.

use serde_json::{Value, json};

use crate::workflow::table::{edge, node};

use super::bench::{Bench, last};

/// Clicks a field, types something, and takes a look at the screen.
fn workflow() -> Value {
    let nodes = [
        node(
            1,
            "Field",
            "Click",
            json!({"x": 140.0, "y": 75.0, "button": "Left", "click_count": 1}),
        ),
        node(2, "Words", "TypeText", json!({"text": "Pencils"})),
        node(
            3,
            "Look",
            "FindText",
            json!({"search_text": "Name", "match_mode": "Exact"}),
        ),
    ];
    json!({
        "id": "00000000-0000-4000-8000-0000000000ff", "name": "faults", "nodes": nodes,
        "edges": [edge(1, 2, ""), edge(2, 3, "")],
    })
}

/// Returns how often the words were typed and the screen was looked at, and how the run ended.
fn outcome(fault: &str, number: u32, era: &str, is_trusted: bool) -> (usize, usize, String) {
    let server = format!("/mcp/desk?eras={era}&fault={fault}@{number}");
    let mut bench = Bench::new(&server, is_trusted);
    let run = bench.conduct(&workflow(), &json!({"callMs": 5000}));
    let count = |tool: &str| {
        let executed = bench.executed();
        executed
            .iter()
            .filter(|call| call.starts_with(tool))
            .count()
    };
    let last = last(&run);
    let reason = last["payload"]["reason"].as_str().unwrap_or_default();
    let ended = format!("{} {reason}", last["type"].as_str().unwrap());
    (
        count("type_text"),
        count("find_text"),
        ended.trim().to_owned(),
    )
}

/// The fate of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// Not executed, and repeated.
    Again,
    /// Not executed, and not repeated.
    Refused,
    /// Executed and answered.
    Made,
    /// Executed, with an unknown outcome.
    Unknown,
    /// Not executed, with an unknown outcome.
    UnknownAndNotMade,
    /// Executed, but timed out.
    TimedOut,
}

/// Each fault, with the fate of the call in the newest revision and in earlier ones.
const FAULTS: [(&str, Fate, Fate); 29] = [
    ("session-gone-404", Fate::Refused, Fate::Again),
    ("session-gone-400", Fate::Refused, Fate::Again),
    ("session-gone-text-400", Fate::Refused, Fate::Again),
    ("unauthorised-401", Fate::Refused, Fate::Refused),
    ("wrong-host-403", Fate::Refused, Fate::Refused),
    ("busy-429", Fate::Again, Fate::Again),
    ("redirect-307", Fate::Refused, Fate::Refused),
    ("unsupported-version-400", Fate::Refused, Fate::Refused),
    ("header-mismatch-400", Fate::Again, Fate::Refused),
    ("input-required", Fate::Refused, Fate::Refused),
    (
        "unknown-result-type",
        Fate::UnknownAndNotMade,
        Fate::UnknownAndNotMade,
    ),
    ("no-result-type", Fate::Made, Fate::Made),
    ("rpc-error", Fate::Refused, Fate::Refused),
    ("other-id", Fate::Unknown, Fate::Unknown),
    // Only a session stores the rest of an answer.
    ("cut-stream", Fate::Unknown, Fate::Made),
    ("empty-stream", Fate::Unknown, Fate::Unknown),
    ("accepted-202", Fate::Unknown, Fate::Unknown),
    ("error-500", Fate::Unknown, Fate::Unknown),
    ("bad-gateway-502", Fate::Unknown, Fate::Unknown),
    ("html-200", Fate::Unknown, Fate::Unknown),
    ("cut-json", Fate::Unknown, Fate::Unknown),
    ("slow-progress", Fate::Made, Fate::Made),
    ("never", Fate::TimedOut, Fate::TimedOut),
    // Progress every second, for more than five times `callMs`.
    ("long-progress", Fate::TimedOut, Fate::TimedOut),
    ("structured-alone", Fate::Made, Fate::Made),
    ("large-picture", Fate::Made, Fate::Made),
    ("broken-picture", Fate::Made, Fate::Made),
    // In the newest revision servers send no requests, and clients do not answer them.
    ("many-pings", Fate::Made, Fate::Unknown),
    ("flood", Fate::Unknown, Fate::Unknown),
];

/// Calls `check` with each fault in each era, and with whether the server's hints are trusted.
fn each(check: impl Fn(&str, &str, Fate, bool)) {
    for (fault, modern, legacy) in FAULTS {
        for is_trusted in [false, true] {
            check(fault, "modern", modern, is_trusted);
            check(fault, "legacy", legacy, is_trusted);
        }
    }
}

#[test]
fn a_call_that_acts_is_never_made_twice() {
    each(|fault, era, fate, is_trusted| {
        let expected = match fate {
            Fate::Again | Fate::Made => (1, "completed"),
            Fate::Refused => (0, "failed node_failed"),
            Fate::Unknown | Fate::TimedOut => (1, "failed unknown_outcome"),
            Fate::UnknownAndNotMade => (0, "failed unknown_outcome"),
        };
        let (typed, _, ended) = outcome(fault, 2, era, is_trusted);
        assert_eq!((typed, &*ended), expected, "{era} {fault} {is_trusted}");
    });
}

#[test]
fn a_call_that_looks_is_made_again_where_its_server_is_trusted() {
    each(|fault, era, fate, is_trusted| {
        let expected = match (fate, is_trusted) {
            (Fate::Again | Fate::Made, _) | (Fate::UnknownAndNotMade, true) => (1, "completed"),
            (Fate::Refused, _) => (0, "failed node_failed"),
            (Fate::Unknown, true) => (2, "completed"),
            (Fate::Unknown, false) | (Fate::TimedOut, _) => (1, "failed unknown_outcome"),
            (Fate::UnknownAndNotMade, false) => (0, "failed unknown_outcome"),
        };
        let (_, looked, ended) = outcome(fault, 3, era, is_trusted);
        assert_eq!((looked, &*ended), expected, "{era} {fault} {is_trusted}");
    });
}
