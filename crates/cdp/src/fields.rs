//! Fields: the one that is meant by an action, and how a text gets into it.

use serde_json::{Value, json};

use domain::page::{ActionFailure, Done, ElementTarget, Point};

use crate::connection::CallError;
use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::pointing::{self, Measured};
use crate::read_back::{quoted, read, told, word};
use crate::sending::after;
use crate::wish::Wish;
use crate::world::ScriptError;

/// How soon again a field is looked at that takes no text yet, in milliseconds.
pub(crate) const AGAIN_MS: u64 = 50;
/// The time in which a page may set a field back, in milliseconds.
const SETTLE_MS: u64 = 50;
/// How a text gets into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// By keys. It may be no field at all.
    Keys,
    /// By setting its value.
    Set,
    /// By choosing one of its options.
    Choose,
}

/// A field that takes a text.
pub(crate) struct Field {
    pub(crate) way: Way,
    pub(crate) measured: Measured,
}

impl Way {
    pub(crate) fn read(answer: &Value) -> Self {
        match word(answer, "way") {
            "set" => Self::Set,
            "choose" => Self::Choose,
            _ => Self::Keys,
        }
    }
}

/// Waits until there is an element that takes a text, as long as the target says: for a secret, one that names its
/// field itself, which a page may draw or connect later. Returns `None` where there is no such element.
pub(crate) async fn aim<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    is_secret: bool,
    until_ms: u64,
) -> Result<Option<Field>, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
    let wish = json!({
        "by": target.locator.by.as_str(), "selector": target.locator.selector.reveal(),
        "percentage": 0.5, "scrolls": target.is_scrolled_to,
    });
    loop {
        let answer = browser.script("aimField", &wish, until_ms).await;
        let answer = answer.map_err(pointing::script_failure)?;
        if word(&answer, "state") == "bad" {
            let way = target.locator.by.as_str();
            let words = format!("the selector is none of the kind \"{way}\" that can be read");
            return Err(ActionFailure::Failed(words));
        }
        let measured = Measured::read(browser, &answer);
        let way = Way::read(&answer);
        let refusal = answer
            .get("refusal")
            .filter(|refusal| refusal.is_object())
            .map(|refusal| format!("{}; nothing was typed", word(refusal, "words")));
        let is_final = answer.pointer("/refusal/isFinal") == Some(&Value::Bool(true));
        // Keys follow a click, which waits by itself until nothing is in its way.
        let obstacle = || {
            let measured = measured.as_ref().filter(|_| way != Way::Keys)?;
            measured.obstacle()
        };
        let hindrance = refusal.or_else(obstacle);
        let is_own = answer.get("isOwn") == Some(&Value::Bool(true));
        let has_time = has_time(browser, end_ms, until_ms);
        let is_over = is_final || !has_time;
        match (measured, hindrance) {
            (Some(_), _) if is_secret && !is_own => {
                if !has_time {
                    return Err(not_own());
                }
                browser.connection.devtools().sleep(AGAIN_MS).await;
            }
            (Some(measured), None) => {
                return Ok(Some(Field { way, measured }));
            }
            (Some(_), Some(words)) if is_over => {
                return Err(ActionFailure::Failed(browser.mask.hide(&words)));
            }
            (None, _) if is_over => return Ok(None),
            _ => browser.connection.devtools().sleep(AGAIN_MS).await,
        }
    }
}

/// Returns whether there is time to ask for a field once more.
pub(crate) fn has_time<D: DevTools>(
    browser: &DrivenBrowser<D>,
    end_ms: u64,
    until_ms: u64,
) -> bool {
    let next_ms = browser.now_ms().saturating_add(AGAIN_MS);
    next_ms <= end_ms && next_ms < until_ms
}

/// Sets a field to a text as a whole, waiting for an option as long as the target says.
pub(crate) async fn set<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    text: &str,
    end_ms: u64,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let argument = wish.argument(text);
    loop {
        let answer = call_once(browser, "choose", &argument, until_ms).await?;
        match word(&answer, "state") {
            "set" => break,
            "already" => return Ok(()),
            "absent" | "disabled" | "refused" if has_time(browser, end_ms, until_ms) => {
                browser.connection.devtools().sleep(AGAIN_MS).await;
            }
            "absent" | "disabled" => {
                return Err(ActionFailure::Failed(no_option(browser, wish, &answer)));
            }
            _ => return Err(refusal(browser, wish, &answer)),
        }
    }
    browser.connection.devtools().sleep(SETTLE_MS).await;
    let Some(answer) = read(browser, "chosen", &argument, until_ms).await? else {
        return Ok(());
    };
    if word(&answer, "state") != "other" {
        return Ok(());
    }
    let words = match told(browser, &answer) {
        Some(told) => format!("it was set, and the page made it {told}"),
        None => "it was set, and the page made something else of it".to_owned(),
    };
    Err(ActionFailure::Failed(words))
}

