//! Finds the members of a request. Protocol buffers allow two spellings of each name.

use serde_json::Value;

use super::super::reply::Reply;
use super::errors::error;

/// Makes the refusal of an invalid request.
pub(super) fn invalid(message: &str) -> Box<Reply> {
    Box::new(error(400, "INVALID_ARGUMENT", message))
}

/// Refuses an object that has an unknown member.
pub(super) fn check_members(value: &Value, place: &str, known: &[&str]) -> Result<(), Box<Reply>> {
    let members = value
        .as_object()
        .ok_or_else(|| invalid("Invalid JSON payload received. Root element must be a message."))?;
    let is_known = |name: &&String| known.contains(&camel(name).as_str());
    match members.keys().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) if place.is_empty() => Err(invalid(&format!(
            "Invalid JSON payload received. Unknown name \"{name}\": Cannot find field."
        ))),
        Some(name) => Err(invalid(&format!(
            "Invalid JSON payload received. Unknown name \"{name}\" at '{place}': Cannot find field."
        ))),
    }
}

/// Returns a member in either spelling; `name` is in camel case.
pub(super) fn member<'value>(value: &'value Value, name: &str) -> Option<&'value Value> {
    let members = value.as_object()?;
    let mut named = members.iter().filter(|(spelt, _)| camel(spelt) == name);
    named.next().map(|(_, value)| value)
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |sum, word| {
        let mut letters = word.chars();
        let head: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        sum + &head + letters.as_str()
    })
}
