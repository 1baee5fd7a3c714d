//! A provider's recorded reply in other shapes: members missing, null, reordered, of another type, or unknown. None of
//! them leads to a made-up answer, or to a panic.

use std::fmt::Debug;
use std::mem::discriminant;

use domain::Failure;
use platform::WireResponse;
use providers::wikidata;
use serde_json::{Value, json};

use super::search_table::SEARCHES;
use super::shared::{check_malformed, ok};

/// Returns all members and items as JSON pointers, the whole first.
fn places(value: &Value) -> Vec<String> {
    fn below(value: &Value, place: &str, found: &mut Vec<String>) {
        found.push(place.to_owned());
        match value {
            Value::Array(values) => {
                for (number, value) in values.iter().enumerate() {
                    below(value, &format!("{place}/{number}"), found);
                }
            }
            Value::Object(members) => {
                for (name, value) in members {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    below(value, &format!("{place}/{name}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    below(value, "", &mut found);
    found
}

/// Returns each reply in which one member has another type, with its pointer.
fn with_wrong_types(reply: &str) -> Vec<(String, String)> {
    let good: Value = serde_json::from_str(reply).unwrap();
    let wrong = [
        json!(null),
        json!(true),
        json!(42),
        json!(-1.5e300),
        json!("Mallory"),
        json!([]),
        json!(["Mallory"]),
        json!([["Mallory", "Mallory", [], 99.9]]),
        json!({}),
        json!({"Name": "Mallory", "MatchConfidence": 99.9}),
    ];
    let mut replies = Vec::new();
    for place in places(&good) {
        for wrong in &wrong {
            let mut reply = good.clone();
            let member = reply.pointer_mut(&place).unwrap();
            if discriminant(member) != discriminant(wrong) {
                *member = wrong.clone();
                replies.push((format!("{wrong} at {place:?}"), reply.to_string()));
            }
        }
    }
    assert!(replies.len() > 100);
    replies
}

/// Parses each such reply: it is malformed, or its result is valid.
pub fn check_wrong_types<T: Debug>(
    reply: &str,
    read: impl Fn(&WireResponse) -> Result<T, Failure>,
    is_sound: impl Fn(&T) -> bool,
) {
    for (what, reply) in with_wrong_types(reply) {
        match read(&ok(reply)) {
            Ok(answer) => assert!(is_sound(&answer), "{what} gave {answer:?}"),
            Err(failure) => check_malformed::<T>(&what, Err(failure)),
        }
    }
}

/// Returns the reply with the members of all objects reversed.
fn reversed(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(",\n");
    match value {
        Value::Array(values) => format!("[{}]", joined(values.iter().map(reversed).collect())),
        Value::Object(members) => {
            let members = members.iter().rev();
            let members =
                members.map(|(name, value)| format!("{}: {}", json!(name), reversed(value)));
            format!("{{{}}}", joined(members.collect()))
        }
        other => other.to_string(),
    }
}

/// Adds a member to each object.
fn extended(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(extended),
        Value::Object(members) => {
            members.values_mut().for_each(extended);
            members.insert("aNewMember".into(), json!({"deep": [1, "Mallory", null]}));
        }
        _ => {}
    }
}

/// Returns each reply without one member, and with null in its place.
fn without_members(good: &Value) -> Vec<(String, String, String)> {
    let mut replies = Vec::new();
    for place in places(good) {
        let Some((parent, name)) = place.rsplit_once('/') else {
            continue;
        };
        let (mut missing, mut null) = (good.clone(), good.clone());
        let Value::Object(members) = missing.pointer_mut(parent).unwrap() else {
            continue;
        };
        members.remove(&name.replace("~1", "/").replace("~0", "~"));
        *null.pointer_mut(&place).unwrap() = Value::Null;
        replies.push((place, missing.to_string(), null.to_string()));
    }
    replies
}

/// Parses a recorded reply in all these shapes, and returns their number.
fn check<T: Debug + PartialEq>(
    name: &str,
    reply: &str,
    read: impl Fn(&WireResponse) -> Result<T, Failure>,
) {
    let good: Value = serde_json::from_str(reply).unwrap();
    let recorded = read(&ok(reply)).unwrap();
    assert_eq!(
        read(&ok(reversed(&good))).as_ref(),
        Ok(&recorded),
        "{name} reversed"
    );
    let mut more = good.clone();
    extended(&mut more);
    assert_eq!(
        read(&ok(more.to_string())).as_ref(),
        Ok(&recorded),
        "{name} extended"
    );
    let missing = without_members(&good);
    for (place, missing, null) in &missing {
        match (read(&ok(missing.as_str())), read(&ok(null.as_str()))) {
            (Ok(missing), Ok(null)) => assert_eq!(missing, null, "{name} without {place}"),
            // A model's output must match its schema, in which nothing is null.
            (Ok(_), null) if place.starts_with("/result/response/") => {
                check_malformed(&format!("{name} with null at {place}"), null);
            }
            (missing, null) => {
                check_malformed(&format!("{name} without {place}"), missing);
                check_malformed(&format!("{name} with null at {place}"), null);
            }
        }
    }
    println!(
        "{name}: as recorded, reversed, with unknown members; {} without a member, {} with a wrong type",
        missing.len(),
        with_wrong_types(reply).len()
    );
}

#[test]
fn recorded_replies_are_read_in_any_shape() {
    for search in SEARCHES {
        check(search.name, search.reply, search.read);
    }
    check(
        "rekognition",
        super::rekognition::REPLY,
        super::rekognition::read,
    );
    check(
        "references",
        super::references::REPLY,
        super::references::read,
    );
    check("gemini", super::gemini::REPLY, super::gemini::read_plan);
    check(
        "workers-ai",
        super::workers_ai::REPLY,
        super::workers_ai::read,
    );
    check("openai", super::openai::REPLY, super::openai::read);
    check(
        "wikidata, numbers",
        super::wikidata::FOUND,
        wikidata::read_numbers,
    );
    check(
        "wikidata, names",
        super::wikidata::NAMES,
        super::wikidata::read_people,
    );
}
