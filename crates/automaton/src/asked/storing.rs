//! The check of an automaton that the operator wants to store.

use serde_json::{Map, Value, json};

use engine::Problem;
use engine::assistant::tool_description;
use json::weight;

use crate::machine::states::{Automaton, FILE_WEIGHT_MAX, Prompt};

use super::acceptance::{check_members, status_of_unread};
use super::stored_document::StoredAutomaton;

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
    let automaton = Automaton::from_json(&stored.automaton)
        .map_err(|error| problem(&error).with(status_of_unread(&stored.automaton)))?;
    check_members(&stored.members)?;
    let prompts = match stored.members.get("prompts") {
        Some(prompts) => Prompt::read_all(prompts).map_err(|error| problem(&error))?,
        None => Vec::new(),
    };
    let mut parameters: Vec<&str> = automaton.parameters().collect();
    parameters.sort_unstable();
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
