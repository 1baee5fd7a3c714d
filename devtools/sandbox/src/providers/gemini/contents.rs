//! Parses the contents of a request, which are the turns so far, and checks that they have the order that the API
//! requires.
//!
//! Sources: ai.google.dev/gemini-api/docs/function-calling and .../thought-signatures; the words of
//! the refusals from google-gemini/gemini-cli#6379, #26691 and BerriAI/litellm#26755.

use serde_json::Value;

use crate::hash::hash;

use super::super::language_model::Turn;
use super::super::reply::Reply;
use super::members::{check_members, invalid};
use super::part::{Part, read};

const CALLS_FIRST: &str = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const RESPONSES_NEXT: &str =
    "Please ensure that function response turn comes immediately after a function call turn.";
const AS_MANY: &str = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
/// The placeholders that Google accepts in place of a signature, for histories that other models wrote.
const NO_SIGNATURE: [&str; 2] = [
    "skip_thought_signature_validator",
    "context_engineering_is_the_way_to_go",
];

/// A parsed content.
struct Content {
    is_model: bool,
    parts: Vec<Part>,
}

/// Parses the turns of a request. Models from version 3 on require the signature of each step.
pub(super) fn turns(body: &Value, wants_signatures: bool) -> Result<Vec<Turn>, Box<Reply>> {
    let contents = contents(body)?;
    check_order(&contents)?;
    if wants_signatures {
        check_signatures(&contents)?;
    }
    Ok(contents.into_iter().flat_map(turns_of).collect())
}

fn contents(body: &Value) -> Result<Vec<Content>, Box<Reply>> {
    let contents = body.get("contents").and_then(Value::as_array);
    let contents = contents.filter(|contents| !contents.is_empty());
    let contents = contents
        .ok_or_else(|| invalid("* GenerateContentRequest.contents: contents is not specified\n"))?;
    let contents = contents.iter().enumerate();
    contents
        .map(|(number, one)| content(one, &format!("contents[{number}]")))
        .collect()
}

fn content(content: &Value, place: &str) -> Result<Content, Box<Reply>> {
    check_members(content, place, &["role", "parts"])?;
    let role = content
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or("user");
    if !matches!(role, "user" | "model") {
        return Err(invalid("Please use a valid role: user, model."));
    }
    let parts = content.get("parts").and_then(Value::as_array);
    let parts = parts.filter(|parts| !parts.is_empty()).ok_or_else(|| {
        invalid(&format!(
            "* GenerateContentRequest.{place}.parts: contents.parts must not be empty.\n"
        ))
    })?;
    let parts = parts.iter().enumerate();
    let parts = parts.map(|(number, part)| read(part, &format!("{place}.parts[{number}]")));
    Ok(Content {
        is_model: role == "model",
        parts: parts.collect::<Result<_, _>>()?,
    })
}

/// Returns the name and the id of each call in a content.
fn calls(content: &Content) -> Vec<(&str, Option<&str>)> {
    let calls = content.parts.iter().filter_map(|part| match part {
        Part::Call { name, id, .. } => Some((name.as_str(), id.as_deref())),
        _ => None,
    });
    calls.collect()
}

fn responses(content: &Content) -> Vec<(&str, Option<&str>)> {
    let responses = content.parts.iter().filter_map(|part| match part {
        Part::Response { name, id, .. } => Some((name.as_str(), id.as_deref())),
        _ => None,
    });
    responses.collect()
}

/// Checks that calls of the model follow a turn of the user, and that the next content answers all of them.
fn check_order(contents: &[Content]) -> Result<(), Box<Reply>> {
    let mut before: Option<&Content> = None;
    for content in contents {
        let asked = before.map(calls).unwrap_or_default();
        let answered = responses(content);
        if !answered.is_empty() && (content.is_model || asked.is_empty()) {
            return Err(invalid(RESPONSES_NEXT));
        }
        if answered.len() != asked.len() {
            return Err(invalid(AS_MANY));
        }
        check_names(&asked, &answered)?;
        let may_call = content.is_model && before.is_some_and(|before| !before.is_model);
        if !calls(content).is_empty() && !may_call {
            return Err(invalid(CALLS_FIRST));
        }
        before = Some(content);
    }
    if before.is_some_and(|last| !calls(last).is_empty()) {
        return Err(invalid(AS_MANY));
    }
    Ok(())
}

/// Checks that the answers name the called functions. The real API's message for a wrong name is unknown, so this one
/// is made up.
fn check_names(
    asked: &[(&str, Option<&str>)],
    answered: &[(&str, Option<&str>)],
) -> Result<(), Box<Reply>> {
    let mut open = asked.to_vec();
    for (name, id) in answered {
        let answers = |(asked, asked_id): &(&str, Option<&str>)| {
            asked == name && (id.is_none() || asked_id.is_none() || id == asked_id)
        };
        let Some(at) = open.iter().position(answers) else {
            return Err(invalid(&format!(
                "The function response {name} answers no function call of the function call turn."
            )));
        };
        open.remove(at);
    }
    Ok(())
}

/// Checks that the first call of each step since the user's last turn has the signature that the model sent with it.
fn check_signatures(contents: &[Content]) -> Result<(), Box<Reply>> {
    let spoke = |content: &Content| !content.is_model && responses(content).is_empty();
    let since = contents.iter().rposition(spoke).unwrap_or_default();
    for (number, content) in contents.iter().enumerate().skip(since) {
        let first = content.parts.iter().find_map(|part| match part {
            Part::Call {
                name, signature, ..
            } => Some((name, signature)),
            _ => None,
        });
        match first {
            Some((name, None)) => {
                return Err(invalid(&format!(
                    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
                    number + 1
                )));
            }
            Some((name, Some(given)))
                if *given != signature(name) && !NO_SIGNATURE.contains(&given.as_str()) =>
            {
                return Err(invalid("Corrupted thought signature."));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the model's signature for a call of this function.
pub(super) fn signature(name: &str) -> String {
    let half = |which: &str| hash(&[which.into(), name.into()]);
    format!("{:016x}{:016x}", half("thought"), half("signature"))
}

fn turns_of(content: Content) -> Vec<Turn> {
    if content.is_model {
        return vec![Turn::Model];
    }
    let (mut text, mut images, mut turns) = (String::new(), Vec::new(), Vec::new());
    for part in content.parts {
        match part {
            Part::Text(part) => {
                text.push_str(&part);
                text.push('\n');
            }
            Part::Image(size) => images.push(size),
            Part::Response {
                name,
                text,
                is_error,
                ..
            } => turns.push(Turn::Tool {
                tool: name,
                text,
                is_error,
            }),
            Part::Call { .. } => {}
        }
    }
    if !text.is_empty() || !images.is_empty() {
        turns.push(Turn::User { text, images });
    }
    turns
}
