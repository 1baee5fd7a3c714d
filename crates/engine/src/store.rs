//! The documents of a run in KV: their keys, their stored forms, and when they are written.

mod write_schedule;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use domain::Sha256Digest;
use kernel::Millis;

pub use write_schedule::{WriteLimits, WriteSchedule};

/// The longest key that KV accepts, in bytes.
pub const KEY_BYTES_MAX: usize = 512;

/// The characters of a name that are percent-encoded in a key: all except letters, digits and `-_.`.
const NAME_PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// The version of the stored forms of all documents.
pub const DOCUMENT_VERSION: u32 = 1;

/// Returns the key of the published chain with this digest. Its prefix differs from those of the run's documents,
/// because the chain outlives its run.
#[must_use]
pub fn chain_key(digest: &Sha256Digest) -> String {
    format!("{}{digest}", chain_key_prefix())
}

/// Returns the prefix that the keys of all published chains share.
#[must_use]
pub fn chain_key_prefix() -> &'static str {
    "chain:"
}

/// Returns the key that marks the run with this token as over. The key reveals no part of the token, whose first half
/// a user may have chosen.
#[must_use]
pub fn over_key(run: &str) -> String {
    format!("over:{}", Sha256Digest::of(run.as_bytes()))
}

/// The keys of one run's documents.
//= spec KV Data Model
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    prefix: String,
}

impl Keys {
    /// Makes the keys of the run with this session and this id, both of which consist of `[A-Za-z0-9_-]`.
    #[must_use]
    pub fn new(session: &str, run: &str) -> Self {
        Self {
            prefix: format!("vd:{session}:{run}:"),
        }
    }

    /// Returns the prefix that all keys of the run share.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the key with this suffix and no name parts. The suffix is `meta`, `seen:queries`, `seen:images`,
    /// `path`, `decisions` or `graph`.
    #[must_use]
    pub fn plain(&self, suffix: &str) -> String {
        format!("{}{suffix}", self.prefix)
    }

    /// Returns the key `candidates:{frontier}`.
    #[must_use]
    pub fn candidates(&self, frontier: &str) -> String {
        self.named("candidates", &[frontier])
    }

    /// Returns the key `edge:{from}:{to}`.
    #[must_use]
    pub fn edge(&self, from: &str, to: &str) -> String {
        self.named("edge", &[from, to])
    }

    /// Makes a key with name parts. The names are percent-encoded, or hashed if the key would be too long.
    fn named(&self, kind: &str, names: &[&str]) -> String {
        let encoded: Vec<String> = names
            .iter()
            .map(|name| utf8_percent_encode(name, NAME_PART).to_string())
            .collect();
        let key = format!("{}{kind}:{}", self.prefix, encoded.join(":"));
        if key.len() <= KEY_BYTES_MAX {
            return key;
        }
        let hashed: Vec<String> = names
            .iter()
            .map(|name| Sha256Digest::of(name.as_bytes()).to_string())
            .collect();
        format!("{}{kind}:{}", self.prefix, hashed.join(":"))
    }
}

/// The outcome of a paid call, for the run's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// The call's provider answered and was paid.
    Answered,
    /// The call's answer was inherited from the forked run and not paid for again.
    Reused,
    /// No attempt of the call got the requested result.
    Failed,
    /// The call's answer was lost because the server was interrupted. The call counts as paid.
    Lost,
    /// The call was ended before its answer arrived because the run ended. The call counts as paid.
    Withdrawn,
}

impl CallState {
    /// Returns the word for the state in stored documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Reused => "reused",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A paid call in the run's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The number of the call's command.
    pub command: u32,
    /// The call's kind: `search`, `recognition` or `plan`.
    pub kind: &'static str,
    /// The query of a search, the SHA-256 of a recognised photo, or the SHA-256 of the planner's question.
    pub key: String,
    /// The id of the provider that answered or to which the last request was sent, if known.
    pub provider: Option<String>,
    /// The number of attempts that were sent or may have been sent.
    pub attempts: u32,
    /// Whether the call was answered or, if not, the reason.
    pub state: CallState,
}

/// The part of a run's record that is not the machine's state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunMeta {
    /// The time at which the machine was started.
    pub started: Millis,
    /// The time at which the run's documents expire at the earliest.
    pub expires: Millis,
    /// The kind of the run's last event; `None` if the run is in progress.
    pub ended_with: Option<&'static str>,
    /// The reason in a `no_path` event, or the code in an `error` event.
    pub ended_because: Option<String>,
    /// The token of the run whose answers this one reuses, if it is a fork.
    pub forked_from: Option<String>,
    /// Every paid call of the run.
    pub calls: Vec<CallRecord>,
}

/// The current documents of a run, with their keys.
#[derive(Debug, Clone)]
pub struct Documents {
    bodies: Vec<(String, Value)>,
}

