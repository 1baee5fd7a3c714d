//! Executes actions on a page. Each action is executed once, and its outcome is reported honestly.

use domain::page::{
    ActionFailure, Area, BrowserGone, Direction, Done, ElementLocator, ElementTarget, Fallback,
    PIXELS_A_NOTCH, PageAction, TypedText,
};
use serde_json::{Value, json};

use crate::aiming::{Aim, wait_for};
use crate::connection::{CallError, Command, DevTools};
use crate::driven_browser::DrivenBrowser;
use crate::gestures::Gesture;
use crate::keys::Combination;
use crate::look::ELEMENT_AGAIN_MS;
use crate::world::ScriptError;
use crate::{aiming, download, drag, fields, gestures, guard, tabs, text_input, upload};

/// The longest address to open, in bytes.
const ADDRESS_BYTES_MAX: usize = 8_192;
/// The most notches by which one action turns the wheel.
const NOTCHES_MAX: f64 = 1_000.0;
/// How long a held key waits before it repeats, and the time between repetitions, in milliseconds.
const REPEAT_AFTER_MS: u64 = 500;
const REPEAT_MS: u64 = 33;
/// The pause before an element is given the focus again, in milliseconds.
const FOCUS_AGAIN_MS: u64 = 50;
/// The most UTF-16 units of a text that is extracted.
const READ_UNITS_MAX: usize = 10_000;
pub(crate) const MOUSE: &str = "Input.dispatchMouseEvent";
const KEY: &str = "Input.dispatchKeyEvent";

/// Executes an action on the page, once.
pub(crate) async fn act<D: DevTools>(
    browser: &DrivenBrowser<D>,
    action: &PageAction,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let left = browser.wait_until_left(until_ms).await;
    left.map_err(|BrowserGone(words)| ActionFailure::BrowserGone(words))?;
    let may_open = !matches!(action, PageAction::Navigate { .. });
    browser.note_cause(may_open);
    let outcome = carry_out(browser, action, until_ms).await;
    browser.note_cause(may_open);
    outcome
}

async fn carry_out<D: DevTools>(
    browser: &DrivenBrowser<D>,
    action: &PageAction,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    match action {
        PageAction::Navigate { url } => navigate(browser, url, until_ms).await,
        PageAction::Click {
            target,
            button,
            clicks,
            percentage,
        } => {
            let gesture = Gesture::Click {
                button: *button,
                clicks: *clicks,
            };
            gestures::perform(browser, target, *percentage, gesture, until_ms).await
        }
        PageAction::Hover { target, percentage } => {
            gestures::perform(browser, target, *percentage, Gesture::Hover, until_ms).await
        }
        PageAction::Drag {
            target,
            onto,
            offset,
        } => drag::drag(browser, target, onto.as_ref(), *offset, until_ms).await,
        PageAction::Check { target, is_checked } => {
            gestures::check(browser, target, *is_checked, until_ms).await
        }
        PageAction::Select { target, options } => {
            fields::select(browser, target, options, until_ms).await
        }
        PageAction::Type {
            target,
            text,
            interval_ms,
        } => text_input::type_text(browser, target, text, *interval_ms, until_ms).await,
        PageAction::Scroll {
            over,
            timeout_ms,
            direction,
            notches,
        } => {
            let notches = notches.clamp(-NOTCHES_MAX, NOTCHES_MAX);
            let sign = if *direction == Direction::Up {
                -1.0
            } else {
                1.0
            };
            let pixels = sign * notches * PIXELS_A_NOTCH;
            scroll(browser, over.as_ref(), *timeout_ms, pixels, until_ms).await
        }
        PageAction::ScrollTo {
            locator,
            timeout_ms,
        } => scroll_to(browser, locator, *timeout_ms, until_ms).await,
        PageAction::PressKey {
            key,
            target,
            hold_ms,
            times,
        } => press_key(browser, key, target.as_ref(), *hold_ms, *times, until_ms).await,
        PageAction::Upload { target, files } => {
            upload::upload(browser, target, files, until_ms).await
        }
        PageAction::Download { target } => download::download(browser, target, until_ms).await,
        PageAction::GoBack => tabs::go_back(browser, until_ms).await,
        PageAction::SwitchTo { tab, timeout_ms } => {
            tabs::switch_to(browser, *tab, *timeout_ms, until_ms).await
        }
        PageAction::Extract {
            locator,
            attribute,
            is_list,
            timeout_ms,
        } => {
            let attribute = attribute.as_deref();
            extract(browser, locator, attribute, *is_list, *timeout_ms, until_ms).await
        }
    }
}

