//! Tests of models that answer automata: each provider's format, with good answers and with bad habits.

use super::planners::{complete, run_model};
use super::*;
use crate::ModelHabit;

const MODELS: [SandboxProvider; 3] = [
    SandboxProvider::Gemini,
    SandboxProvider::OpenAi,
    SandboxProvider::WorkersAi,
];

const QUESTION: &str = "What is the next action on the page?\nThe state is \"Wall\": It asks\nIts actions, in order:\n1. Click \"Accept all cookies\".\n\nDone so far, in order:\n~~~~\n\n~~~~\n\nParameters by their names, whose values are filled in later: none\n\nThe page has these elements:\n~~~~\naddress \"http://x/\"\ntitle \"Shop\"\n1 a \"Products\"\n2 button \"Accept all cookies\"\n~~~~\n\nThe calls are click(N).";
const GOOD: &str = "click(2)";

/// Returns a model's answer: its text, or the name of the called tool.
fn said(sandbox: &mut Sandbox, provider: SandboxProvider) -> String {
    let messages = json!([{"role": "system", "content": "You act."},
        {"role": "user", "content": QUESTION}]);
    let (text, tool) = match provider {
        SandboxProvider::Gemini => {
            let contents = json!([{"role": "user", "parts": [{"text": QUESTION}]}]);
            let answer = body(&plan(sandbox, &json!({"contents": contents})));
            let part = &answer["candidates"][0]["content"]["parts"][0];
            (part["text"].clone(), part["functionCall"]["name"].clone())
        }
        SandboxProvider::OpenAi => {
            let asked = json!({"model": "sandbox-model", "messages": messages});
            let answer = body(&complete(sandbox, &asked));
            let message = &answer["choices"][0]["message"];
            let tool = message["tool_calls"][0]["function"]["name"].clone();
            (message["content"].clone(), tool)
        }
        _ => {
            let answer = body(&run_model(sandbox, &json!({"messages": messages})));
            let result = &answer["result"];
            (
                result["response"].clone(),
                result["tool_calls"][0]["name"].clone(),
            )
        }
    };
    match (text.as_str(), tool.as_str()) {
        (Some(text), None) => text.to_owned(),
        (None, Some(tool)) => format!("tool {tool}"),
        other => panic!("{provider}: {other:?}"),
    }
}

#[test]
fn every_dialect_carries_the_same_good_answer() {
    for provider in MODELS {
        assert_eq!(said(&mut plain(), provider), GOOD, "{provider}");
    }
}

#[test]
fn a_habit_of_the_options_is_in_every_answer_of_every_dialect() {
    for (name, habit) in ModelHabit::ALL {
        let options = SandboxOptions {
            model_habit: Some(*habit),
            ..SandboxOptions::default()
        };
        let mut sandbox = sandbox(options);
        let answers = MODELS.map(|provider| said(&mut sandbox, provider));
        assert_eq!(answers[0], answers[1], "{name}");
        assert_eq!(answers[1], answers[2], "{name}");
        assert_eq!(answers[0], said(&mut sandbox, MODELS[0]), "{name}");
        let is_about_triggers = name.ends_with("-trigger") || *name == "obedient";
        assert_eq!(answers[0] == GOOD, is_about_triggers, "{name}: {answers:?}");
    }
}

#[test]
fn a_habit_of_a_fault_file_is_in_the_calls_that_it_names() {
    for provider in MODELS {
        let mut sandbox = faulty(provider, "habit-unknown-number");
        assert_eq!(said(&mut sandbox, provider), "click(9999)");
        assert_eq!(said(&mut sandbox, provider), GOOD);
    }
    let plan = r#"[{"provider":"google","call":1,"kind":"habit-prose"}]"#;
    assert!(FaultPlan::parse(plan).is_err());
}

#[test]
fn a_habit_changes_no_other_answer() {
    let options = |model_habit| SandboxOptions {
        model_habit,
        ..SandboxOptions::default()
    };
    let mut good = sandbox(options(None));
    let mut bad = sandbox(options(Some(ModelHabit::Empty)));
    let asked = prompt(&good);
    assert_eq!(
        body(&super::plan(&mut good, &asked)),
        body(&super::plan(&mut bad, &asked))
    );
}
