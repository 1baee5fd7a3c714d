//! Types a text into the element that an action addresses, and only on pages that may receive the text.

use domain::page::{ActionFailure, Done, ElementTarget, TypedText};
use serde_json::{Value, json};

use crate::actions::{self, send_input};
use crate::connection::DevTools;
use crate::driven_browser::DrivenBrowser;
use crate::fields::{self, Way, Wish};
use crate::gestures::{self, Gesture};
use crate::guard::refusal_to_type;
use crate::keys::{self, Combination, Key};
use crate::look::described;

/// The longest text to type, in characters.
const TEXT_CHARS_MAX: usize = 10_000;
/// The number of characters that are sent before their answers are waited for.
const CHUNK_CHARS: usize = 50;
/// The pause before a text is typed once more, in milliseconds.
const AGAIN_MS: u64 = 200;
const AGAIN: &str = "A text was typed once more, since its field did not hold it at first.";
const LOST: &str = "the field lost the focus while its text was typed";
/// The most times that a clicked element is checked until it has the focus. The next constant is the pause between
/// checks, in milliseconds.
const FOCUS_LOOKS_MAX: u32 = 10;
const FOCUS_AGAIN_MS: u64 = 20;
/// The most times that an editor is read until it holds its text.
const EDITOR_READS_MAX: u32 = 6;
const NO_NUMBER: &str =
    "a number field takes a number as pages write it, like 3.5; nothing was typed";
const KEY: &str = "Input.dispatchKeyEvent";

/// Where typed keys go.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Focus {
    /// What has the focus: `field`, `plain`, `frame`, `other`, or `none`.
    pub state: String,
    /// A description of the element that has the focus instead of the intended one.
    pub what: String,
    /// The origin of the page.
    pub origin: String,
    /// How a text gets into the field.
    way: Way,
    /// Whether the field has a single line. If so, Enter is not part of its text.
    is_line: bool,
    /// Whether the field belongs to an editor, which may change what is typed.
    is_editor: bool,
    is_number: bool,
    /// Whether the field holds nothing.
    is_empty: bool,
    /// Why the field takes no text; `None` if it takes one.
    refusal: Option<String>,
}

/// Types a text into an element and so replaces its content: clicks the element, then types by keys. A field whose
/// value is chosen from options or pickers is set instead, and a secret is inserted in one step. The action succeeds
/// only if the field holds the text in the end.
pub(crate) async fn type_text<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    typed: &TypedText,
    interval_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let text = typed
        .text
        .reveal()
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let length = text.chars().count();
    if length > TEXT_CHARS_MAX {
        let words = format!("the text is longer than {TEXT_CHARS_MAX} characters");
        return Err(ActionFailure::Failed(words));
    }
    let wish = Wish::new(browser, target, typed, &text);
    let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
    match fields::aim(browser, target, wish.is_secret, until_ms).await? {
        Some(field) if field.way != Way::Keys => {
            set(browser, &wish, interval_ms, end_ms, until_ms).await?;
            return Ok(fields::done(&field.measured));
        }
        None => {
            actions::fallback_box(target)?;
            if wish.is_secret {
                return Err(actions::missing(target.timeout_ms));
            }
        }
        Some(_) => {}
    }
    let needed_ms = interval_ms.saturating_mul(u64::try_from(length).unwrap_or(u64::MAX));
    if browser.now_ms().saturating_add(needed_ms) >= until_ms {
        let words = "typing the text at this pace takes longer than an action may take";
        return Err(ActionFailure::Failed(words.to_owned()));
    }
    let target = ElementTarget {
        timeout_ms: end_ms.saturating_sub(browser.now_ms()),
        ..target.clone()
    };
    let done = gestures::perform(browser, &target, 0.5, Gesture::LEFT_CLICK, until_ms).await?;
    let done = Done {
        is_unchanged: false,
        ..done
    };
    let mut focus = focus(browser, until_ms).await?;
    while focus.refusal.is_some() && fields::has_time(browser, end_ms, until_ms) {
        browser
            .connection
            .devtools()
            .sleep(fields::FIELD_AGAIN_MS)
            .await;
        focus = self::focus(browser, until_ms).await?;
    }
    if let Some(failure) = focus.refusal(typed, wish.is_secret, &text) {
        return Err(failure);
    }
    if focus.way != Way::Keys {
        set(browser, &wish, interval_ms, end_ms, until_ms).await?;
    } else if wish.is_secret {
        type_secret(browser, &wish, focus.is_line, until_ms).await?;
    } else if focus.is_editor
        && !text.is_empty()
        && paste_and_read(browser, &wish, interval_ms, until_ms).await?
    {
        // The editor has taken the text as a whole.
    } else if focus.state == "field" {
        type_by_keys(browser, &target, &wish, &focus, interval_ms, until_ms).await?;
    } else {
        send_keys(browser, keys::clearing(), &text, interval_ms, until_ms).await?;
    }
    Ok(done)
}

