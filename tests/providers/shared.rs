//! Shared by the tests of all providers: answers, tables of failures, and secrets.

use std::fmt::Debug;

use domain::{
    Failure, FailureKind, Hints, NamedPerson, PersonNumber, SearchQuestion, WikidataNumber, Wording,
};
use platform::{WireRequest, WireResponse};
use serde_json::Value;

/// Inserted into bodies where a provider might reveal a secret; it must not be in a failure's detail.
pub const SECRET: &str = "SECRETKEY";

/// The errors that any provider may answer with: the response, and the expected failure.
const FAILURES_OF_ANY: &str = include_str!("any_failures.json");

pub fn answered(status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> WireResponse {
    let mut response = http::Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(body.into()).unwrap()
}

pub fn ok(body: impl Into<Vec<u8>>) -> WireResponse {
    answered(200, &[("content-type", "application/json")], body)
}

/// Returns somebody known by name only.
pub fn named(name: &str) -> NamedPerson {
    NamedPerson {
        name: name.into(),
        number: None,
    }
}

/// Returns somebody with a known number.
pub fn known(name: &str, number: &str) -> NamedPerson {
    NamedPerson {
        number: WikidataNumber::parse(number).map(PersonNumber::Recognised),
        ..named(name)
    }
}

pub fn search_for(people: &[NamedPerson], wording: Wording) -> SearchQuestion {
    SearchQuestion {
        people: people.to_vec(),
        wording,
    }
}

/// Returns the parameters of the request's address, in order.
pub fn query_pairs(request: &WireRequest) -> Vec<(String, String)> {
    let address = url::Url::parse(&request.uri().to_string()).unwrap();
    address.query_pairs().into_owned().collect()
}

/// Returns the headers sorted by name, so that an additional one is noticed.
pub fn headers(request: &WireRequest) -> Vec<(&str, &str)> {
    let mut headers: Vec<_> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    headers.sort_unstable();
    headers
}

#[track_caller]
pub fn check_no_secret(detail: &str) {
    for word in [SECRET, "http:", "https:", "://", "@", "example", "key="] {
        assert!(!detail.contains(word), "{word:?} in {detail:?}");
    }
    assert!(
        !detail.is_empty() && detail.len() <= 120,
        "no short sentence: {detail:?}"
    );
}

#[track_caller]
pub fn check_malformed<T: Debug>(what: &str, outcome: Result<T, Failure>) {
    match outcome {
        Err(failure) => {
            assert_eq!(failure.kind, FailureKind::Malformed, "{what}");
            check_no_secret(failure.detail());
        }
        Ok(read) => panic!("{what} was read as {read:?}"),
    }
}

/// Members that hold a code; every other text is free text.
const CODES: [&str; 10] = [
    "@type",
    "__type",
    "Code",
    "code",
    "quotaId",
    "quota_limit",
    "reason",
    "retryDelay",
    "status",
    "type",
];

/// Rewrites a body as by a provider that reveals its customers' keys.
fn with_secret(value: &mut Value, name: &str) {
    match value {
        Value::String(text) if !CODES.contains(&name) => {
            text.push_str(" SECRETKEY, see https://x.example/?key=SECRETKEY");
        }
        Value::Array(values) => {
            for value in values {
                with_secret(value, name);
            }
        }
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                with_secret(value, name);
            }
            members.insert(SECRET.into(), SECRET.into());
        }
        _ => {}
    }
}

/// Checks a row: `kind`, `status`, `headers`, `afterMs`, and `body`, which is JSON or a plain text.
pub fn check_row<T: Debug>(read: impl Fn(&WireResponse) -> Result<T, Failure>, row: &Value) {
    let status = u16::try_from(row["status"].as_u64().unwrap()).unwrap();
    let no_headers = serde_json::Map::new();
    let headers: Vec<(&str, &str)> = row["headers"]
        .as_object()
        .unwrap_or(&no_headers)
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
        .collect();
    let mut told = row["body"].clone();
    with_secret(&mut told, "");
    for body in [&row["body"], &told] {
        let body = body
            .as_str()
            .map_or_else(|| body.to_string(), str::to_owned);
        let what = format!("HTTP {status} {headers:?} {body}");
        let Err(failure) = read(&answered(status, &headers, body)) else {
            panic!("{what} is no failure");
        };
        let kind = format!("{:?}", failure.kind);
        assert_eq!(kind, row["kind"].as_str().unwrap(), "{what}");
        assert_eq!(failure.retry_after_ms(), row["afterMs"].as_u64(), "{what}");
        check_no_secret(failure.detail());
        assert!(
            failure.detail().contains(&format!("HTTP {status}")),
            "{}",
            failure.detail()
        );
    }
}

pub fn check_rows<T: Debug>(read: impl Fn(&WireResponse) -> Result<T, Failure>, table: &str) {
    for table in [table, FAILURES_OF_ANY] {
        let rows: Vec<Value> = serde_json::from_str(table).unwrap();
        assert!(rows.len() >= 5);
        for row in &rows {
            check_row(&read, row);
        }
    }
}

/// Returns a search's description of a photo besides its title.
pub fn described(words: &str) -> Hints {
    Hints {
        description: Some(words.into()),
        ..Hints::default()
    }
}
