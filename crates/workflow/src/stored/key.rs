//! The keys of a workflow's commands. The same call may be made many times in a run and answered
//! otherwise each time, so that its key says which time it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use domain::Sha256Digest;
use domain::chat::{ChatQuestion, Part, Turn};

use crate::machine::Action;

/// The key of one call: what it asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkflowKey {
    /// A call of a tool.
    Tool {
        /// The alias of the tool's server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// The tool's name.
        tool: String,
        /// SHA-256 of the JSON of the call's arguments, in hexadecimal digits.
        sha256: String,
        /// The number of such calls that were answered before.
        time: u32,
    },
    /// The list of a server's tools.
    Tools {
        /// The server's alias.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
    },
    /// A question to a language model.
    Chat {
        /// SHA-256 of all that the model is told, in hexadecimal digits.
        sha256: String,
        /// The number of such questions that were answered before.
        time: u32,
    },
    /// A run of another engine.
    Investigate {
        /// The person with whom the chain starts.
        a: String,
        /// The person with whom the chain ends.
        b: String,
        /// SHA-256 of the JSON of the run's options, in hexadecimal digits.
        sha256: String,
    },
    /// An automaton.
    Automate {
        /// SHA-256 of the JSON of the run's request, in hexadecimal digits.
        sha256: String,
    },
    /// A wait.
    Wait {
        /// The length of the wait, in milliseconds.
        ms: u64,
    },
}

/// The number of times that each call was answered.
#[derive(Debug, Clone, Default)]
pub struct AnsweredCalls {
    times: BTreeMap<WorkflowKey, u32>,
}

impl AnsweredCalls {
    /// Returns the key of an action, with the number of times that it was answered before.
    pub(super) fn key(&self, action: &Action) -> WorkflowKey {
        let mut key = first_key(action);
        let times = self.times.get(&key).copied().unwrap_or(0);
        if let WorkflowKey::Tool { time, .. } | WorkflowKey::Chat { time, .. } = &mut key {
            *time = times;
        }
        key
    }

    /// Counts one more answer to an action.
    pub(super) fn note(&mut self, action: &Action) {
        let times = self.times.entry(first_key(action)).or_insert(0);
        *times = times.saturating_add(1);
    }
}

/// Returns the key of an action that was never answered.
fn first_key(action: &Action) -> WorkflowKey {
    match action {
        Action::CallTool(call) => WorkflowKey::Tool {
            server: call.server.clone(),
            tool: call.tool.clone(),
            sha256: digest(call.arguments.as_ref().unwrap_or(&Value::Null)),
            time: 0,
        },
        Action::ListTools { server } => WorkflowKey::Tools {
            server: server.clone(),
        },
        Action::Chat(question) => WorkflowKey::Chat {
            sha256: digest(&question_json(question)),
            time: 0,
        },
        Action::Investigate(call) => WorkflowKey::Investigate {
            a: call.person_a.clone(),
            b: call.person_b.clone(),
            sha256: digest(&call.options),
        },
        Action::Automate(call) => WorkflowKey::Automate {
            sha256: digest(&call.request),
        },
        Action::Wait { ms } => WorkflowKey::Wait { ms: *ms },
    }
}

fn digest(json: &Value) -> String {
    Sha256Digest::of(json.to_string().as_bytes()).to_string()
}

fn question_json(question: &ChatQuestion) -> Value {
    let tools = question.tools.iter();
    let tools: Vec<_> = tools
        .map(|tool| json!([tool.name, tool.description, tool.schema]))
        .collect();
    let turns: Vec<_> = question.turns.iter().map(turn_json).collect();
    json!([
        format!("{:?}", question.purpose),
        question.system,
        turns,
        tools
    ])
}

fn turn_json(turn: &Turn) -> Value {
    match turn {
        Turn::User(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => json!(text),
                    Part::Image(image) => json!([image.digest.as_str(), image.mime_type]),
                })
                .collect();
            json!(["user", parts])
        }
        Turn::Model { text, calls } => {
            let calls = calls.iter();
            let calls: Vec<_> = calls
                .map(|call| json!([call.id, call.tool, call.arguments]))
                .collect();
            json!(["model", text, calls])
        }
        Turn::Tool { id, tool, text } => json!(["tool", id, tool, text]),
    }
}
