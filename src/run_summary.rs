//! The summary of an ended run for the operator, as a log line and as a data point. It contains names, and the token
//! with which anybody may watch the run, only if the operator wants them.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use domain::Sha256Digest;
use engine::OrderSummary;

use crate::engines::OpenedRun;

/// The version of the line, raised when a member changes its meaning.
const VERSION: u32 = 1;
/// The number of digits of the token's digest that are shown, enough to distinguish runs.
const DIGEST_CHARS: usize = 16;

/// The reason why a run has no last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unended {
    /// The run's creator deleted it before it ended.
    Deleted,
    /// The run expired before it ended.
    Expired,
}

/// The resources that a run used, not counting its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceUsage {
    /// The number of rows in the run's object, nearly all of which were written once.
    pub rows_written: u64,
    /// The length of the text in these rows, in bytes.
    pub bytes_written: u64,
    /// The number of documents that were written to KV.
    pub kv_writes: u64,
    /// The program's memory in this isolate, in bytes. All runs in the isolate share it, and it never shrinks.
    pub memory_bytes: u64,
}

/// The summary of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    message: &'static str,
    version: u32,
    /// The first digits of the SHA-256 of the run's token.
    run: String,
    engine: String,
    plan: &'static str,
    is_fork: bool,
    ended_with: String,
    ended_because: Option<String>,
    /// The last state that the run emitted, from S0 to S6.
    state: Option<String>,
    /// The number of connections in the chain; 0 if there is none.
    hops: usize,
    /// The run's spending, from its newest event; null if that event does not state it.
    spent: Value,
    used: ResourceUsage,
    #[serde(skip_serializing_if = "Option::is_none")]
    named: Option<Named>,
}

/// The names in the order, if the operator wants them. In the line they follow the token.
#[derive(Debug, Clone, PartialEq)]
struct Named(Vec<(&'static str, String)>);

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (*name, value)))
    }
}

impl RunSummary {
    /// Returns the summary of a run with this first entry and these events, the oldest first.
    #[must_use]
    pub fn new(
        opened: &OpenedRun,
        events: &[impl AsRef<str>],
        or_else: Unended,
        used: ResourceUsage,
        is_named: bool,
    ) -> Self {
        let read = |json: &str| serde_json::from_str::<Map<String, Value>>(json).ok();
        let mut from_last = events.iter().rev().filter_map(|json| read(json.as_ref()));
        let last = from_last.next().unwrap_or_default();
        let told = |name: &str| last.get(name).and_then(Value::as_str).map(str::to_owned);
        let kind = told("type").unwrap_or_default();
        let is_ended = opened.engine().event_kinds().ends.contains(&&*kind);
        let state_of = |event: &Map<String, Value>| {
            let state = event.get("state").and_then(Value::as_str);
            state.map(str::to_owned)
        };
        let state = match &*kind {
            "final" => Some("S6".to_owned()),
            _ => state_of(&last).or_else(|| from_last.find_map(|event| state_of(&event))),
        };
        let payload = last.get("payload");
        let (plan, named) = asked(opened);
        let of_payload = |name: &str| {
            let text = payload.and_then(|payload| payload.get(name)?.as_str());
            text.map(str::to_owned)
        };
        Self {
            message: "run ended",
            version: VERSION,
            run: digest_of(opened.run()),
            engine: opened.program_version().to_owned(),
            plan,
            is_fork: opened.forked_from().is_some(),
            ended_with: if is_ended { kind } else { or_else.to_string() },
            ended_because: (told("reason").or_else(|| told("code")))
                .or_else(|| of_payload("reason"))
                .filter(|_| is_ended),
            state,
            hops: last
                .get("edges")
                .and_then(Value::as_array)
                .map_or(0, Vec::len),
            spent: (last.get("spent").or_else(|| payload?.get("spent")))
                .cloned()
                .unwrap_or_default(),
            used,
            named: is_named.then_some(named),
        }
    }

    /// Returns the line as JSON.
    #[must_use]
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the texts of a data point: how the run ended, why, its state, its plan, and the program's version.
    #[must_use]
    pub fn texts(&self) -> [String; 5] {
        [
            self.ended_with.clone(),
            self.ended_because.clone().unwrap_or_default(),
            self.state.clone().unwrap_or_default(),
            self.plan.to_owned(),
            self.engine.clone(),
        ]
    }

    /// Returns the numbers of a data point: searches, recognitions, plans, throttled attempts, dollars, milliseconds,
    /// photos examined, connections; rows and bytes written, documents, bytes of memory.
    #[must_use]
    pub fn numbers(&self) -> [f64; 12] {
        let spent = |pointer: &str| {
            let number = self.spent.pointer(pointer).and_then(Value::as_f64);
            number.unwrap_or_default()
        };
        [
            spent("/searchCalls"),
            spent("/rekognitionCalls"),
            spent("/llmCalls"),
            spent("/throttledCalls"),
            spent("/usd"),
            spent("/runtimeMs"),
            spent("/photos/looked"),
            self.hops as f64,
            self.used.rows_written as f64,
            self.used.bytes_written as f64,
            self.used.kv_writes as f64,
            self.used.memory_bytes as f64,
        ]
    }

