//! `questions.json` holds bodies, each with its status: 200 if it is accepted, 400 if it violates the schema (or, with
//! a third member, a rule that no schema can express), 409 if its parts contradict each other. `schemas.test.mjs`
//! checks the same bodies with the schema.

use investigation::requests::CreateRequest;
use serde_json::Value;
use settings::Caps;

#[test]
fn questions_are_taken_and_refused_as_the_table_says() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/description/questions.json"
    );
    let table: Vec<Vec<Value>> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(table.len() > 60);
    for row in table {
        let (status, body) = (row[0].as_u64().unwrap(), &row[1]);
        let taken = CreateRequest::from_body(body.to_string().as_bytes(), &Caps::default());
        let found = taken.map_or_else(|problem| problem.status(), |_| 200);
        assert_eq!(u64::from(found), status, "{body}");
    }
}