fn no_option<D: DevTools>(browser: &DrivenBrowser<D>, wish: &Wish<'_>, answer: &Value) -> String {
    if word(answer, "state") == "disabled" {
        return "the option cannot be chosen: it is disabled".to_owned();
    }
    if wish.is_secret {
        return "no option has this text".to_owned();
    }
    let there = answer.get("there").and_then(Value::as_array);
    let there = there.into_iter().flatten().filter_map(Value::as_str);
    let there: Vec<String> = there.map(|text| quoted(browser, text)).collect();
    let count = answer.get("count").and_then(Value::as_u64);
    let count = usize::try_from(count.unwrap_or_default()).unwrap_or(usize::MAX);
    match (there.len(), count.saturating_sub(there.len())) {
        (0, _) => "no option has this text; there is none".to_owned(),
        (_, 0) => format!("no option has this text; there are {}", there.join(", ")),
        (_, more) => format!(
            "no option has this text; there are {} and {more} more",
            there.join(", ")
        ),
    }
}

/// Puts a text into the field that has the focus, in the place of what it holds: the page's script checks where it
/// goes in the same moment, so that nothing can take the focus between.
pub(crate) async fn insert<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    text: &str,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let answer = call_once(browser, "insert", &wish.argument(text), until_ms).await?;
    match word(&answer, "state") {
        "typed" => Ok(()),
        _ => Err(refusal(browser, wish, &answer)),
    }
}

/// Calls a function of the page's script that changes a field.
async fn call_once<D: DevTools>(
    browser: &DrivenBrowser<D>,
    name: &str,
    argument: &Value,
    until_ms: u64,
) -> Result<Value, ActionFailure> {
    let call = browser
        .world
        .call_once(&browser.connection, name, argument, until_ms);
    match call.await {
        Ok(answer) => Ok(answer),
        Err(ScriptError::Thrown) => Ok(Value::Null),
        Err(ScriptError::Call(CallError::Refused(_))) => {
            let words = "the page became another one before anything was typed";
            Err(ActionFailure::Failed(words.to_owned()))
        }
        Err(ScriptError::Call(error)) => Err(after(error)),
    }
}

/// Returns the failure of an action that would type a secret into something else than the field that it names.
pub(crate) fn not_own() -> ActionFailure {
    let words =
        "the secret goes into the field alone that the action names, and the element is none";
    ActionFailure::Refused(words.to_owned())
}

/// Returns why the page's script put nothing into a field, or not all of it.
fn refusal<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    answer: &Value,
) -> ActionFailure {
    let words = match word(answer, "state") {
        "foreign" => {
            let origin = word(answer, "origin");
            return ActionFailure::Refused(format!(
                "the text has a secret that is not for {origin}"
            ));
        }
        "notOwn" => return not_own(),
        "gone" => {
            "the page put something else in the field's place, so nothing was typed".to_owned()
        }
        "changed" => format!(
            "the element was a {} when it was found, and is a {} now, so nothing was typed",
            word(answer, "was"),
            word(answer, "is")
        ),
        "refused" | "unfit" if answer.get("words").is_some() => {
            format!("{}; nothing was typed", word(answer, "words"))
        }
        "unfit" => "the field takes no such text".to_owned(),
        "moved" if wish.is_secret => {
            "the focus moved away from the field before all was typed".to_owned()
        }
        _ => "the field lost the focus before anything was typed".to_owned(),
    };
    ActionFailure::Failed(browser.mask.hide(&words))
}

/// Returns the outcome of an action whose field was set at this place.
pub(crate) fn done(measured: &Measured) -> Done {
    Done {
        point: Some(Point {
            x: measured.x + measured.left,
            y: measured.y + measured.top,
        }),
        has_fallen_back: false,
    }
}
