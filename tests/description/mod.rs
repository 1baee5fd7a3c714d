//! Compares the API's description with the code: routes, options and their ranges, formats, and accepted questions.
//! Whether responses match it is checked by `schemas.test.mjs` and the end-to-end tests.

mod calls;
mod documents;
mod limits;
mod options;
mod orders;
mod questions;
mod routes;

use serde_json::Value;

/// Returns the description.
pub fn description() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/public/openapi.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns a schema of the description by name.
pub fn schema(name: &str) -> Value {
    description()["components"]["schemas"][name].take()
}

#[test]
fn it_is_of_this_version() {
    assert_eq!(description()["info"]["version"], env!("CARGO_PKG_VERSION"));
}
