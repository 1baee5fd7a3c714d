//! Finds the field that an action addresses, puts a text into it, and checks that the field holds the text.

use domain::page::{ActionFailure, Done, ElementLocator, ElementTarget, TypedText};
use serde_json::{Value, json};

use crate::actions::{self, after};
use crate::aiming::{self, Aim, Measured};
use crate::connection::{CallError, DevTools};
use crate::driven_browser::DrivenBrowser;
use crate::gestures::{self, Gesture};
use crate::guard::origin_of;
use crate::world::ScriptError;

/// The pause before a field that takes no text yet is checked again, in milliseconds.
pub(crate) const FIELD_AGAIN_MS: u64 = 50;
/// How long to wait for a page that may reset its field, in milliseconds.
const SETTLE_MS: u64 = 50;
/// The most times that a field is read until it holds its text. Some pages write it late. The next constant is the
/// pause between reads, in milliseconds.
const READS_MAX: u32 = 10;
/// How often a list is opened that closes again by itself.
const OPENINGS_MAX: u32 = 3;
/// How long an option is waited for at least once its list was opened, in milliseconds.
const LISTED_MS_MIN: u64 = 1_000;
const READ_AGAIN_MS: u64 = 40;
/// The most UTF-16 units that are shown of a field's content.
const TOLD_UNITS_MAX: usize = 100;
const GONE: &str =
    "The rest of a text was not typed, since the page went on by itself and its field is gone.";
const MOVED: &str = "The rest of a text was not typed, since its field lost the focus.";
/// The hint that is added to a failure if a secret is to be split over several boxes.
const BOXES: &str = "; it goes into several boxes where they follow each other in one form, have the same type and \
    maxlength, and hold it exactly";

/// How a text gets into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// By keys. The element need not be a field.
    Keys,
    /// By setting the field's value.
    Set,
    /// By choosing one of the field's options.
    Choose,
}

/// A field that can take a text, as the page's script has found it.
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

/// Waits for an element that takes a text, within the target's timeout. For a secret, the element must itself be the
/// field, which the page may create later. Returns `None` if no such element appears.
pub(crate) async fn aim<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    is_secret: bool,
    until_ms: u64,
) -> Result<Option<Field>, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
    let aim = Aim::middle(&target.locator, target.is_scrolled_to);
    loop {
        let answer = aiming::find(browser, "aimField", aim.locator, aim.wish(), until_ms).await?;
        let measured = match Measured::read(browser, &answer) {
            Some(measured) => {
                aiming::outward(browser, measured, aim.is_scrolled_to, false, until_ms).await?
            }
            None => None,
        };
        let way = Way::read(&answer);
        let refusal = answer
            .get("refusal")
            .filter(|refusal| refusal.is_object())
            .map(|refusal| format!("{}; nothing was typed", word(refusal, "words")));
        let is_final = answer.pointer("/refusal/isFinal") == Some(&Value::Bool(true));
        // Typing by keys begins with a click, which waits by itself until nothing is in its way.
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
                browser.connection.devtools().sleep(FIELD_AGAIN_MS).await;
            }
            (Some(measured), None) => {
                return Ok(Some(Field { way, measured }));
            }
            (Some(_), Some(words)) if is_over => {
                return Err(ActionFailure::Failed(browser.mask.hide(&words)));
            }
            (None, _) if is_over => return Ok(None),
            _ => browser.connection.devtools().sleep(FIELD_AGAIN_MS).await,
        }
    }
}

/// Chooses options of a list, one in each line of a text. If the list is none of the browser's own, it is opened by a
/// click, and the options in it are clicked.
pub(crate) async fn select<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    options: &TypedText,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let text = options.text.reveal().replace("\r\n", "\n");
    let text = text.trim_matches('\n');
    let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
    let wish = Wish {
        is_list: true,
        ..Wish::new(browser, target, options, text)
    };
    match aim(browser, target, wish.is_secret, until_ms).await? {
        None => Err(actions::missing(target.timeout_ms)),
        Some(field) if field.way == Way::Choose => {
            set(browser, &wish, text, end_ms, until_ms).await?;
            Ok(done(&field.measured))
        }
        Some(_) if wish.is_secret => Err(not_own()),
        Some(_) => select_listed(browser, target, text, end_ms, until_ms).await,
    }
}

