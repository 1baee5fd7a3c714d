//! Errors that only a body can have.

use serde_json::{Map, Value, json};
use settings::Caps;

use super::question::{Question, check_problem, from_body, new_run};

#[test]
fn a_body_that_is_no_json_object_is_refused_as_a_whole() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(1_000), close.repeat(1_000));
    let good = Question::good().body.to_string();
    let mut bodies: Vec<String> = [
        "",
        " ",
        "null",
        "7",
        "\"a=X&b=Y\"",
        "[]",
        "[[]]",
        "[\"X\",\"Y\"]",
        "a=X&b=Y",
        "{]",
        "{}{}",
        "{\"personA\":\"X\",}",
        "{'personA':'X'}",
        "\u{feff}{}",
    ]
    .map(str::to_owned)
    .to_vec();
    bodies.push(deep("[", "]"));
    bodies.push(deep("{\"personA\":", "}"));
    bodies.push(format!("{{\"personA\":{}}}", deep("[", "]")));
    bodies.extend((0..good.len()).map(|length| good[..length].to_owned()));
    for body in bodies {
        let outcome = new_run(body.as_bytes(), &Caps::default());
        let problem = check_problem(outcome, None);
        assert!(
            problem
                .detail()
                .starts_with("The body is not a JSON object"),
            "{body}"
        );
    }
}

#[test]
fn wrong_types_anywhere_are_refused_by_name() {
    let question = Question::good()
        .with_session("s1")
        .with("plan", "one-sided")
        .with("pace", "frugal")
        .with("hops", "3");
    let good = question.body;
    assert!(from_body(&good).is_ok());
    let places = [
        ("/personA", "personA"),
        ("/personB", "personB"),
        ("/sessionId", "sessionId"),
        ("/options", "options"),
        ("/options/plan", "plan"),
        ("/options/hops", "hops"),
    ];
    for (place, field) in places {
        for wrong in [
            json!(true),
            json!(-1.5e300),
            json!([]),
            json!([[]]),
            json!([{}]),
        ] {
            let mut body = good.clone();
            *body.pointer_mut(place).unwrap() = wrong;
            check_problem(from_body(&body), Some(field));
        }
    }
    let many: Map<String, Value> = (0..1_000).map(|n| (format!("x{n}"), json!(n))).collect();
    assert!(from_body(&Value::Object(many)).is_err());
}
