//! Answers all questions of a workflow except the one for the next step: which element or app is meant, whether checks
//! hold, what a picture shows. A question is recognised by its first words; fenced texts in it are data.

use serde_json::{Value, json};

use super::conversation::Conversation;
use super::fences::fenced;
use super::instructions::quoted;
use super::matching::meant;

const ELEMENT: &str = "The user wants to interact with ";
const APP: &str = "The user wrote ";
const CHECKS: &str = "The step is ";
const CHECK_KINDS: [&str; 4] = [
    "TextPresent",
    "TextAbsent",
    "TemplateFound",
    "WindowTitleMatches",
];

/// Returns the answer to a workflow's question, or `None` for any other text.
pub(super) fn answer(conversation: &Conversation) -> Option<Value> {
    let (text, images) = conversation.last_user()?;
    if let Some(rest) = text.strip_prefix(ELEMENT) {
        return Some(element(&said(rest)?, &fenced(text)));
    }
    if let Some(rest) = text.strip_prefix(APP) {
        return Some(app(&said(rest)?, &fenced(text)));
    }
    if let Some(rest) = text.strip_prefix(CHECKS)
        && said(rest).is_some()
    {
        return Some(checks(&fenced(text)));
    }
    let (width, height) = images.last()?;
    let others = match images.len() {
        1 => String::new(),
        count => format!(", the last of {count}"),
    };
    let says = format!("The picture is {width} by {height} pixels{others}.");
    Some(json!({"description": says}))
}

/// Parses the JSON string at the start of a text.
fn said(text: &str) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    value.as_str().map(str::to_owned)
}

fn element(target: &str, data: &[String]) -> Value {
    let list = data.first().map(String::as_str).unwrap_or_default();
    let list: Vec<_> = list.lines().map(str::to_owned).collect();
    json!({"name": meant(target, &list)})
}

fn app(user_input: &str, data: &[String]) -> Value {
    let rows = |number: usize| -> Vec<Value> {
        let json = data.get(number).map(String::as_str).unwrap_or_default();
        serde_json::from_str(json).unwrap_or_default()
    };
    let texts = |rows: &[Value], member: &str| -> Vec<String> {
        let texts = rows
            .iter()
            .map(|row| row.get(member).and_then(Value::as_str));
        texts
            .map(|text| text.unwrap_or_default().to_owned())
            .collect()
    };
    let (apps, windows) = (rows(0), rows(1));
    let names = texts(&apps, "name");
    // Perhaps the user only knows the app by the title of its window.
    let by_window = || {
        let titles = texts(&windows, "name");
        let title = meant(user_input, &titles)?;
        let window = titles.iter().position(|one| one == title)?;
        let owner = windows.get(window)?.get("owner_name")?.as_str()?;
        names.iter().find(|name| *name == owner)
    };
    let name = meant(user_input, &names).or_else(by_window);
    let app = name.and_then(|name| apps.iter().find(|app| app["name"] == name.as_str()));
    match app {
        Some(app) => json!({"name": app["name"], "pid": app["pid"]}),
        None => json!({"name": null, "pid": null}),
    }
}

/// Returns a verdict on each of the checks.
fn checks(data: &[String]) -> Value {
    let list = data.first().map(String::as_str).unwrap_or_default();
    let trace = data.get(1).map(String::as_str).unwrap_or_default();
    let verdicts: Vec<_> = list
        .lines()
        .filter_map(|line| verdict(line, trace))
        .collect();
    json!(verdicts)
}

fn verdict(line: &str, trace: &str) -> Option<Value> {
    let of_kind = CHECK_KINDS.iter().find_map(|kind| {
        let (name, parameters) = line.rsplit_once(&format!(" ({kind}): "))?;
        Some((name, *kind, parameters))
    });
    let (name, kind, says) = match of_kind {
        Some(check) => check,
        None => line.split_once(": ").map(|(name, says)| (name, "", says))?,
    };
    let (is_good, reasoning) = judged(kind, says, trace);
    let verdict = if is_good { "pass" } else { "fail" };
    Some(json!({"check_name": name, "verdict": verdict, "reasoning": reasoning}))
}

fn judged(kind: &str, says: &str, trace: &str) -> (bool, String) {
    // The arguments of a tool call do not prove what is visible, so only answers count.
    let answers: Vec<_> = trace
        .lines()
        .filter(|line| !line.starts_with("call of "))
        .collect();
    let answers = answers.join("\n");
    if kind == "TemplateFound" {
        return if answers.contains("\"score\"") {
            (true, "The picture was found.".to_owned())
        } else {
            (
                false,
                "No answer says that the picture was found.".to_owned(),
            )
        };
    }
    let evidence = if kind.is_empty() { trace } else { &answers };
    let words = words_of(kind, says);
    let seen = words
        .iter()
        .find(|word| evidence.to_lowercase().contains(&word.to_lowercase()));
    match (seen, words.first(), kind) {
        (Some(word), _, "TextAbsent") => (false, format!("\"{word}\" is there.")),
        (None, Some(word), "TextAbsent") => (true, format!("\"{word}\" is nowhere.")),
        (Some(word), ..) => (true, format!("\"{word}\" is there.")),
        (None, Some(word), _) => (false, format!("\"{word}\" is nowhere.")),
        (None, None, _) => (false, "The check names nothing to look for.".to_owned()),
    }
}

/// Returns the words that a check looks for. These are the texts of its parameters, or the words that it quotes.
fn words_of(kind: &str, says: &str) -> Vec<String> {
    if kind.is_empty() {
        return quoted(says);
    }
    let parameters: Value = serde_json::from_str(says).unwrap_or_default();
    let texts = match &parameters {
        Value::Object(members) => members.values().filter_map(Value::as_str).collect(),
        Value::String(text) => vec![text.as_str()],
        _ => Vec::new(),
    };
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.map(str::to_owned).collect()
}
