//! `orders.json` holds changes of the orders in sealed files, each with whether the file is still accepted.
//! `schemas.test.mjs` checks the same files with the schema.

use serde_json::{Value, json};
use settings::Caps;
use visual_degrees::engines::EngineName;
use visual_degrees::sealed::{ReplayError, ReplayLimits, replay};

/// Returns a replayable sealed file of an engine.
fn sealed(engine: &str) -> Value {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/tests/sealed/{engine}_runs/strict.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Sets the member at this path.
fn change(mut place: &mut Value, path: &[Value], to: Value) {
    for step in path {
        place = match step {
            Value::String(name) => &mut place[name.as_str()],
            at => &mut place[usize::try_from(at.as_u64().unwrap()).unwrap()],
        };
    }
    *place = to;
}

#[test]
fn orders_are_read_and_refused_as_the_table_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/description/orders.json");
    let text = std::fs::read_to_string(path).unwrap();
    let table: Vec<(String, Vec<Value>, Value, bool)> = serde_json::from_str(&text).unwrap();
    assert!(table.len() > 40);
    for (engine, path, to, is_read) in table {
        let mut file = sealed(&engine);
        change(&mut file["body"]["order"], &path, to.clone());
        let report = replay(&file.to_string(), None, ReplayLimits::SERVER);
        // A schema cannot express conflicts.
        let found = matches!(&report, Ok(_) | Err(ReplayError::Conflict(_)));
        assert_eq!(found, is_read, "{engine} {path:?} {to}: {report:?}");
    }
}

#[test]
fn the_state_of_a_fork_is_a_whole_number_however_it_is_written() {
    let is_taken = |state: &str| {
        let body = format!(r#"{{"fork":{{"run":"s1.AAAAAAAAAAAAAAAAAAAAAA","state":{state}}}}}"#);
        EngineName::wanted(body.as_bytes(), &Caps::default())
            .unwrap()
            .is_ok()
    };
    for state in ["0", "392693", "392693.0", "4294967295", "1e3", "null"] {
        assert!(is_taken(state), "{state}");
    }
    for state in ["-1", "0.5", "4294967296", "1e30", "\"1\"", "[1]"] {
        assert!(!is_taken(state), "{state}");
    }
    let described = super::schema("AutomatonQuestion");
    let state = &described["properties"]["fork"]["properties"]["state"];
    assert_eq!(
        (&state["minimum"], &state["maximum"]),
        (&json!(0), &json!(u32::MAX))
    );
}
