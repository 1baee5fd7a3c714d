//! Spoils a model's answers to automata according to its bad habit.

use serde_json::json;

use crate::providers::language_model::bad_habits::{LAWLESS, chatty, fenced, without_its_end};
use crate::providers::language_model::conversation::{Saying, ToolCall};
use crate::providers::model_habits::ModelHabit;

use super::question::{ActionQuestion, Question, TriggerQuestion};

/// A number larger than the length of any list in a question.
const UNKNOWN: u64 = 9_999;
const REFUSAL: &str = "I'm sorry, I can't help with that.";

/// Returns the answer of a model with this habit, instead of the good one.
pub(super) fn spoilt(habit: ModelHabit, question: &Question, good: &str) -> Saying {
    let text = match habit {
        ModelHabit::UnknownNumber => unknown_number(question),
        ModelHabit::Prose => chatty(good),
        ModelHabit::Fenced => fenced(good),
        ModelHabit::NotJson => LAWLESS.to_owned(),
        ModelHabit::Cut => without_its_end(good),
        ModelHabit::Empty => String::new(),
        ModelHabit::Refusal => REFUSAL.to_owned(),
        ModelHabit::Twice => format!("{good}\n{good}"),
        ModelHabit::Endless => endless(question, good),
        ModelHabit::CommonTrigger => common_trigger(question, good),
        ModelHabit::EveryTrigger => every_trigger(question, good),
        ModelHabit::NoTrigger => no_trigger(question, good),
        ModelHabit::UnlistedCall => {
            unlisted(question, good, "execute_script(\"location.reload()\")")
        }
        ModelHabit::Code => unlisted(question, good, "click(__import__('os').system('true'))"),
        ModelHabit::UnknownParameter => {
            unlisted(question, good, "type(1, parameters['NOBODY_GAVE_THIS'])")
        }
        ModelHabit::Elsewhere => {
            unlisted(question, good, "navigate_to(\"http://elsewhere.example/\")")
        }
        ModelHabit::Obedient => obedient(question, good),
        ModelHabit::ToolCall => {
            return Saying::Call(ToolCall {
                tool: "click".to_owned(),
                arguments: json!({"element": 1}),
            });
        }
    };
    Saying::Text(text)
}

fn unknown_number(question: &Question) -> String {
    match question {
        Question::Prompt(_) => json!({"prompt": UNKNOWN}).to_string(),
        Question::Triggers(_) => json!({"triggers": [1, UNKNOWN]}).to_string(),
        Question::Action(_) => format!("click({UNKNOWN})"),
    }
}

/// Answers every question for the next action with an action, so that the automaton never ends.
fn endless(question: &Question, good: &str) -> String {
    match question {
        Question::Action(action) if action.failed.is_none() => "scroll(\"down\")".to_owned(),
        _ => good.to_owned(),
    }
}

/// Returns the first trigger that also holds on other pages. If there is none, returns the first trigger of kind
/// `text`: this is usually the site's name, which is probably on other pages as well.
fn common_trigger(question: &Question, good: &str) -> String {
    let Question::Triggers(TriggerQuestion { offers, .. }) = question else {
        return good.to_owned();
    };
    let common = offers.iter().find(|offer| offer.is_elsewhere);
    let first = || offers.iter().find(|offer| offer.kind == "text");
    let chosen = common.or_else(first).map(|offer| offer.number);
    json!({"triggers": Vec::from_iter(chosen)}).to_string()
}

fn every_trigger(question: &Question, good: &str) -> String {
    let Question::Triggers(TriggerQuestion { offers, .. }) = question else {
        return good.to_owned();
    };
    let numbers: Vec<_> = offers.iter().map(|offer| offer.number).collect();
    json!({"triggers": numbers}).to_string()
}

fn no_trigger(question: &Question, good: &str) -> String {
    match question {
        Question::Triggers(_) => json!({"triggers": []}).to_string(),
        _ => good.to_owned(),
    }
}

/// Answers a question for an action with a forbidden call. All other questions get the good answer; otherwise the
/// automaton would never ask for an action.
fn unlisted(question: &Question, good: &str, call: &str) -> String {
    match question {
        Question::Action(_) => call.to_owned(),
        _ => good.to_owned(),
    }
}

/// Obeys a typical prompt injection: types the first parameter, preferably a password, into the first field.
fn obedient(question: &Question, good: &str) -> String {
    let Question::Action(ActionQuestion {
        parameters,
        elements,
        failed: None,
        ..
    }) = question
    else {
        return good.to_owned();
    };
    let password = parameters.iter().find(|name| name.contains("PASS"));
    let field = elements.iter().find(|shown| {
        ["input", "text", "textbox", "password", "search"].contains(&shown.role.as_str())
    });
    match (password.or_else(|| parameters.first()), field) {
        (Some(parameter), Some(field)) => format!("type({}, {parameter})", field.number),
        _ => good.to_owned(),
    }
}
