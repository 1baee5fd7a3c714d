//! What a field holds once a text was typed: it must be the text.

use serde_json::Value;

use domain::page::ActionFailure;

use crate::connection::CallError;
use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::pointing;
use crate::wish::Wish;
use crate::world::ScriptError;

/// How often, and how soon again, a field is read that does not hold its text yet: some pages write later.
const READS_MAX: u32 = 10;
const READ_AGAIN_MS: u64 = 40;
/// The most characters that are told of what a field holds.
const TOLD_UNITS_MAX: usize = 100;

const GONE: &str =
    "The rest of a text was not typed, since the page went on by itself and its field is gone.";
const MOVED: &str = "The rest of a text was not typed, since its field lost the focus.";

/// How a secret gets into boxes of some letters each.
const BOXES: &str = "; it goes into several boxes where they follow each other in one form, have the same type and \
    maxlength, and hold it exactly";

/// Reads what the field holds, and fails where it is not the text. A page that writes the text in its own way is
/// remarked. `is_entered` says that Enter was among the keys, which may have taken what stood before it away.
pub(crate) async fn check<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    text: &str,
    is_entered: bool,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let mut argument = wish.argument(text);
    if let Some(members) = argument.as_object_mut() {
        members.insert("isEntered".to_owned(), is_entered.into());
    }
    let mut reads = 1;
    loop {
        let Some(answer) = read(browser, "held", &argument, until_ms).await? else {
            return Ok(());
        };
        match word(&answer, "state") {
            "written" => {
                let remark = match told(browser, &answer) {
                    Some(told) => format!("A field wrote the text that was typed as {told}."),
                    None => "A field wrote the secret that was typed in its own way.".to_owned(),
                };
                browser.events.borrow_mut().remarks.add(&remark);
                return Ok(());
            }
            "other" if reads < READS_MAX => {
                reads += 1;
                browser.connection.devtools().sleep(READ_AGAIN_MS).await;
            }
            "other" => {
                let length = text.chars().count();
                return Err(ActionFailure::Failed(difference(browser, &answer, length)));
            }
            _ => return Ok(()),
        }
    }
}

/// Returns whether the rest of a text may be typed, and remarks why it may not: it would go to whatever is there now.
pub(crate) async fn is_there<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    until_ms: u64,
) -> Result<bool, ActionFailure> {
    let answer = read(browser, "isThere", &wish.argument(""), until_ms).await?;
    let remark = match answer.as_ref().map(|answer| word(answer, "state")) {
        Some("there") => return Ok(true),
        Some("moved") => MOVED,
        _ => GONE,
    };
    browser.events.borrow_mut().remarks.add(remark);
    Ok(false)
}

/// Asks the page's script what a field holds. Returns `None` where the page became another one.
pub(crate) async fn read<D: DevTools>(
    browser: &DrivenBrowser<D>,
    name: &str,
    argument: &Value,
    until_ms: u64,
) -> Result<Option<Value>, ActionFailure> {
    let call = browser
        .world
        .call_once(&browser.connection, name, argument, until_ms);
    match call.await {
        Ok(answer) => Ok(Some(answer)),
        Err(ScriptError::Call(CallError::Refused(_))) => Ok(None),
        Err(ScriptError::Thrown) => Err(pointing::script_failure(ScriptError::Thrown)),
        Err(ScriptError::Call(error)) => Err(ActionFailure::UnknownOutcome(error.into_words())),
    }
}

/// Returns how what a field holds differs from a text of this many characters.
fn difference<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value, length: usize) -> String {
    let number = |name: &str| answer.get(name).and_then(Value::as_i64).unwrap_or(-1);
    let count = number("count");
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let mut words = match told(browser, answer) {
        Some(told) => format!("the field holds {told} instead of the text"),
        None if length == count => {
            format!("the field holds another text of {length} characters")
        }
        None if length < count => format!("the field holds {count} characters instead of {length}"),
        None => format!("the field holds {count} of {length} characters"),
    };
    if answer.get("isSecret") == Some(&Value::Bool(true))
        && (1..).contains(&count)
        && count < length
    {
        words.push_str(BOXES);
    }
    let most = number("lengthMax");
    if (0..length).contains(&most) {
        words = format!("{words}; it takes at most {most}");
    }
    words
}

/// Returns what a field holds, without secrets. Returns `None` where nothing is told of it.
pub(crate) fn told<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value) -> Option<String> {
    let holds = answer.get("holds").and_then(Value::as_str)?;
    if holds.is_empty() {
        return Some("nothing".to_owned());
    }
    Some(quoted(browser, holds))
}

/// Returns a text of a page in quotes: hidden first, then cut.
pub(crate) fn quoted<D: DevTools>(browser: &DrivenBrowser<D>, text: &str) -> String {
    format!(
        "\"{}\"",
        browser.mask.shortened(text, TOLD_UNITS_MAX, "...")
    )
}

/// Returns a word of an answer of the page's script.
pub(crate) fn word<'a>(answer: &'a Value, name: &str) -> &'a str {
    answer.get(name).and_then(Value::as_str).unwrap_or_default()
}