impl Focus {
    fn refusal(&self, typed: &TypedText, is_secret: bool, text: &str) -> Option<ActionFailure> {
        if let Some(words) = refusal_to_type(typed, &self.origin) {
            return Some(ActionFailure::Refused(words));
        }
        let words = match self.state.as_str() {
            "plain" | "frame" if is_secret => return Some(fields::not_own()),
            "plain" | "frame" => return None,
            "field" => match &self.refusal {
                Some(words) => format!("{words}; nothing was typed"),
                None if self.is_number && !is_number(text) => NO_NUMBER.to_owned(),
                None => return None,
            },
            "other" => format!("the keys would go to {}, so nothing was typed", self.what),
            _ => "the element takes no keys, so nothing was typed".to_owned(),
        };
        Some(ActionFailure::Failed(words))
    }
}

/// Returns whether a number field accepts a text, which must be a floating-point number of HTML or empty.
///
/// Source: <https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number>
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let is_sign = |sign: char| sign.is_ascii_digit() || matches!(sign, '-' | '+' | '.' | 'e' | 'E');
    let is_written = text.chars().all(is_sign) && !text.starts_with('+') && !text.ends_with('.');
    text.is_empty()
        || (is_written && !text.contains(".e") && text.parse::<f64>().is_ok_and(f64::is_finite))
}

/// Types a text by keys, and reads the field to check it. The field is read before the first Enter, which may submit or
/// clear it, and a multi-line field is read again at the end.
async fn type_by_keys<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    wish: &Wish<'_>,
    focus: &Focus,
    interval_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let text = wish.text;
    let first_length = text.find('\n').unwrap_or(text.len());
    let (first, rest) = text.split_at_checked(first_length).unwrap_or((text, ""));
    let typed = type_first(browser, wish, first, focus.is_empty, interval_ms, until_ms).await;
    match typed {
        // A field that is empty has taken the text: as a chip, or by its last key.
        Err(ActionFailure::Failed(words))
            if words == LOST || fields::holds_any(browser, wish, until_ms).await? =>
        {
            type_again(browser, target, wish, first, interval_ms, until_ms)
                .await?
                .ok_or(ActionFailure::Failed(words))?;
            browser.events.borrow_mut().remarks.add(AGAIN);
        }
        typed => typed?,
    }
    if focus.is_line {
        return send_rest(browser, wish, rest, interval_ms, until_ms).await;
    }
    if rest.is_empty() {
        return Ok(());
    }
    browser.connection.devtools().sleep(interval_ms).await;
    if !fields::is_there(browser, wish, until_ms).await? {
        return Ok(());
    }
    send_keys(browser, Vec::new(), rest, interval_ms, until_ms).await?;
    fields::check(browser, wish, text, true, until_ms).await
}

/// Types the first line of a text in place of what the field holds, and reads the field.
async fn type_first<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    line: &str,
    is_empty: bool,
    interval_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let clearing = if is_empty {
        Vec::new()
    } else {
        keys::clearing()
    };
    send_watched_keys(browser, wish, clearing, line, interval_ms, until_ms).await?;
    if line.is_empty() && wish.text != line {
        return Ok(());
    }
    fields::check(browser, wish, line, false, until_ms).await
}