    /// Returns the index of a data point, which identifies the run.
    #[must_use]
    pub fn index(&self) -> &str {
        &self.run
    }
}

impl std::fmt::Display for Unended {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Deleted => "deleted",
            Self::Expired => "expired",
        })
    }
}

/// Returns the plan of the order, and the names in it.
fn asked(opened: &OpenedRun) -> (&'static str, Named) {
    let OrderSummary { plan, mut named } = opened.summary();
    named.insert(0, ("token", opened.run().to_owned()));
    (plan, Named(named))
}

fn digest_of(token: &str) -> String {
    let digest = Sha256Digest::of(token.as_bytes()).to_string();
    digest.chars().take(DIGEST_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = r#"{"type":"status","state":"S4","spent":{"searchCalls":1}}"#;
    const PATH: &str = r#"{"type":"path_update","path":[]}"#;

    fn opened() -> OpenedRun {
        let opened = r#"{"version":2,"engine":"0.3.0","run":"s1.AAAAAAAAAAAAAAAAAAAAAA","order":{"version":1,
            "personA":"Jean Valjean","personB":"Cosette","avoid":[],"plan":"both-ends","pace":"quick","hops":6,
            "threshold":80,"images":5,"searches":20,"polish":0,"recognitions":100,"llm":12,
            "runtimeMs":120000},"expiresMs":7}"#;
        OpenedRun::of_first_entry(&format!(r#"{{"opened":{opened}}}"#)).unwrap()
    }

    fn summary(events: &[&str], is_named: bool) -> RunSummary {
        let used = ResourceUsage {
            rows_written: 211,
            bytes_written: 480_312,
            kv_writes: 31,
            memory_bytes: 9_437_184,
        };
        RunSummary::new(&opened(), events, Unended::Deleted, used, is_named)
    }

    #[test]
    fn the_line_of_a_run_that_found_a_chain() {
        let last = r#"{"type":"final","edges":[{},{}],"spent":{"searchCalls":2,"rekognitionCalls":9,
            "llmCalls":1,"throttledCalls":3,"runtimeMs":4210,"usd":0.019,"photos":{"looked":8}}}"#;
        let summary = summary(&[STATUS, PATH, last], false);
        assert_eq!(
            summary.line(),
            r#"{"message":"run ended","version":1,"run":"a686b84ef8c5ed31","engine":"0.3.0","plan":"both-ends","isFork":false,"endedWith":"final","endedBecause":null,"state":"S6","hops":2,"spent":{"llmCalls":1,"photos":{"looked":8},"rekognitionCalls":9,"runtimeMs":4210,"searchCalls":2,"throttledCalls":3,"usd":0.019},"used":{"rowsWritten":211,"bytesWritten":480312,"kvWrites":31,"memoryBytes":9437184}}"#
        );
        assert_eq!(summary.texts(), ["final", "", "S6", "both-ends", "0.3.0"]);
        assert_eq!(
            summary.numbers(),
            [
                2.0,
                9.0,
                1.0,
                3.0,
                0.019,
                4210.0,
                8.0,
                2.0,
                211.0,
                480_312.0,
                31.0,
                9_437_184.0
            ]
        );
        assert_eq!(summary.index(), "a686b84ef8c5ed31");
    }

    #[test]
    fn why_it_ended_and_where_it_was() {
        let check = |events: &[&str], expected: [&str; 3]| {
            let texts = summary(events, false).texts();
            assert_eq!(&texts[..3], expected, "{events:?}");
        };
        let no_path = r#"{"type":"no_path","reason":"search_budget","spent":{}}"#;
        check(&[STATUS, PATH, no_path], ["no_path", "search_budget", "S4"]);
        let error = r#"{"type":"error","code":"provider_down","spent":{}}"#;
        check(&[STATUS, error], ["error", "provider_down", "S4"]);
        check(&[error], ["error", "provider_down", ""]);
        check(&[STATUS, PATH], ["deleted", "", "S4"]);
        check(&[], ["deleted", "", ""]);
        let expired = RunSummary::new(
            &opened(),
            &[STATUS],
            Unended::Expired,
            ResourceUsage::default(),
            false,
        );
        assert_eq!(expired.texts()[0], "expired");
        assert_eq!(expired.numbers()[0], 1.0);
    }

    #[test]
    fn names_and_the_token_are_told_only_where_they_are_wanted() {
        let opened = opened();
        let secrets = ["Valjean", "Cosette", opened.run()];
        let (without, with) = (
            summary(&[STATUS], false).line(),
            summary(&[STATUS], true).line(),
        );
        for secret in secrets {
            assert!(
                !without.contains(secret) && with.contains(secret),
                "{secret}"
            );
        }
    }
}
