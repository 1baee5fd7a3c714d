//! The keys of an automaton's commands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use domain::Sha256Digest;
use domain::chat::{ChatQuestion, Part, Turn};

use crate::machine::Action;

/// The key of one call: what it asks for. A browser's page cannot be forked, so that only the questions to
/// models are answered out of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomatonKey {
    /// A look at the page.
    Look,
    /// An action of the browser.
    Act {
        /// The position of the state in its list, from 0.
        state: u32,
        /// The number of the action in its state, from 1.
        line: u32,
    },
    /// The page loaded anew.
    Reload,
    /// A question to a language model.
    Ask {
        /// SHA-256 of all that the model is told, in hexadecimal digits.
        sha256: String,
        /// The number of such questions that were answered before.
        time: u32,
    },
    /// An investigation.
    Investigate {
        /// SHA-256 of the two people as the automaton has them, in hexadecimal digits.
        sha256: String,
    },
    /// A wait.
    Wait {
        /// The length of the wait, in milliseconds.
        ms: u64,
    },
}

/// The number of times that each question was answered.
#[derive(Debug, Clone, Default)]
pub struct AnsweredQuestions {
    times: BTreeMap<String, u32>,
}

impl AnsweredQuestions {
    /// Returns the key of an action.
    pub(super) fn key(&self, action: &Action) -> AutomatonKey {
        match action {
            Action::Look { .. } => AutomatonKey::Look,
            Action::Act { place, .. } => AutomatonKey::Act {
                state: u32::try_from(place.state).unwrap_or(u32::MAX),
                line: place.line,
            },
            Action::Reload => AutomatonKey::Reload,
            Action::Ask(question) => {
                let sha256 = digest(question);
                let time = self.times.get(&sha256).copied().unwrap_or(0);
                AutomatonKey::Ask { sha256, time }
            }
            Action::Investigate(call) => {
                let people = format!("{}\n{}", call.person_a, call.person_b);
                AutomatonKey::Investigate {
                    sha256: Sha256Digest::of(people.as_bytes()).to_string(),
                }
            }
            Action::Wait { ms } => AutomatonKey::Wait { ms: *ms },
        }
    }

    /// Counts one more answer to an action.
    pub(super) fn note(&mut self, action: &Action) {
        if let Action::Ask(question) = action {
            let times = self.times.entry(digest(question)).or_insert(0);
            *times = times.saturating_add(1);
        }
    }
}

/// Returns the digest of all that the model is told. Each part has its length before it, so that no two
/// questions are one text.
fn digest(question: &ChatQuestion) -> String {
    let mut text = String::new();
    add(&mut text, "purpose", &format!("{:?}", question.purpose));
    add(&mut text, "system", &question.system);
    for turn in &question.turns {
        match turn {
            Turn::User(parts) => {
                for part in parts {
                    match part {
                        Part::Text(said) => add(&mut text, "user", said),
                        Part::Image(image) => add(&mut text, "image", image.digest.as_str()),
                    }
                }
            }
            Turn::Model { text: said, .. } => add(&mut text, "model", said),
            Turn::Tool { text: said, .. } => add(&mut text, "tool", said),
        }
    }
    Sha256Digest::of(text.as_bytes()).to_string()
}

fn add(text: &mut String, word: &str, said: &str) {
    for part in [word, " ", &said.len().to_string(), " ", said, "\n"] {
        text.push_str(part);
    }
}
