//! The automata that the operator stores: a file of states, or a file with what belongs to it.

use serde_json::{Map, Value};

use engine::Problem;

use super::wanted::{SHARED_MEMBERS, shared_members};

/// The members with which a document says that it is a tool, and what it does.
const OF_A_TOOL: [&str; 2] = ["tool", "description"];

/// An automaton that the operator stores, and what belongs to it.
pub(super) struct StoredAutomaton {
    /// The automaton as it is written.
    pub(super) automaton: Value,
    /// The members that a request may have, too.
    pub(super) members: Map<String, Value>,
}

impl StoredAutomaton {
    /// Reads a stored document: a file of states, or `{"automaton", "prompts"?, "parameters"?, "origins"?,
    /// "browser"?, "options"?}`.
    pub(super) fn of(document: Value) -> Result<Self, Problem> {
        match document {
            Value::Object(mut document) if document.contains_key("automaton") => {
                let members = shared_members(&mut document);
                for member in OF_A_TOOL {
                    document.remove(member);
                }
                let automaton = document.remove("automaton").unwrap_or_default();
                match document.keys().next() {
                    None => Ok(Self { automaton, members }),
                    Some(unknown) => {
                        let known = [&SHARED_MEMBERS[..], &OF_A_TOOL].concat().join(", ");
                        let what = format!(
                            "is not a known member of a stored automaton; known are automaton, {known}"
                        );
                        Err(Problem::field(unknown, what))
                    }
                }
            }
            automaton => Ok(Self {
                automaton,
                members: Map::new(),
            }),
        }
    }
}
