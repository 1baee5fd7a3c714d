//! `calls.json` holds arguments of `find_chain`, each with whether it is accepted. `schemas.test.mjs` checks the same
//! arguments with the tool's schema.

use std::collections::BTreeSet;

use investigation::requests::RunRequest;
use serde_json::{Map, Value, json};
use settings::Caps;
use visual_degrees::mcp_server::{BuiltInCall, take_wait_ms};
use visual_degrees::memory::OFFSET_MAX;

use super::schema;

fn read(path: &str) -> Value {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn properties(path: &str) -> Map<String, Value> {
    let mut described = read(path);
    serde_json::from_value(described["inputSchema"]["properties"].take()).unwrap()
}

const FIND_CHAIN: &str = "crates/investigation/tools/find_chain.json";

fn is_taken(arguments: &Value) -> bool {
    let mut arguments: Map<String, Value> = serde_json::from_value(arguments.clone()).unwrap();
    take_wait_ms("find_chain", &mut arguments).is_ok()
        && RunRequest::from_arguments(arguments, &Caps::default()).is_ok()
}

#[test]
fn arguments_are_taken_and_refused_as_the_table_says() {
    let table: Vec<(bool, Value)> =
        serde_json::from_value(read("tests/description/calls.json")).unwrap();
    assert!(table.len() > 60);
    let mut named = BTreeSet::new();
    for (taken, arguments) in table {
        assert_eq!(is_taken(&arguments), taken, "{arguments}");
        if taken {
            named.extend(arguments.as_object().unwrap().keys().cloned());
        }
    }
    let all: BTreeSet<String> = properties(FIND_CHAIN)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(named, all, "each argument is in the table");
}

#[test]
fn a_search_takes_every_option_of_a_link() {
    let Value::Object(options) = schema("Options")["properties"].take() else {
        panic!("options have no properties");
    };
    let mut described = properties(FIND_CHAIN);
    for own in ["a", "b", "waitMs"] {
        assert!(described.remove(own).is_some(), "{own}");
    }
    let names = |options: Map<String, Value>| -> BTreeSet<String> {
        options.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(described), names(options));
}

#[test]
fn the_atlas_is_read_on_as_far_as_it_is_told() {
    let offset = properties("src/mcp_server/tools/seen_with.json")["offset"].take();
    assert_eq!(offset["maximum"], OFFSET_MAX);
    let asked = |offset: u64| {
        let arguments = serde_json::from_value(json!({"person": "Ann", "offset": offset})).unwrap();
        BuiltInCall::read("seen_with", &arguments, "")
            .unwrap()
            .is_ok()
    };
    assert!(asked(OFFSET_MAX) && !asked(OFFSET_MAX + 1));
}
