//! The example, which fills in a form, loops, branches and begins an investigation.

use serde_json::json;

use super::bench::{Bench, example, last, told};

#[test]
fn the_example_fills_the_form_and_finds_the_chain() {
    let mut bench = Bench::new("/mcp/desk", true);
    let run = bench.conduct(&example(), &json!({}));
    let told = told(&run);
    let last = last(&run);
    assert_eq!(last["type"], "completed", "{told:#?} {last}");
    let executed = bench.executed();
    let typed: Vec<&String> = executed
        .iter()
        .filter(|call| call.starts_with("type_text"))
        .collect();
    assert_eq!(
        typed,
        [
            r#"type_text {"text":"Pencils"}"#,
            r#"type_text {"text":"12.5"}"#,
            r#"type_text {"text":"Pencils"}"#,
            r#"type_text {"text":"12.5"}"#,
            r#"type_text {"text":"a chain was found"}"#,
        ],
        "{executed:#?}"
    );
    assert_eq!(bench.simulation.children(), 1);
    assert!(told.contains(&"check_evaluated What it looks like".to_owned()));
    let spent = &last["payload"]["spent"];
    assert!(spent["usd"].as_f64().unwrap() > 0.01, "{spent}");
    assert_eq!(spent["investigations"], 1);
}
