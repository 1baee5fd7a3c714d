//! The handling of every failure of every provider, as one table for operators.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use domain::{Limits, Pace};
use sandbox::{SandboxProvider, fault_kinds_of};
use serde_json::Value;

use crate::observed::ObservedRun;

use super::people_table::people_row;
use super::scenario::{Scenario, listed};

const TABLE: &str = "tests/scenarios/error_table.txt";
const HEAD: &str = "\
What becomes of every failure that the stand-ins know, when each call of a provider fails so.

  PROVIDER failure: what the client makes of it; how often it asked, in how many milliseconds
    before NEXT: how long the provider is left alone, and what viewers read
    alone: how the run ends, and what viewers read

  image failure: requests for photos, those not had in the end, and what viewers read of the first
    alone: how the run ends

  wikidata failure: what the client makes of it; how often it asked
    /people: what its caller reads
";

/// Returns a provider's role, as in the journal.
fn call_of(provider: SandboxProvider) -> &'static str {
    match provider {
        SandboxProvider::Rekognition | SandboxProvider::References => "recognise",
        SandboxProvider::Gemini | SandboxProvider::WorkersAi | SandboxProvider::OpenAi => "plan",
        _ => "search",
    }
}

/// Returns the provider that is asked when this one fails.
pub fn next_of(provider: SandboxProvider) -> Option<SandboxProvider> {
    match provider {
        SandboxProvider::Rekognition | SandboxProvider::References => None,
        SandboxProvider::Gemini => Some(SandboxProvider::OpenAi),
        SandboxProvider::WorkersAi | SandboxProvider::OpenAi => Some(SandboxProvider::Gemini),
        // A free one is asked before a paid one.
        SandboxProvider::Openverse => Some(SandboxProvider::Commons),
        SandboxProvider::Brave => Some(SandboxProvider::Google),
        _ => Some(SandboxProvider::Brave),
    }
}

fn failing(providers: &[SandboxProvider], kind: &str, searches_max: u32) -> ObservedRun {
    failing_scenario(providers, kind, searches_max).run()
}

/// A small run in which every call of the first of these providers has this fault.
pub fn failing_scenario(providers: &[SandboxProvider], kind: &str, searches_max: u32) -> Scenario {
    let failing = providers[0];
    let mut scenario = Scenario::new().fault(failing, kind);
    let list = listed(providers);
    match call_of(failing) {
        "search" => scenario.settings.push(("IMAGE_SEARCH", list)),
        "plan" => scenario.settings.push(("PLANNER", list)),
        _ => scenario.settings.push(("RECOGNISER", list)),
    }
    let is_planner = call_of(failing) == "plan";
    scenario.limits = Limits {
        pace: Pace::Frugal,
        // The planner is only asked if there is a choice.
        searches_max: if is_planner { 8 } else { searches_max },
        images_per_search: if is_planner { 3 } else { 1 },
        recognitions_max: if is_planner { 20 } else { 3 },
        planner_calls_max: 3,
        ..Limits::default()
    };
    scenario
}

/// The first answer to a call of a kind.
fn first_answer<'run>(run: &'run ObservedRun, call: &str) -> &'run Value {
    let mut answers = run.entries("answer");
    answers
        .find(|answer| answer["asked"][call].is_object())
        .unwrap_or_else(|| panic!("no {call} was answered"))
}

/// Returns the failure in an answer, or null.
fn failed(answer: &Value) -> &Value {
    let outcome = answer["outcome"].as_object().unwrap();
    &outcome.values().next().unwrap()["failed"]
}

/// Returns when the machine got an answer, and the time since its previous input.
fn told_at(run: &ObservedRun, answer: &Value) -> (u64, u64) {
    let mut before = None;
    for input in run.entries("input") {
        let now = input["now"].as_u64().unwrap();
        if input["given"]["answer"] == answer["command"] {
            return (now, now - before.unwrap_or(now));
        }
        before = Some(now);
    }
    panic!("nobody was told of {answer}");
}

/// Returns a line like `throttled (HTTP 429), hint 37000 ms; 3 attempts in 74000 ms`.
fn reading(answer: &Value, took_ms: u64) -> String {
    let attempts = match answer["attempts"].as_u64().unwrap() {
        1 => "1 attempt".to_owned(),
        more => format!("{more} attempts"),
    };
    let read = match failed(answer).as_object() {
        Some(failure) => {
            let hint = failure.get("retryAfterMs").and_then(Value::as_u64);
            let hint = hint.map_or(String::new(), |hint| format!(", hint {hint} ms"));
            let text = |name: &str| failure[name].as_str().unwrap().to_owned();
            format!("{} ({}){hint}", text("kind"), text("detail"))
        }
        None => "an answer".to_owned(),
    };
    format!("{read}; {attempts} in {took_ms} ms")
}

/// Returns how a failure is handled if another provider comes next.
fn hand_over(run: &ObservedRun, provider: SandboxProvider) -> String {
    let answer = first_answer(run, call_of(provider));
    let (now, _) = told_at(run, answer);
    let Some(row) = answer["setAside"].as_array().and_then(|rows| rows.first()) else {
        panic!("{provider} failed and is not set aside: {answer}");
    };
    assert_eq!(row["provider"], provider.name());
    let rest = match row["untilMs"].as_u64() {
        Some(until) => format!("for {} ms", until - now),
        None => "for the run".to_owned(),
    };
    let remarks: Vec<&str> = answer["remarks"].as_array().map_or(Vec::new(), |remarks| {
        remarks.iter().filter_map(Value::as_str).collect()
    });
    let attempts = answer["attempts"].as_u64().unwrap();
    let answered_by = answer["provider"].as_str().unwrap();
    for remark in &remarks {
        assert!(run.says(remark), "viewers do not read: {remark}");
    }
    format!(
        "left alone {rest}; the call ends at {answered_by} after {attempts}; {}",
        remarks.join(" ")
    )
}

