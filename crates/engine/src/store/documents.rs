//! The stored forms. Each value carries a version and a sequence number, so that an old copy shows.

use serde_json::{Value, json};

use kernel::Millis;

/// The version of all stored forms.
pub const DOCUMENT_VERSION: u32 = 1;

/// The outcome of a paid call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// Its provider answered, and was paid.
    Answered,
    /// Its answer was one of the run that this one was forked from, and is not paid for again.
    Reused,
    /// No attempt got what was asked for.
    Failed,
    /// Its answer was lost when the server was interrupted; it counts as paid.
    Lost,
    /// It was ended before its answer came, since the run had its end; it counts as paid.
    Withdrawn,
}

impl CallState {
    /// Returns the word that the stored document has for it.
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

/// A call that costs money, as the record tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The number of the command that it carried out.
    pub command: u32,
    /// The call's kind: `search`, `recognition` or `plan`.
    pub kind: &'static str,
    /// The query, or the SHA-256 of the photo or the planner's question.
    pub key: String,
    /// The id of the provider that answered, or was asked last, where it is known.
    pub provider: Option<String>,
    /// The number of attempts that were sent, or may have been.
    pub attempts: u32,
    /// Whether the call was answered, or why not.
    pub state: CallState,
}

/// The knowledge of a run beside the machine's state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunMeta {
    /// The time at which the machine was started.
    pub started: Millis,
    /// The time at which the run's documents expire at the earliest.
    pub expires: Millis,
    /// The type of the run's last event, once there is one.
    pub ended_with: Option<&'static str>,
    /// The reason of a `no_path`, or the code of an `error`.
    pub ended_because: Option<String>,
    /// The run whose answers are used again.
    pub forked_from: Option<String>,
    /// Every call that costs money.
    pub calls: Vec<CallRecord>,
}

/// A run's documents by key, as of now.
#[derive(Debug, Clone)]
pub struct Documents {
    pub(super) bodies: Vec<(String, Value)>,
}

impl Documents {
    /// Makes documents of keys and bodies; the first is the meta document.
    #[must_use]
    pub fn new(bodies: Vec<(String, Value)>) -> Self {
        Self { bodies }
    }

    /// Returns the key of the document that tells whether the run has ended.
    pub(super) fn meta_key(&self) -> &str {
        self.bodies.first().map_or("", |(key, _)| key)
    }

    /// Returns the text that is stored.
    pub(super) fn stored(body: Value, sequence: u32) -> String {
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
