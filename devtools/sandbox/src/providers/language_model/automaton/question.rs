//! Parses the questions of automata. A question is recognised by its first words; fenced texts in it are data.

use serde_json::Value;

use crate::providers::language_model::fences::{fenced, unfenced};
use crate::providers::language_model::instructions::quoted;

const PROMPT: &str = "Which of these numbered prompts fits the page?";
const TRIGGERS: &str = "Which of these numbered triggers tell that the page is in the state ";
const ACTION: &str = "What is the next action on the page?";
const REPLACEMENT: &str = "Which action on the page takes the place of one that failed?";
const HISTORY: &str = "What was done before, in order:";
const ACTIONS: &str = "Its actions, in order:";
const PARAMETERS: &str = "Parameters by their names, whose values are filled in later:";
/// The text between the value of a trigger and the number of other pages on which the trigger also holds.
const ELSEWHERE: &str = " - also on ";
const AGAIN: &str = "The last answer did not count:";

/// A question of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Prompt(PromptQuestion),
    Triggers(TriggerQuestion),
    Action(ActionQuestion),
}

/// The question of which prompt fits the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PromptQuestion {
    /// The names, descriptions and triggers of the prompts. The model refers to them by number, from 1.
    pub(super) prompts: Vec<String>,
    /// The names of the states executed so far.
    pub(super) history: Vec<String>,
    pub(super) title: String,
    pub(super) texts: Vec<String>,
}

/// The question of which triggers identify the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TriggerQuestion {
    /// The description of the state.
    pub(super) about: String,
    pub(super) offers: Vec<Offer>,
    /// Whether the question is repeated because the last answer was refused.
    pub(super) is_again: bool,
}

/// A trigger to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) number: u64,
    /// The kind of the trigger: `url`, `text` or `element`.
    pub(super) kind: String,
    pub(super) value: String,
    /// Whether the trigger also holds on another page.
    pub(super) is_elsewhere: bool,
}

/// The question of which action comes next, or of which action replaces a failed one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ActionQuestion {
    /// The sentences of the prompt.
    pub(super) actions: Vec<String>,
    /// The actions executed so far, in words.
    pub(super) done: Vec<String>,
    /// The parameters in the spelling of calls.
    pub(super) parameters: Vec<String>,
    pub(super) elements: Vec<Shown>,
    /// The failed call; `None` if the question is about the next action.
    pub(super) failed: Option<String>,
}

/// An element of the page that an action can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) number: u64,
    pub(super) role: String,
    pub(super) text: String,
}

/// Parses a question of an automaton. Returns `None` for any other text. No other function knows the wording of
/// questions.
pub(super) fn asked(text: &str) -> Option<Question> {
    let outside = unfenced(text);
    let data = fenced(text);
    let page = data.last().map(String::as_str).unwrap_or_default();
    if text.starts_with(PROMPT) {
        let history = after(&outside, HISTORY);
        return Some(Question::Prompt(PromptQuestion {
            prompts: numbered(&outside),
            history: quoted(history.lines().next().unwrap_or_default()),
            title: title_of(page),
            texts: page.lines().filter_map(json_text).collect(),
        }));
    }
    if let Some(rest) = outside.strip_prefix(TRIGGERS) {
        let about = rest.split("Each trigger is").next().unwrap_or_default();
        return Some(Question::Triggers(TriggerQuestion {
            about: about.to_owned(),
            offers: page.lines().filter_map(offer).collect(),
            is_again: outside.contains(AGAIN),
        }));
    }
    let is_replacement = text.starts_with(REPLACEMENT);
    if !is_replacement && !text.starts_with(ACTION) {
        return None;
    }
    let (failed, done) = match data.as_slice() {
        [failed, done, _] if is_replacement => (Some(failed), done.as_str()),
        [done, _] if !is_replacement => (None, done.as_str()),
        _ => (data.first().filter(|_| is_replacement), ""),
    };
    let names = after(&outside, PARAMETERS).lines().next();
    let names = names.unwrap_or_default().split(", ");
    let names = names
        .map(str::trim)
        .filter(|name| name.starts_with("parameters["));
    Some(Question::Action(ActionQuestion {
        actions: numbered(after(&outside, ACTIONS)),
        done: lines(done),
        parameters: names.map(str::to_owned).collect(),
        elements: page.lines().filter_map(element).collect(),
        failed: failed.cloned(),
    }))
}

fn after<'text>(text: &'text str, mark: &str) -> &'text str {
    text.split_once(mark).map_or("", |(_, rest)| rest)
}

fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// Returns the sentences of the first numbered list, without their numbers.
fn numbered(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let number = format!("{}. ", sentences.len() + 1);
        match line.strip_prefix(&number) {
            Some(sentence) => sentences.push(sentence.to_owned()),
            None if sentences.is_empty() => {}
            None => break,
        }
    }
    sentences
}

fn title_of(page: &str) -> String {
    let title = page.lines().find_map(|line| line.strip_prefix("title "));
    title.and_then(json_text).unwrap_or_default()
}

/// Parses a line that consists of one JSON string.
fn json_text(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line.trim()).ok()?;
    value.as_str().map(str::to_owned)
}

/// Parses a line like `3 text "Log in" - also on 2 other pages`.
fn offer(line: &str) -> Option<Offer> {
    let (number, rest) = line.split_once(' ')?;
    let (kind, rest) = rest.split_once(' ')?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let behind = rest.get(values.byte_offset()..).unwrap_or_default();
    Some(Offer {
        number: number.parse().ok()?,
        kind: kind.to_owned(),
        value: value.as_str()?.to_owned(),
        is_elsewhere: behind.starts_with(ELSEWHERE),
    })
}

/// Parses a line like `3 button "Log in"`. The role may contain blanks.
fn element(line: &str) -> Option<Shown> {
    let (number, rest) = line.split_once(' ')?;
    let (role, text) = rest.split_once(" \"")?;
    Some(Shown {
        number: number.parse().ok()?,
        role: role.to_owned(),
        text: json_text(&format!("\"{text}"))?,
    })
}
