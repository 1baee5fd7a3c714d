//! The automata that the operator stores: a file of states, or a file with what belongs to it.

use serde_json::{Map, Value, json};

use crate::assistant::tool_description;
use crate::engines::automaton::machine::states::{Automaton, FILE_WEIGHT_MAX, Prompt};
use crate::http::Problem;
use crate::json::weight;
use crate::sorted::sort;

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

/// Returns what the list tells of an automaton that is to be stored, or why it cannot be stored.
pub fn check_stored_automaton(body: &[u8]) -> Result<Value, Problem> {
    let problem = |why: &dyn std::fmt::Display| {
        Problem::new(400, format!("The automaton cannot be stored: {why}."))
    };
    if weight(body) > FILE_WEIGHT_MAX {
        return Err(problem(&"it takes too much memory"));
    }
    // The reader of automata says at which byte the JSON breaks.
    let Ok(document) = serde_json::from_slice(body) else {
        return Err(match Automaton::parse(body) {
            Err(error) => problem(&error),
            Ok(_) => problem(&"it is no JSON"),
        });
    };
    let description = tool_description(&document)?.map(str::to_owned);
    let stored = StoredAutomaton::of(document)?;
    let automaton = Automaton::from_json(&stored.automaton).map_err(|error| problem(&error))?;
    let prompts = match stored.members.get("prompts") {
        Some(prompts) => Prompt::read_all(prompts).map_err(|error| problem(&error))?,
        None => Vec::new(),
    };
    let mut parameters: Vec<&str> = automaton.parameters().collect();
    sort(&mut parameters);
    parameters.dedup();
    let mut about = json!({
        "states": automaton.states.len(),
        "prompts": prompts.len(),
        "parameters": parameters,
    });
    if let (Some(description), Some(about)) = (description, about.as_object_mut()) {
        let given = stored.members.get("parameters").and_then(Value::as_object);
        let given = given.into_iter().flat_map(Map::keys).map(String::as_str);
        about.insert("given".to_owned(), given.collect::<Vec<_>>().into());
        about.insert("description".to_owned(), description.into());
    }
    Ok(about)
}