/// Types a line once more that did not get into its field: a page that has just opened what the field is in may still have
/// moved the focus, or selected what was in the field. Returns `None` if there is no time for that, or no such field.
async fn type_again<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    wish: &Wish<'_>,
    line: &str,
    interval_ms: u64,
    until_ms: u64,
) -> Result<Option<()>, ActionFailure> {
    let length = u64::try_from(line.len()).unwrap_or(u64::MAX);
    let needed_ms = AGAIN_MS.saturating_add(interval_ms.saturating_mul(length));
    if browser.now_ms().saturating_add(needed_ms) >= until_ms {
        return Ok(None);
    }
    browser.connection.devtools().sleep(AGAIN_MS).await;
    let target = ElementTarget {
        timeout_ms: 0,
        fallback: None,
        ..target.clone()
    };
    let clicked = gestures::perform(browser, &target, 0.5, Gesture::LEFT_CLICK, until_ms).await;
    if clicked.is_err() {
        // What was opened by the focus elsewhere may lie over the field, and closes once the field has it again.
        let focused = browser
            .call_once("focusTarget", &Value::Null, until_ms)
            .await;
        if focused != Ok(Value::Bool(true)) {
            return Ok(None);
        }
    }
    let focus = focus(browser, until_ms).await?;
    if focus.state != "field" || focus.way != Way::Keys || focus.refusal.is_some() {
        return Ok(None);
    }
    let typed = type_first(browser, wish, line, focus.is_empty, interval_ms, until_ms);
    typed.await.map(Some)
}

/// Offers a text to an editor as from a clipboard, in place of all that it holds, and checks what it holds then. Returns
/// whether the editor took it. Enter at the end of a single line is pressed after that, and is no part of the text.
async fn paste_and_read<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    interval_ms: u64,
    until_ms: u64,
) -> Result<bool, ActionFailure> {
    let line = wish.text.trim_end_matches('\n');
    let text = if line.contains('\n') { wish.text } else { line };
    if text.is_empty() {
        return Ok(false);
    }
    send_input(browser, KEY, keys::selecting(), until_ms).await?;
    if !fields::paste(browser, wish, text, until_ms).await? {
        return Ok(false);
    }
    let mut reads = 1;
    let read = loop {
        browser
            .connection
            .devtools()
            .sleep(fields::FIELD_AGAIN_MS)
            .await;
        unknown_once(
            true,
            send_input(browser, KEY, keys::selecting(), until_ms).await,
        )?;
        let read = fields::check_editor(browser, wish, text, reads >= EDITOR_READS_MAX, until_ms);
        if let Some(read) = read.await {
            break read;
        }
        reads += 1;
    };
    // What is selected would be replaced by the next key.
    let collapsed = browser.call_once("collapse", &Value::Null, until_ms).await;
    if collapsed != Ok(Value::Bool(true)) {
        let end = Combination::parse("ctrl+end").map(|keys| keys.events());
        let moved = send_input(browser, KEY, end.unwrap_or_default(), until_ms).await;
        unknown_once(true, moved)?;
    }
    // A page may refuse what is pasted. A person would type it then, which goes well with a single line.
    if read.is_err() && !text.contains('\n') {
        return Ok(false);
    }
    read?;
    let rest = wish.text.get(text.len()..).unwrap_or_default();
    if !rest.is_empty() {
        browser.connection.devtools().sleep(interval_ms).await;
        send_keys(browser, Vec::new(), rest, interval_ms, until_ms).await?;
    }
    Ok(true)
}

/// Types what follows the first Enter of a text for a single-line field. It stops if the field is gone, since an Enter
/// may navigate and the next keys would go elsewhere.
async fn send_rest<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    rest: &str,
    interval_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    for line in rest.split_inclusive('\n') {
        browser.connection.devtools().sleep(interval_ms).await;
        if !fields::is_there(browser, wish, until_ms).await? {
            break;
        }
        send_keys(browser, Vec::new(), line, interval_ms, until_ms).await?;
    }
    Ok(())
}

/// Sets a field to a whole text, then presses Enter if the text ends with a line break.
async fn set<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    interval_ms: u64,
    end_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let text = wish.text.trim_end_matches('\n');
    let enters = wish.text.get(text.len()..).unwrap_or_default();
    fields::set(browser, wish, text, end_ms, until_ms).await?;
    send_rest(browser, wish, enters, interval_ms, until_ms).await
}

/// Inserts a secret into the addressed field, reads the field to check it, then presses Enter if the secret ends with a
/// line break.
async fn type_secret<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    is_line: bool,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let line = wish.text.trim_end_matches('\n');
    let text = if is_line { line } else { wish.text };
    if is_line && text.contains('\n') {
        let words = "the text has several lines, and the field has one; nothing was typed";
        return Err(ActionFailure::Failed(words.to_owned()));
    }
    fields::insert(browser, wish, text, until_ms).await?;
    fields::check(browser, wish, text, false, until_ms).await?;
    let rest = wish.text.get(text.len()..).unwrap_or_default();
    send_rest(browser, wish, rest, 0, until_ms).await
}