async fn navigate<D: DevTools>(
    browser: &DrivenBrowser<D>,
    url: &TypedText,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    if url.text.reveal().len() > ADDRESS_BYTES_MAX {
        let words = format!("the address is longer than {ADDRESS_BYTES_MAX} bytes");
        return Err(ActionFailure::Failed(words));
    }
    if let Some(words) = browser.guard.refusal_to_open(url) {
        return Err(ActionFailure::Refused(words));
    }
    let params = json!({"url": url.text.reveal()});
    // A refusal that is still noted belongs to an earlier navigation of the page, so it is dropped.
    browser
        .events
        .borrow_mut()
        .page
        .refused_pages
        .take_refusal();
    let left = browser.events.borrow().page.refused_pages.left();
    let answer = browser
        .command("Page.navigate", params, until_ms)
        .await
        .map_err(after)?;
    let refusal = browser
        .events
        .borrow_mut()
        .page
        .refused_pages
        .take_refusal();
    let error = answer.get("errorText").and_then(Value::as_str);
    match (error.filter(|error| !error.is_empty()), refusal) {
        (None, Some(words)) if browser.events.borrow().page.refused_pages.left() > left => {
            Err(ActionFailure::Refused(words))
        }
        // This refusal belongs to the navigation of the previous page, so the action has succeeded.
        (None, _) => Ok(Done::default()),
        (Some(_), Some(words)) => Err(ActionFailure::Refused(words)),
        (Some("net::ERR_BLOCKED_BY_CLIENT"), None) => {
            let words = "the page leads to an address that is refused";
            Err(ActionFailure::Refused(words.to_owned()))
        }
        (Some(error), None) => {
            let error: String = error.chars().take(100).collect();
            Err(ActionFailure::Failed(format!(
                "the page could not be opened: {error}"
            )))
        }
    }
}

async fn scroll<D: DevTools>(
    browser: &DrivenBrowser<D>,
    over: Option<&ElementLocator>,
    timeout_ms: u64,
    pixels: f64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let (x, y) = match over {
        None => browser.middle(),
        Some(locator) => {
            let wish = Aim::middle(locator, true);
            let found = wait_for(browser, &wish, timeout_ms, until_ms).await?;
            let measured = found.ok_or_else(|| missing(timeout_ms))?;
            if !measured.is_in_view {
                let words = "the element cannot be brought into the viewport";
                return Err(ActionFailure::Failed(words.to_owned()));
            }
            (measured.x, measured.y)
        }
    };
    let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": pixels});
    send_input(browser, MOUSE, vec![event], until_ms).await?;
    Ok(Done::default())
}

async fn scroll_to<D: DevTools>(
    browser: &DrivenBrowser<D>,
    locator: &ElementLocator,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let wish = Aim::middle(locator, true);
    let found = wait_for(browser, &wish, timeout_ms, until_ms).await?;
    let point = found.map(|measured| measured.point());
    Ok(Done {
        point,
        ..Done::default()
    })
}