/// Returns how a run ends if the only provider of a role fails.
fn alone(run: &ObservedRun, provider: SandboxProvider) -> String {
    let told = match call_of(provider) {
        "plan" => {
            let messages = run.events.iter();
            let mut messages = messages.filter_map(|event| event["message"].as_str());
            messages.find(|message| message.contains("the ranking decides"))
        }
        _ => run.last()["message"].as_str(),
    };
    let is_error = run.ending().starts_with("error") || call_of(provider) == "plan";
    // If it is no error, the detail is emitted where it happens.
    let detail = failed(first_answer(run, call_of(provider)))["detail"].as_str();
    let messages = run.events.iter();
    let messages = messages.filter_map(|event| event["message"].as_str());
    let mut on_the_way =
        messages.filter(|message| detail.is_some_and(|detail| message.contains(detail)));
    let words = told.filter(|_| is_error).or_else(|| on_the_way.next());
    format!("{}: {}", run.ending(), words.unwrap_or_default())
}

/// Returns the message to viewers about the first unavailable photo.
fn photo_line(run: &ObservedRun) -> Option<&str> {
    let messages = run.events.iter();
    let mut messages = messages.filter_map(|event| event["message"].as_str());
    messages.find(|message| message.starts_with("Photo ") && message.contains(" could not be "))
}

/// A run that searches Commons until it finds photos, with this fault at every call of a provider.
fn fetching(provider: SandboxProvider, kind: &str) -> ObservedRun {
    fetching_scenario(provider, kind).run()
}

pub fn fetching_scenario(provider: SandboxProvider, kind: &str) -> Scenario {
    let mut scenario = Scenario::new()
        .fault(provider, kind)
        .set("IMAGE_SEARCH", "commons");
    scenario.options.bad_images = false;
    scenario.limits = Limits {
        pace: Pace::Frugal,
        searches_max: 8,
        images_per_search: 3,
        recognitions_max: 3,
        ..Limits::default()
    };
    scenario
}

/// Returns a line like `6 requests (3 of HTTP 400), 0 photos not had; viewers read nothing of it`.
fn photos(run: &ObservedRun) -> String {
    let mut statuses: BTreeMap<u16, u32> = BTreeMap::new();
    let calls = run.conducted.calls.iter();
    for (_, _, status) in calls.filter(|(name, ..)| name == "image") {
        *statuses.entry(*status).or_default() += 1;
    }
    assert!(!statuses.is_empty(), "no photo was asked for");
    let statuses = statuses.iter();
    let statuses = statuses.map(|(status, count)| format!("{count} of HTTP {status}"));
    let photos = &run.last()["spent"]["photos"];
    let count = |name: &str| photos[name].as_u64().unwrap_or_default();
    format!(
        "requests: {}; photos not had: {}; {}",
        statuses.collect::<Vec<_>>().join(", "),
        count("unfetchable") + count("unreadable"),
        photo_line(run).unwrap_or("nothing is told")
    )
}

/// Returns how photos are handled if each request for one has this fault.
fn photo_row(kind: &str) -> String {
    let run = fetching(SandboxProvider::Image, kind);
    let photos = photos(&run);
    format!("\nimage {kind}: {photos}\n  alone: {}\n", run.ending())
}

fn row(provider: SandboxProvider, kind: &str) -> String {
    // Three attempts of the first search, and one more search.
    let on_its_own = failing(&[provider], kind, 4);
    let answer = first_answer(&on_its_own, call_of(provider));
    let (_, took_ms) = told_at(&on_its_own, answer);
    let mut row = format!("\n{provider} {kind}: {}\n", reading(answer, took_ms));
    if !failed(answer).is_object() {
        // Harmless for the search, but not for fetching its results.
        if kind == "thumb-step-400" {
            let run = fetching(provider, kind);
            writeln!(row, "  its photos: {}", photos(&run)).unwrap();
        }
        return row;
    }
    if let Some(next) = next_of(provider) {
        let run = failing(&[provider, next], kind, 4);
        writeln!(row, "  before {next}: {}", hand_over(&run, provider)).unwrap();
    }
    writeln!(row, "  alone: {}", alone(&on_its_own, provider)).unwrap();
    row
}

#[test]
fn every_failure_of_every_provider_is_told_as_the_table_says() {
    let mut table = HEAD.to_owned();
    let mut rows = 0;
    for provider in SandboxProvider::ALL {
        for kind in fault_kinds_of(provider) {
            table += &match provider {
                SandboxProvider::Image => photo_row(kind),
                SandboxProvider::Wikidata => people_row(kind),
                _ => row(provider, kind),
            };
            rows += 1;
        }
    }
    println!(
        "{rows} failures of {} providers",
        SandboxProvider::ALL.len()
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (now, then)) in (1..).zip(table.lines().zip(expected.lines())) {
        assert_eq!(now, then, "{TABLE}:{line}");
    }
    assert_eq!(table, expected, "{TABLE}");
}
