//! A text that is typed: into the element that is meant, and on pages that may have it.

use serde_json::{Value, json};

use crate::page::{ActionFailure, Done, ElementTarget, TypedText};

use super::clicking;
use super::connection::CallError;
use super::devtools::DevTools;
use super::driven::DrivenBrowser;
use super::guard::{origin_of, refusal_to_type};
use super::keys::{self, Key};
use super::looking::described;
use super::pointing;
use super::sending::{after, send_input};
use super::world::ScriptError;

/// The most characters that are typed at once.
const TEXT_CHARS_MAX: usize = 10_000;
/// How many characters are sent before their answers are waited for.
const CHUNK_CHARS: usize = 50;
/// How often, and how soon again, an element that was clicked is looked at until it has the focus.
const FOCUS_LOOKS_MAX: u32 = 10;
const FOCUS_AGAIN_MS: u64 = 20;

const KEY: &str = "Input.dispatchKeyEvent";

/// Where typed keys go.
pub(super) struct Focus {
    /// `field`, `plain`, `frame`, `other`, or `none`.
    pub state: String,
    /// What has the focus instead of the element.
    pub what: String,
    /// The page's origin.
    pub origin: String,
}

/// Clicks the middle of an element, deletes what is in it, and types a text.
pub(super) async fn type_text<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    text: &TypedText,
    interval_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let length = text.text.reveal().chars().count();
    if length > TEXT_CHARS_MAX {
        let words = format!("the text is longer than {TEXT_CHARS_MAX} characters");
        return Err(ActionFailure::Failed(words));
    }
    let needed_ms = interval_ms.saturating_mul(u64::try_from(length).unwrap_or(u64::MAX));
    if browser.now_ms().saturating_add(needed_ms) >= until_ms {
        let words = "typing the text at this pace takes longer than an action may take";
        return Err(ActionFailure::Failed(words.to_owned()));
    }
    let done = clicking::click_to_type(browser, target, until_ms).await?;
    let focus = focus(browser, until_ms).await?;
    if let Some(words) = refusal_to_type(text, &focus.origin) {
        return Err(ActionFailure::Refused(words));
    }
    match (focus.state.as_str(), &text.origins) {
        ("field", _) | ("plain" | "frame", None) => {}
        ("plain" | "frame", Some(_)) => {
            let words = "the text has a secret, and the element is no field of the page itself";
            return Err(ActionFailure::Refused(words.to_owned()));
        }
        ("other", _) => {
            let words = format!("the keys would go to {}, so nothing was typed", focus.what);
            return Err(ActionFailure::Failed(words));
        }
        _ => {
            let words = "the element takes no keys, so nothing was typed";
            return Err(ActionFailure::Failed(words.to_owned()));
        }
    }
    send_input(browser, KEY, keys::clearing(), until_ms).await?;
    match &text.origins {
        Some(origins) => insert(browser, text.text.reveal(), origins, until_ms).await?,
        None => send_keys(browser, text.text.reveal(), interval_ms, until_ms).await?,
    }
    Ok(done)
}

/// Returns where keys go, once the element has the focus.
pub(super) async fn focus<D: DevTools>(
    browser: &DrivenBrowser<D>,
    until_ms: u64,
) -> Result<Focus, ActionFailure> {
    let mut looks = 1;
    loop {
        let answer = browser.script("focused", &Value::Null, until_ms).await;
        let answer = answer.map_err(pointing::script_failure)?;
        let word = |name: &str| {
            let text = answer.get(name).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let focus = Focus {
            state: word("state"),
            what: match answer.get("what").and_then(Value::as_array) {
                Some(parts) => described(parts, &browser.mask),
                None => String::new(),
            },
            origin: word("origin"),
        };
        if looks >= FOCUS_LOOKS_MAX || !matches!(focus.state.as_str(), "none" | "other") {
            return Ok(focus);
        }
        looks += 1;
        browser.connection.devtools().sleep(FOCUS_AGAIN_MS).await;
    }
}

/// Types a text that is not for every page: the page's script checks where it goes in the same moment, so
/// that no frame can take the focus between.
async fn insert<D: DevTools>(
    browser: &DrivenBrowser<D>,
    text: &str,
    origins: &[String],
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let origins: Vec<String> = origins.iter().filter_map(|one| origin_of(one)).collect();
    let wish = json!({"text": text, "origins": origins});
    let inserted = browser
        .world
        .call_once(&browser.connection, "insert", &wish, until_ms);
    let answer = match inserted.await {
        Ok(answer) => answer,
        Err(ScriptError::Thrown) => Value::Null,
        Err(ScriptError::Call(CallError::Refused(_))) => {
            let words = "the page became another one before anything was typed";
            return Err(ActionFailure::Failed(words.to_owned()));
        }
        Err(ScriptError::Call(error)) => return Err(after(error)),
    };
    match answer.get("state").and_then(Value::as_str) {
        Some("typed") => Ok(()),
        Some("foreign") => {
            let words = "the page became one that the text's secret is not for";
            Err(ActionFailure::Refused(words.to_owned()))
        }
        Some("refused") => {
            let words = "the field takes no such text";
            Err(ActionFailure::Failed(words.to_owned()))
        }
        _ => {
            let words = "the field lost the focus before anything was typed";
            Err(ActionFailure::Failed(words.to_owned()))
        }
    }
}

async fn send_keys<D: DevTools>(
    browser: &DrivenBrowser<D>,
    text: &str,
    interval_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let characters: Vec<char> = text.chars().collect();
    let chunk = if interval_ms == 0 { CHUNK_CHARS } else { 1 };
    for (at, chunk) in characters.chunks(chunk).enumerate() {
        if at > 0 && interval_ms > 0 {
            browser.connection.devtools().sleep(interval_ms).await;
        }
        send_chunk(browser, chunk, until_ms).await?;
    }
    Ok(())
}

/// Sends characters as keys; those that no key types are inserted as they are.
async fn send_chunk<D: DevTools>(
    browser: &DrivenBrowser<D>,
    characters: &[char],
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let mut events = Vec::new();
    for character in characters {
        if let Some(key) = Key::typing(*character) {
            events.extend(key.press());
            continue;
        }
        unknown_after_first(send_input(browser, KEY, std::mem::take(&mut events), until_ms).await)?;
        let inserted = json!({"text": character.to_string()});
        let inserted = send_input(browser, "Input.insertText", vec![inserted], until_ms).await;
        unknown_after_first(inserted)?;
    }
    unknown_after_first(send_input(browser, KEY, events, until_ms).await)
}

/// The field was cleared: whatever fails from there on leaves it changed.
fn unknown_after_first(outcome: Result<(), ActionFailure>) -> Result<(), ActionFailure> {
    outcome.map_err(|failure| match failure {
        ActionFailure::BrowserGone(words) => ActionFailure::UnknownOutcome(words),
        other => other,
    })
}
