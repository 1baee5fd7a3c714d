//! The agent chooses the next action. It replays the past actions, in order to find out how much of the prompt has been
//! carried out.

use super::acts::{Act, acts};
use super::meaning::{likeness, named_in};
use super::question::{ActionQuestion, Shown};

/// The most waits for an element that is missing.
const WAITS: usize = 2;
/// The most tries of one action.
const TRIES: usize = 2;

/// The roles of elements that take no text.
const NO_FIELDS: [&str; 9] = [
    "a", "button", "link", "submit", "checkbox", "radio", "option", "menuitem", "tab",
];

/// The roles of elements that take text.
const FIELDS: [&str; 7] = [
    "input", "text", "textbox", "textarea", "search", "email", "password",
];

/// Returns the next call, or a replacement if a call has failed.
pub(super) fn action(question: &ActionQuestion) -> String {
    match &question.failed {
        Some(failed) => replacement(question, failed),
        None => next(question),
    }
}

fn next(question: &ActionQuestion) -> String {
    let acts = acts(&question.actions);
    let mut done = question.done.iter().peekable();
    for act in &acts {
        let (mut waits, mut tries) = (0, 0);
        loop {
            let Some(line) = done.next() else {
                if tries >= TRIES {
                    return terminate("An action fails again and again.");
                }
                return call(act, question).unwrap_or_else(|| wait(waits));
            };
            if !matches!(act, Act::Wait(_)) && line.starts_with("wait") {
                waits += 1;
            } else if line.contains(" - it failed") {
                tries += 1;
            } else {
                break;
            }
        }
    }
    terminate("All of it is done.")
}

/// Waits for a missing element, at most [`WAITS`] times.
fn wait(waits: usize) -> String {
    if waits < WAITS {
        "wait(1)".to_owned()
    } else {
        terminate("What is to be acted on is not there.")
    }
}

/// Returns a replacement for a failed call, found by its selector and the sentences of the prompt.
fn replacement(question: &ActionQuestion, failed: &str) -> String {
    let (failed, _) = failed.split_once(" - it failed").unwrap_or((failed, ""));
    let types = failed.starts_with("type");
    let fits = |act: &&Act| match act {
        Act::Type(..) => types,
        Act::Click { .. } | Act::ClickNamed(_) => failed.starts_with("click"),
        _ => false,
    };
    let named = |act: &Act| match act {
        Act::Click { text, .. } | Act::ClickNamed(text) => text.clone(),
        Act::Type(text, field) => field.clone().unwrap_or_else(|| text.clone()),
        _ => String::new(),
    };
    let acts = acts(&question.actions);
    let mut fitting: Vec<_> = acts.iter().filter(fits).collect();
    // The sort is stable, so the first of equally good matches wins.
    fitting.sort_by_key(|act| std::cmp::Reverse(likeness(&named(act), failed)));
    let call = fitting.first().and_then(|act| call(act, question));
    call.unwrap_or_else(|| terminate("There is nothing that does the same."))
}

fn call(act: &Act, question: &ActionQuestion) -> Option<String> {
    Some(match act {
        Act::Click { text, is_link } => {
            let is_wanted = |shown: &Shown| {
                let role = shown.role.as_str();
                matches!(role, "a" | "link") == *is_link
                    && (*is_link || matches!(role, "button" | "submit"))
            };
            let element = best(question, |shown| {
                // The kind of an element only decides between equally similar texts.
                2 * likeness(text, &shown.text)
                    + usize::from(is_wanted(shown) && likeness(text, &shown.text) > 0)
            })?;
            format!("click({})", element.number)
        }
        Act::ClickNamed(sentence) => {
            let element = best(question, |shown| named_in(sentence, &shown.text))?;
            format!("click({})", element.number)
        }
        Act::Type(text, field) => {
            let is_field = |shown: &Shown| !NO_FIELDS.contains(&shown.role.as_str());
            let element = best(question, |shown| match field {
                _ if !is_field(shown) => 0,
                Some(field) => likeness(field, &shown.text),
                // If the sentence names no field, the first element that certainly takes text is preferred.
                None => 1 + usize::from(FIELDS.contains(&shown.role.as_str())),
            })?;
            format!("type({}, {})", element.number, typed(text))
        }
        Act::Press(key) => format!("press_key({})", literal(key)),
        Act::Open(address) => format!("navigate_to({})", literal(address)),
        Act::Scroll(direction) => format!("scroll({})", literal(direction)),
        Act::Wait(seconds) => format!("wait({seconds})"),
    })
}

/// Returns the element with the most points; in a tie, the first one. Returns `None` if no element has any points.
fn best(question: &ActionQuestion, points: impl Fn(&Shown) -> usize) -> Option<&Shown> {
    let rated = question.elements.iter().map(|shown| (points(shown), shown));
    let rated = rated.filter(|(points, _)| *points > 0);
    let best = rated.max_by_key(|(points, shown)| (*points, std::cmp::Reverse(shown.number)));
    best.map(|(_, shown)| shown)
}

/// Returns a call's argument for a text to type. `%NAME%` becomes a reference to a parameter.
fn typed(text: &str) -> String {
    let name = text
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'));
    match name {
        Some(name) => format!("parameters['{name}']"),
        None => literal(text),
    }
}

fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn terminate(why: &str) -> String {
    format!("terminate({})", literal(why))
}