/// Opens a list that a page has made itself, and clicks its options.
async fn select_listed<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    text: &str,
    end_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let mut done = Done::default();
    for option in text.split('\n') {
        let aim = Aim::middle(&target.locator, target.is_scrolled_to);
        // The document of the list is known once the list was found.
        aiming::wait_for(browser, &aim, target.timeout_ms, until_ms).await?;
        call_once(browser, "wantOption", &Value::from(option), until_ms).await?;
        let is_shown = aiming::wait_with(browser, &aim, "aimOption", 0, until_ms).await?;
        let mut is_listed = is_shown.is_some();
        for opening in 1..=OPENINGS_MAX {
            if !is_listed {
                gestures::perform_on(
                    browser,
                    target,
                    "aimOpener",
                    0.5,
                    Gesture::LEFT_CLICK,
                    until_ms,
                )
                .await?;
            }
            let left_ms = end_ms.saturating_sub(browser.now_ms()).max(LISTED_MS_MIN);
            let is_last = opening == OPENINGS_MAX || is_listed;
            let waits_ms = if is_last { left_ms } else { LISTED_MS_MIN };
            let found = aiming::wait_with(browser, &aim, "aimOption", waits_ms, until_ms).await?;
            if found.is_some() {
                break;
            }
            let wish = aim.wish();
            let answer = aiming::find(browser, "aimOption", aim.locator, wish, until_ms).await?;
            if is_last {
                return Err(ActionFailure::Failed(options_there(browser, &answer)));
            }
            // Where no option is shown, something else of the page may have closed the list again.
            is_listed = answer.get("count").and_then(Value::as_u64) != Some(0)
                || answer.get("isOpen") == Some(&Value::Bool(true));
        }
        done = gestures::perform_on(
            browser,
            target,
            "aimOption",
            0.5,
            Gesture::LEFT_CLICK,
            until_ms,
        )
        .await?;
        check_listed(browser, until_ms).await?;
    }
    Ok(Done {
        is_unchanged: false,
        ..done
    })
}

/// Fails if the page does not show that the option is chosen.
async fn check_listed<D: DevTools>(
    browser: &DrivenBrowser<D>,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    for read in 1..=READS_MAX {
        let answer = self::read(browser, "optionState", &Value::Null, until_ms).await?;
        let Some(answer) = answer.filter(|answer| word(answer, "state") == "other") else {
            return Ok(());
        };
        if read == READS_MAX {
            let words = match told(browser, &answer) {
                Some(told) => format!("the option was clicked, and the list shows {told}"),
                None => "the option was clicked, and the list does not show it".to_owned(),
            };
            return Err(ActionFailure::Failed(words));
        }
        browser.connection.devtools().sleep(READ_AGAIN_MS).await;
    }
    Ok(())
}

/// Returns whether there is time left to try a field once more.
pub(crate) fn has_time<D: DevTools>(
    browser: &DrivenBrowser<D>,
    end_ms: u64,
    until_ms: u64,
) -> bool {
    let next_ms = browser.now_ms().saturating_add(FIELD_AGAIN_MS);
    next_ms <= end_ms && next_ms < until_ms
}

/// Sets a field to a whole text. If the option with the text is missing, waits for it within the target's timeout.
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
                browser.connection.devtools().sleep(FIELD_AGAIN_MS).await;
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
    options_there(browser, answer)
}

/// Returns the words for a missing option, with the options that are there.
fn options_there<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value) -> String {
    let there: Vec<String> = answer
        .get("there")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|text| quoted(browser, text))
        .collect();
    let told = answer.get("count").and_then(Value::as_u64);
    let count = usize::try_from(told.unwrap_or_default()).unwrap_or(usize::MAX);
    match (there.len(), count.saturating_sub(there.len())) {
        (0, _) => "no option has this text; there is none".to_owned(),
        (_, 0) => format!("no option has this text; there are {}", there.join(", ")),
        (_, more) => format!(
            "no option has this text; there are {} and {more} more",
            there.join(", ")
        ),
    }
}

/// Replaces the content of the focused field by a text. The page's script checks in the same step that the focused
/// field is the intended one, so nothing can take the focus in between.
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

/// Offers a text to the editor that has the focus. Returns whether the editor took it.
pub(crate) async fn paste<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    text: &str,
    until_ms: u64,
) -> Result<bool, ActionFailure> {
    let answer = call_once(browser, "paste", &wish.argument(text), until_ms).await?;
    match word(&answer, "state") {
        "taken" => Ok(true),
        "ignored" => Ok(false),
        _ => Err(refusal(browser, wish, &answer)),
    }
}

/// Returns whether the editor that has the focus holds a text; `None` if it may still be writing it. With `is_last`, what
/// it holds instead is a failure.
pub(crate) async fn check_editor<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    text: &str,
    is_last: bool,
    until_ms: u64,
) -> Option<Result<(), ActionFailure>> {
    let answer = match read(browser, "heldByEditor", &wish.argument(text), until_ms).await {
        Ok(Some(answer)) => answer,
        Ok(None) => return Some(Ok(())),
        Err(failure) => return Some(Err(failure)),
    };
    match word(&answer, "state") {
        "other" if !is_last => None,
        "other" => {
            let length = text.chars().count();
            Some(Err(ActionFailure::Failed(difference(
                browser, &answer, length,
            ))))
        }
        "written" => {
            let told = told(browser, &answer).unwrap_or_default();
            let remark = format!("A field wrote the text that was typed as {told}.");
            browser.events.borrow_mut().remarks.add(&remark);
            Some(Ok(()))
        }
        _ => Some(Ok(())),
    }
}