/// Presses a key so many times, each time for `hold_ms`. If there is a target, it gets the focus first, as a click would
/// give it, but without a click.
async fn press_key<D: DevTools>(
    browser: &DrivenBrowser<D>,
    key: &TypedText,
    target: Option<&ElementTarget>,
    hold_ms: u64,
    times: u32,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let Some(combination) = Combination::parse(key.text.reveal()) else {
        let words = "the key's name is unknown; names are like enter, tab, escape, up, a, ctrl+l";
        return Err(ActionFailure::Failed(words.to_owned()));
    };
    let needed_ms = hold_ms.saturating_mul(u64::from(times));
    if browser.now_ms().saturating_add(needed_ms) >= until_ms {
        let words = "holding the key for so long takes longer than an action may take";
        return Err(ActionFailure::Failed(words.to_owned()));
    }
    if let Some(target) = target {
        focus_on(browser, target, until_ms).await?;
    }
    if key.origins.is_some() {
        if target.is_none() {
            forget(browser, until_ms).await?;
        }
        let focus = text_input::focus(browser, until_ms).await?;
        if let Some(words) = guard::refusal_to_type(key, &focus.origin) {
            return Err(ActionFailure::Refused(words));
        }
        let words = match focus.state.as_str() {
            "frame" => "the text has a secret, and the keys go to a frame of the page",
            "other" => "the text has a secret, and the page became another one",
            _ => "",
        };
        if !words.is_empty() {
            return Err(ActionFailure::Refused(words.to_owned()));
        }
    }
    for _ in 0..times {
        if hold_ms == 0 {
            send_input(browser, KEY, combination.events(), until_ms).await?;
            continue;
        }
        let (down, up) = combination.held_events();
        send_input(browser, KEY, down, until_ms).await?;
        let began_ms = browser.now_ms();
        // A key that is held repeats, like one of a keyboard.
        while let left_ms @ 1.. = hold_ms.saturating_sub(browser.now_ms().saturating_sub(began_ms))
        {
            let is_first = browser.now_ms() == began_ms;
            let pause_ms = if is_first { REPEAT_AFTER_MS } else { REPEAT_MS };
            browser
                .connection
                .devtools()
                .sleep(pause_ms.min(left_ms))
                .await;
            if pause_ms < left_ms {
                let again = combination.repeat_events();
                unknown_once(send_input(browser, KEY, again, until_ms).await)?;
            }
        }
        unknown_once(send_input(browser, KEY, up, until_ms).await)?;
    }
    Ok(Done::default())
}

/// Converts the failure of an event that follows others of the same action.
fn unknown_once(outcome: Result<(), ActionFailure>) -> Result<(), ActionFailure> {
    outcome.map_err(|failure| match failure {
        ActionFailure::BrowserGone(words) => ActionFailure::UnknownOutcome(words),
        other => other,
    })
}

/// Gives an element the focus, once it exists and can have it.
async fn focus_on<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let aim = Aim::middle(&target.locator, target.is_scrolled_to);
    let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
    loop {
        let left_ms = end_ms.saturating_sub(browser.now_ms());
        let found = wait_for(browser, &aim, left_ms, until_ms).await?;
        let measured = found.ok_or_else(|| missing(target.timeout_ms))?;
        let words = if let Some(lack) = measured.lack {
            format!("the element {lack}")
        } else {
            match browser
                .call_once("focusTarget", &Value::Null, until_ms)
                .await
            {
                Ok(Value::Bool(true)) => return Ok(()),
                Ok(_) | Err(ScriptError::Call(CallError::Refused(_))) => {
                    "the element cannot have the focus".to_owned()
                }
                Err(error) => return Err(script_failure(error)),
            }
        };
        let next_ms = browser.now_ms().saturating_add(FOCUS_AGAIN_MS);
        if next_ms > end_ms || next_ms >= until_ms {
            return Err(ActionFailure::Failed(format!(
                "{words}; no key was pressed"
            )));
        }
        browser.connection.devtools().sleep(FOCUS_AGAIN_MS).await;
    }
}