impl Documents {
    /// Makes documents from pairs of key and body. The first must be the meta document.
    #[must_use]
    pub fn new(bodies: Vec<(String, Value)>) -> Self {
        Self { bodies }
    }

    /// Returns the key of the meta document, which says whether the run has ended.
    fn meta_key(&self) -> &str {
        self.bodies.first().map_or("", |(key, _)| key)
    }

    /// Returns the text of a document as it is stored.
    fn stored(body: Value, sequence: u32) -> String {
        let mut document = json!({"version": DOCUMENT_VERSION, "seq": sequence});
        if let (Some(document), Value::Object(body)) = (document.as_object_mut(), body) {
            document.extend(body);
        }
        document.to_string()
    }
}

/// Makes the body of the document that lists a run's paid calls, in the order of their commands.
#[must_use]
pub fn calls_body(calls: &[CallRecord]) -> Value {
    let mut calls = calls.to_vec();
    calls.sort_by_key(|call| call.command);
    let calls: Vec<Value> = calls
        .iter()
        .map(|call| {
            let mut row = json!({
                "command": call.command,
                "kind": call.kind,
                "key": call.key,
                "attempts": call.attempts,
                "state": call.state.as_str(),
            });
            if let (Some(provider), Some(members)) = (&call.provider, row.as_object_mut()) {
                members.insert("provider".into(), provider.as_str().into());
            }
            row
        })
        .collect();
    json!({"calls": calls})
}

/// Makes the record of a run from its stored documents. Returns `None` if the meta document is not among them.
#[must_use]
pub fn record(run: &str, keys: &Keys, documents: &[(String, String)]) -> Option<Value> {
    let read = |key: &str| -> Option<Value> {
        let text = &documents.iter().find(|(name, _)| name == key)?.1;
        serde_json::from_str(text).ok()
    };
    let member = |suffix: &str, name: &str| {
        read(&keys.plain(suffix)).and_then(|mut document| Some(document.get_mut(name)?.take()))
    };
    let with_prefix = |kind: &str| -> Vec<Value> {
        let prefix = keys.plain(kind);
        documents
            .iter()
            .filter(|(name, _)| name.starts_with(&prefix))
            .filter_map(|(_, text)| serde_json::from_str(text).ok())
            .collect()
    };
    let mut meta = read(&keys.plain("meta"))?;
    let spent = meta.get_mut("spent").map(Value::take);
    if meta.get("engine").is_some() {
        let calls = member("calls", "calls").unwrap_or_else(|| json!([]));
        return Some(json!({"run": run, "meta": meta, "spent": spent, "calls": calls}));
    }
    let state = meta.get_mut("state").map(Value::take);
    let edges: Vec<Value> = with_prefix("edge:")
        .into_iter()
        .filter_map(|mut document| Some(document.get_mut("edge")?.take()))
        .collect();
    let path = member("path", "path").unwrap_or_else(|| json!([]));
    Some(json!({
        "run": run,
        "meta": meta,
        "state": state,
        "spent": spent,
        "edges": of_path(&edges, &path),
        "path": path,
        "graph": member("graph", "graph"),
        "candidates": with_prefix("candidates:"),
        "decisions": member("decisions", "decisions").unwrap_or_else(|| json!([])),
        "queries": member("seen:queries", "queries").unwrap_or_else(|| json!([])),
        "images": member("seen:images", "images").unwrap_or_else(|| json!([])),
        "calls": member("calls", "calls").unwrap_or_else(|| json!([])),
    }))
}

/// Adds the code and the spending in the last event of an interrupted run to its meta document. Returns `None` if the
/// run had ended before, or if the document cannot be read.
#[must_use]
pub fn interrupted_meta(meta: &str, event: &str) -> Option<String> {
    let mut meta: Value = serde_json::from_str(meta).ok()?;
    let event: Value = serde_json::from_str(event).ok()?;
    if meta.get("endedWith")?.is_string() {
        return None;
    }
    let sequence = meta.get("seq").and_then(Value::as_u64).unwrap_or_default();
    let members = meta.as_object_mut()?;
    members.insert("seq".into(), json!(sequence.saturating_add(1)));
    members.insert("endedWith".into(), event.get("type")?.clone());
    let because = event.get("reason").or(event.get("code"));
    members.insert("endedBecause".into(), because.cloned().unwrap_or_default());
    members.insert("spent".into(), event.get("spent")?.clone());
    Some(meta.to_string())
}