/// Waits until the element has the focus, and returns where keys go.
pub(crate) async fn focus<D: DevTools>(
    browser: &DrivenBrowser<D>,
    until_ms: u64,
) -> Result<Focus, ActionFailure> {
    let mut looks = 1;
    loop {
        let frame = browser.aimed();
        let answer = browser
            .script_in(&frame, "focused", &Value::Null, until_ms)
            .await
            .map_err(actions::script_failure)?;
        let word = |name: &str| {
            let text = answer.get(name).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let refusal = answer.pointer("/refusal/words").and_then(Value::as_str);
        let focus = Focus {
            state: word("state"),
            what: match answer.get("what").and_then(Value::as_array) {
                Some(parts) => described(parts, &browser.mask),
                None => String::new(),
            },
            origin: word("origin"),
            way: Way::read(&answer),
            is_line: answer.get("isLine") == Some(&Value::Bool(true)),
            is_editor: answer.get("isEditor") == Some(&Value::Bool(true)),
            is_number: word("kind") == "number field",
            is_empty: answer.get("isEmpty") == Some(&Value::Bool(true)),
            refusal: refusal.map(str::to_owned),
        };
        if looks >= FOCUS_LOOKS_MAX || !matches!(focus.state.as_str(), "none" | "other") {
            return Ok(focus);
        }
        looks += 1;
        browser.connection.devtools().sleep(FOCUS_AGAIN_MS).await;
    }
}

/// Sends these events, and after them a text as keys to a field. Between keys that are apart, the field must keep the focus.
async fn send_watched_keys<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    mut events: Vec<Value>,
    text: &str,
    interval_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    if interval_ms == 0 {
        return send_keys(browser, events, text, interval_ms, until_ms).await;
    }
    for (at, character) in text.chars().enumerate() {
        if at > 0 {
            browser.connection.devtools().sleep(interval_ms).await;
            if fields::has_moved(browser, wish, until_ms).await? {
                return Err(ActionFailure::Failed(LOST.to_owned()));
            }
        }
        send_chunk(browser, std::mem::take(&mut events), &[character], until_ms).await?;
    }
    send_input(browser, KEY, events, until_ms).await
}

/// Sends these events, and after them a text as keys.
async fn send_keys<D: DevTools>(
    browser: &DrivenBrowser<D>,
    mut events: Vec<Value>,
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
        send_chunk(browser, std::mem::take(&mut events), chunk, until_ms).await?;
    }
    send_input(browser, KEY, events, until_ms).await
}

/// Sends these events, and after them characters as keys. Characters that no key types are inserted directly.
async fn send_chunk<D: DevTools>(
    browser: &DrivenBrowser<D>,
    mut events: Vec<Value>,
    characters: &[char],
    until_ms: u64,
) -> Result<(), ActionFailure> {
    // If there are events to send first, nothing has been typed before them, so a failure has a known outcome.
    let mut is_begun = events.is_empty();
    for character in characters {
        if let Some(key) = Key::typing(*character) {
            events.extend(key.press());
            continue;
        }
        let keys = send_input(browser, KEY, std::mem::take(&mut events), until_ms);
        unknown_once(is_begun, keys.await)?;
        is_begun = true;
        let typed = json!({"text": character.to_string()});
        let inserted = send_input(browser, "Input.insertText", vec![typed], until_ms).await;
        unknown_once(true, inserted)?;
    }
    unknown_once(is_begun, send_input(browser, KEY, events, until_ms).await)
}

/// If the field was already changed (`is_begun`), converts the loss of the browser to an unknown outcome.
fn unknown_once(is_begun: bool, outcome: Result<(), ActionFailure>) -> Result<(), ActionFailure> {
    outcome.map_err(|failure| match failure {
        ActionFailure::BrowserGone(words) if is_begun => ActionFailure::UnknownOutcome(words),
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_what_html_takes_for_one() {
        for text in ["3.5", "-3.5", "007", "1e3", "1E-3", ".5", " 4 ", ""] {
            assert!(is_number(text), "{text}");
        }
        for text in [
            "3,5", "1 000", "+1", "1.", "1.e3", "inf", "NaN", "0x10", "1e999", "three", "-",
        ] {
            assert!(!is_number(text), "{text}");
        }
    }
}
