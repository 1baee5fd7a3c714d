//! The texts of refusals.

use engine::Problem;
use investigation::requests::RunRequest;
use serde_json::json;
use settings::Caps;

use super::names::no_names;
use super::numbers::numbers;
use super::question::{Answers, Question, from_body, from_query, new_run};

/// Returns a refusal of every kind, from both forms.
fn refusals() -> Vec<Problem> {
    let mut questions: Vec<Question> = no_names()
        .iter()
        .map(|text| Question::of(text, "Javert"))
        .collect();
    let names: Vec<String> = (0..21).map(|number| format!("Person {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let good = Question::good;
    questions.extend([
        Question::of("Javert", "JAVERT"),
        good().avoiding(&names),
        good().avoiding(&["javert"]),
        good().with_session("a b"),
        good().with("plan", "random"),
        good().with("unknown", "1"),
    ]);
    for (option, ..) in numbers(&Caps::default()) {
        questions.push(good().with(option, "-1"));
    }
    let caps = Caps::default();
    let mut outcomes: Vec<Result<RunRequest, Problem>> = Vec::new();
    for question in &questions {
        let Answers { query, body } = question.asked(&caps);
        outcomes.extend([query, body]);
    }
    for query in ["", "a=X", "a=X&a=X", "a=X&b=Y&hops=1&hops=1"] {
        outcomes.push(from_query(query, &caps));
    }
    for body in [
        json!([]),
        json!({}),
        json!({"personA": 7, "personB": "Y"}),
        json!({"personA": "X", "personB": "Y", "unknown": 1}),
        json!({"personA": "X", "personB": "Y", "options": 1}),
    ] {
        outcomes.push(from_body(&body));
    }
    outcomes.push(new_run(b"{", &caps));
    outcomes.into_iter().map(Result::unwrap_err).collect()
}

#[test]
fn every_refusal_says_what_to_do() {
    let advice = [
        "give ",
        "must be ",
        "remove ",
        "shorten ",
        "send ",
        "known are ",
        "at most",
        "leave ",
    ];
    let mut silent: Vec<String> = refusals()
        .iter()
        .map(|problem| problem.detail().to_owned())
        .filter(|detail| !advice.iter().any(|word| detail.contains(word)))
        .collect();
    silent.sort();
    silent.dedup();
    assert!(silent.is_empty(), "no word of what to do in {silent:#?}");
}