/// Makes the outline of a run from its latest event. It is used while KV does not have the record yet, or no longer
/// has it.
#[must_use]
pub fn outline(last_event: &Value, is_ended: bool) -> Value {
    let member = |name: &str| last_event.get(name).cloned().unwrap_or(Value::Null);
    let ended_with = if is_ended {
        member("type")
    } else {
        Value::Null
    };
    let because = match member("reason") {
        Value::Null => member("code"),
        reason => reason,
    };
    json!({
        "run": member("runId"),
        "meta": {"endedWith": ended_with, "endedBecause": because},
        "state": member("state"),
        "spent": member("spent"),
        "path": last_event.get("path").cloned().unwrap_or_else(|| json!([])),
        "edges": last_event.get("edges").cloned().unwrap_or_else(|| json!([])),
    })
}

/// Returns the edges of this path in order, from A to B. KV lists edges by key and also stores those of earlier
/// paths.
fn of_path(edges: &[Value], path: &Value) -> Vec<Value> {
    let people = path.as_array().into_iter().flatten();
    let ids: Vec<&str> = people
        .filter_map(|person| person.get("id")?.as_str())
        .collect();
    let links = ids.iter().zip(ids.iter().skip(1));
    let edge_of = |(from, to): (&&str, &&str)| {
        let is_it = |edge: &&Value| {
            let end = |name| edge.get(name).and_then(Value::as_str);
            end("from") == Some(*from) && end("to") == Some(*to)
        };
        edges.iter().find(is_it).cloned()
    };
    links.filter_map(edge_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_names_format_unchanged() {
        let keys = Keys::new("s1", "k3");
        assert_eq!(keys.plain("meta"), "vd:s1:k3:meta");
        assert_eq!(keys.plain("seen:queries"), "vd:s1:k3:seen:queries");
        assert_eq!(
            keys.candidates("Jean Valjean"),
            "vd:s1:k3:candidates:Jean%20Valjean"
        );
        assert_eq!(
            keys.edge("A:B", "Éponine"),
            "vd:s1:k3:edge:A%3AB:%C3%89ponine"
        );
    }

    #[test]
    fn a_published_chain_has_a_key_of_its_own() {
        let digest = Sha256Digest::new([0xAB; 32]);
        assert_eq!(chain_key(&digest), format!("chain:{}", "ab".repeat(32)));
    }

    #[test]
    fn that_a_run_is_over_is_kept_without_its_token() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(over_key("abc"), format!("over:{abc}"));
    }

    #[test]
    fn long_names_are_hashed_and_stay_within_the_bound() {
        let keys = Keys::new(&"s".repeat(64), &"r".repeat(22));
        let long = "é".repeat(100);
        let key = keys.edge(&long, "Ann");
        assert!(key.len() <= KEY_BYTES_MAX, "{}", key.len());
        assert_ne!(key, keys.edge("Ann", &long));
        assert!(key.contains(":edge:") && !key.contains('%'));
    }

    #[test]
    fn an_interrupted_run_says_so_in_its_meta_and_an_ended_one_stays_as_it_is() {
        let event = r#"{"type":"error","code":"internal","spent":{"searchCalls":2}}"#;
        let meta = r#"{"version":1,"seq":7,"endedWith":null,"endedBecause":null,"spent":{}}"#;
        let noted: Value = serde_json::from_str(&interrupted_meta(meta, event).unwrap()).unwrap();
        assert_eq!(noted["endedWith"], "error");
        assert_eq!(noted["endedBecause"], "internal");
        assert_eq!(noted["seq"], 8);
        assert_eq!(noted["spent"]["searchCalls"], 2);
        assert_eq!(interrupted_meta(r#"{"endedWith":"final"}"#, event), None);
        assert_eq!(interrupted_meta("no JSON", event), None);
    }

    #[test]
    fn a_record_has_the_edges_of_its_path_alone_and_in_its_order() {
        let keys = Keys::new("s1", "k");
        let edge = |from: &str, to: &str| {
            let text = json!({"edge": {"from": from, "to": to}}).to_string();
            (keys.edge(from, to), text)
        };
        let documents = [
            (keys.plain("meta"), "{}".to_owned()),
            (
                keys.plain("path"),
                r#"{"path":[{"id":"z"},{"id":"y"},{"id":"a"}]}"#.to_owned(),
            ),
            edge("y", "a"),
            edge("z", "b"),
            edge("z", "y"),
        ];
        let record = record("s1.k", &keys, &documents).unwrap();
        let expected = json!([{"from": "z", "to": "y"}, {"from": "y", "to": "a"}]);
        assert_eq!(record["edges"], expected);
    }

    #[test]
    fn an_outline_tells_what_the_last_event_tells() {
        let status = json!({"type": "status", "runId": "s1.k", "state": "S2", "spent": {"usd": 1}});
        let running = outline(&status, false);
        assert_eq!(running["state"], "S2");
        assert_eq!(running["meta"]["endedWith"], Value::Null);
        let ended = outline(&json!({"type": "no_path", "reason": "stopped"}), true);
        assert_eq!(ended["meta"]["endedWith"], "no_path");
        assert_eq!(ended["meta"]["endedBecause"], "stopped");
    }
}
