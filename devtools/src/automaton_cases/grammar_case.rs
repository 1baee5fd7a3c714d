//! Compares the parsed strings of a grammar case with the expected ones.

use serde_json::{Map, Value, json};

use automaton::machine::actions::Step;
use automaton::machine::grammar::{Call, read_call};

use crate::recorded_cases::difference;

use super::case::Case;
use super::recorder::arguments;

/// Returns the first difference from what a grammar case expects, in words.
pub(super) fn first_difference(case: &Case) -> Option<String> {
    let none = Map::new();
    let parameters = case.member("parameters").as_object().unwrap_or(&none);
    let strings = case.member("strings").as_array()?;
    let expected = case.member("expect").get("strings")?.as_array()?;
    if strings.len() != expected.len() {
        return Some("has not as many results as strings".to_owned());
    }
    let mut pairs = strings.iter().zip(expected).enumerate();
    pairs.find_map(|(at, (string, expected))| {
        let source = string.get("source").and_then(Value::as_str)?;
        let demand = string.get("engine").and_then(Value::as_str)?;
        let why = judge(source, demand, expected, parameters)?;
        Some(format!("string {at} {why}"))
    })
}

/// Parses a string as the engine does before it executes any action. The string must be a call with valid arguments,
/// and its parameters must be present.
fn read(source: &str, parameters: &Map<String, Value>) -> Result<Call, String> {
    let call = read_call(source).map_err(|error| error.to_string())?;
    if let Some(name) = call
        .parameters()
        .find(|name| !parameters.contains_key(*name))
    {
        return Err(format!("there is no parameter {name:?}"));
    }
    Step::of(&call).map(|_| call)
}

fn judge(
    source: &str,
    demand: &str,
    expected: &Value,
    parameters: &Map<String, Value>,
) -> Option<String> {
    match (demand, read(source, parameters)) {
        ("accept", Err(why)) => Some(format!("is refused: {why}")),
        ("accept" | "either", Ok(call)) => {
            let found = json!([{
                "fn": call.function().as_ref(),
                "args": arguments(&call, parameters),
            }]);
            let expected = expected.get("calls").unwrap_or(&Value::Null);
            difference(expected, &found).map(|difference| format!("differs {difference}"))
        }
        ("refuse", Ok(call)) => Some(format!("is read as {call}")),
        ("refuse" | "either", Err(_)) => None,
        _ => Some("has a demand that nobody knows".to_owned()),
    }
}