/// Calls a function of the page's script that changes a field, and so must not be repeated.
async fn call_once<D: DevTools>(
    browser: &DrivenBrowser<D>,
    name: &str,
    argument: &Value,
    until_ms: u64,
) -> Result<Value, ActionFailure> {
    let call = browser.call_once(name, argument, until_ms);
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

/// Makes the failure of an action that would type a secret into an element other than the addressed field.
pub(crate) fn not_own() -> ActionFailure {
    let words =
        "the secret goes into the field alone that the action names, and the element is none";
    ActionFailure::Refused(words.to_owned())
}

/// Returns why the page's script put no text, or only a part of it, into a field.
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

/// Makes the outcome of an action that has set a field at the measured place.
pub(crate) fn done(measured: &Measured) -> Done {
    Done::at(measured.point())
}

/// A text to type, and the conditions under which it may be typed.
pub(crate) struct Wish<'a> {
    pub(crate) locator: &'a ElementLocator,
    pub(crate) text: &'a str,
    /// The origins whose pages may receive the text; `None` if every page of the run may.
    pub(crate) origins: Option<Vec<String>>,
    /// Whether the text contains a secret. If so, nothing of it may be shown.
    pub(crate) is_secret: bool,
    /// Whether each line of the text is an option of its own.
    pub(crate) is_list: bool,
}

impl<'a> Wish<'a> {
    pub(crate) fn new<D: DevTools>(
        browser: &DrivenBrowser<D>,
        target: &'a ElementTarget,
        typed: &TypedText,
        text: &'a str,
    ) -> Self {
        let origins = typed.origins.as_ref();
        Self {
            locator: &target.locator,
            text,
            origins: origins.map(|all| all.iter().filter_map(|one| origin_of(one)).collect()),
            is_secret: typed.origins.is_some() || browser.mask.is_in(text),
            is_list: false,
        }
    }

    /// Returns the argument for a function of the page's script that puts this part of the text into a field.
    fn argument(&self, text: &str) -> Value {
        json!({
            "by": self.locator.by.as_str(), "selector": self.locator.selector.reveal(), "text": text,
            "origins": self.origins, "isSecret": self.is_secret, "isList": self.is_list,
        })
    }
}

/// Reads the field, and fails if it does not hold the text. Adds a remark if the page has reformatted the text.
/// `is_entered` states whether Enter was typed, which may have removed the text before it.
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

/// Returns whether the rest of a text may be typed. If the focus has moved, adds a remark instead, since the rest would
/// go to whatever has the focus.
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

/// Returns whether the field is there and holds something.
pub(crate) async fn holds_any<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    until_ms: u64,
) -> Result<bool, ActionFailure> {
    let answer = read(browser, "held", &wish.argument(""), until_ms).await?;
    let count = answer.as_ref().and_then(|answer| answer.get("count"));
    Ok(count.and_then(Value::as_u64).is_some_and(|count| count > 0))
}

/// Returns whether the field is there, and neither it nor a box behind it has the focus.
pub(crate) async fn has_moved<D: DevTools>(
    browser: &DrivenBrowser<D>,
    wish: &Wish<'_>,
    until_ms: u64,
) -> Result<bool, ActionFailure> {
    let answer = read(browser, "isThere", &wish.argument(""), until_ms).await?;
    Ok(answer.is_some_and(|answer| word(&answer, "state") == "moved"))
}

/// Returns what a field holds, read by the page's script; `None` if the page has navigated.
async fn read<D: DevTools>(
    browser: &DrivenBrowser<D>,
    name: &str,
    argument: &Value,
    until_ms: u64,
) -> Result<Option<Value>, ActionFailure> {
    let call = browser.call_once(name, argument, until_ms);
    match call.await {
        Ok(answer) => Ok(Some(answer)),
        Err(ScriptError::Call(CallError::Refused(_))) => Ok(None),
        Err(ScriptError::Thrown) => Err(actions::script_failure(ScriptError::Thrown)),
        Err(ScriptError::Call(error)) => Err(ActionFailure::UnknownOutcome(error.into_words())),
    }
}

/// Describes how a field's content differs from a text of this many characters.
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

/// Returns what a field holds for users to see, without secrets; `None` if nothing of it may be shown.
fn told<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value) -> Option<String> {
    let holds = answer.get("holds").and_then(Value::as_str)?;
    if holds.is_empty() {
        return Some("nothing".to_owned());
    }
    Some(quoted(browser, holds))
}

/// Returns a page's text in quotes. Secrets are hidden before it is cut, since a cut secret would not be found.
fn quoted<D: DevTools>(browser: &DrivenBrowser<D>, text: &str) -> String {
    format!(
        "\"{}\"",
        browser.mask.shortened(text, TOLD_UNITS_MAX, "...")
    )
}

/// Returns a text member of the script's answer; empty if it is missing.
pub(crate) fn word<'a>(answer: &'a Value, name: &str) -> &'a str {
    answer.get(name).and_then(Value::as_str).unwrap_or_default()
}
