//! `documents.json` holds automata to be stored, each with its status: 200 if it is stored, 400 if it violates the
//! schema, 409 if its states are wrong. `schemas.test.mjs` checks the same documents with the schema.

use serde_json::Value;
use visual_degrees::engines::EngineName;

#[test]
fn documents_are_stored_and_refused_as_the_table_says() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/description/documents.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let table: Vec<(u16, Value)> = serde_json::from_str(&text).unwrap();
    assert!(table.len() > 40);
    let mut all = EngineName::stored_documents();
    let (_, automata) = all.find(|(_, all)| all.path == "automata").unwrap();
    for (status, document) in table {
        let checked = (automata.check)(document.to_string().as_bytes());
        let found = checked.map_or_else(|problem| problem.status(), |_| 200);
        assert_eq!(found, status, "{document}");
    }
}