/// Reads the text, the value or an attribute of the first element that a locator finds, or of all of them.
async fn extract<D: DevTools>(
    browser: &DrivenBrowser<D>,
    locator: &ElementLocator,
    attribute: Option<&str>,
    is_list: bool,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(timeout_ms);
    let wish = json!({
        "by": locator.by.as_str(), "selector": locator.selector.reveal(), "attribute": attribute, "all": is_list,
        "reach": browser.mask.reach_units(),
    });
    loop {
        let answer = aiming::find(browser, "extract", locator, wish.clone(), until_ms).await?;
        let words = answer.get("words").and_then(Value::as_str);
        if let Some(values) = answer.get("values").and_then(Value::as_array) {
            let left = answer.get("left").and_then(Value::as_u64);
            if let Some(left @ 1..) = left {
                let remark = format!("{left} texts were left out: together they are too long.");
                browser.events.borrow_mut().remarks.add(&remark);
            }
            // A text is cut once secrets are hidden in it, so that no part of one is left at its end.
            let cut = |text: &str| browser.mask.shortened(text, READ_UNITS_MAX, "");
            return Ok(Done {
                values: values.iter().filter_map(Value::as_str).map(cut).collect(),
                ..Done::default()
            });
        }
        let next_ms = browser.now_ms().saturating_add(ELEMENT_AGAIN_MS);
        if next_ms > end_ms || next_ms >= until_ms {
            return match words {
                _ if is_list && words.is_none() => Ok(Done::default()),
                Some(words) => Err(ActionFailure::Failed(words.to_owned())),
                None => Err(missing(timeout_ms)),
            };
        }
        browser.connection.devtools().sleep(ELEMENT_AGAIN_MS).await;
    }
}

/// Returns the failure of an action that has not done what it was to do.
pub(crate) fn failed(words: &str) -> ActionFailure {
    ActionFailure::Failed(words.to_owned())
}

/// Lets keys go wherever the focus is in the page's own document.
pub(crate) async fn forget<D: DevTools>(
    browser: &DrivenBrowser<D>,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    *browser.aimed.borrow_mut() = None;
    let forgotten = browser.script("forget", &Value::Null, until_ms).await;
    forgotten.map(drop).map_err(script_failure)
}

/// Returns the box that an action uses if its element is missing. Fails if the target has no such box.
pub(crate) fn fallback_box(target: &ElementTarget) -> Result<&Area, ActionFailure> {
    match &target.fallback {
        Some(Fallback::Taken(area)) => Ok(area),
        None => Err(missing(target.timeout_ms)),
        Some(Fallback::Refused(why)) => {
            let words = missing_words(target.timeout_ms);
            let words = format!("{words}; its fallback is not used, since {why}");
            Err(ActionFailure::Failed(words))
        }
    }
}

/// Returns the failure of an action whose element is missing.
pub(crate) fn missing(timeout_ms: u64) -> ActionFailure {
    ActionFailure::Failed(missing_words(timeout_ms))
}

fn missing_words(timeout_ms: u64) -> String {
    format!("there is no such element, and there was none for {timeout_ms} ms")
}

/// Converts the failure of a script function that changes nothing on the page.
pub(crate) fn script_failure(error: ScriptError) -> ActionFailure {
    match error {
        ScriptError::Thrown => ActionFailure::Failed(ScriptError::Thrown.into_words()),
        // The script was refused because the page kept navigating.
        ScriptError::Call(CallError::Refused(words)) => ActionFailure::Failed(words),
        ScriptError::Call(error) => before(error),
    }
}

/// Converts the failure of a command that changes nothing on the page.
pub(crate) fn before(error: CallError) -> ActionFailure {
    match error {
        CallError::Refused(words) => ActionFailure::Failed(words),
        CallError::Unsent(words) | CallError::Unanswered(words) => {
            ActionFailure::BrowserGone(words)
        }
    }
}

/// Converts the failure of a command that may have executed the action.
pub(crate) fn after(error: CallError) -> ActionFailure {
    match error {
        CallError::Unsent(words) => ActionFailure::BrowserGone(words),
        CallError::Unanswered(words) | CallError::Refused(words) => {
            ActionFailure::UnknownOutcome(words)
        }
    }
}

/// Sends input events in order. If any but the first fails, the outcome is unknown, since the events before it may have
/// had effects.
pub(crate) async fn send_input<D: DevTools>(
    browser: &DrivenBrowser<D>,
    method: &'static str,
    events: Vec<Value>,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let session = browser.place().session;
    let command = |event| Command::to_page(&session, method, event);
    let commands = events.into_iter().map(command).collect();
    let results = browser.connection.call_all(commands, until_ms).await;
    for (at, result) in results.into_iter().enumerate() {
        match result {
            Ok(_) => {}
            Err(error) if at == 0 => return Err(after(error)),
            Err(error) => return Err(ActionFailure::UnknownOutcome(error.into_words())),
        }
    }
    Ok(())
}
