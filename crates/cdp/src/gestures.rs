//! What the mouse does to an element: a click, a double click, resting on it, taking it up. It reaches the intended
//! element, or nothing.

use domain::page::{ActionFailure, Done, ElementTarget, MouseButton};
use serde_json::{Value, json};

use crate::actions::{MOUSE, before, fallback_box, forget, missing, script_failure, send_input};
use crate::aiming::{self, Aim, Measured};
use crate::connection::{CallError, DevTools};
use crate::driven_browser::DrivenBrowser;
use crate::world::ScriptError;

/// The least number of presses that are tried on an element that moves away under the pointer.
const PRESSES_MIN: u32 = 6;
/// How long a press waits for a fast-moving element to stand still, in milliseconds. An element that never stands still
/// is pressed while it moves. The page's script ensures that the press reaches no other element.
const MOVING_MS_MAX: u64 = 1_000;
/// How long an element's middle may be covered before a gesture goes to another point of it, in milliseconds.
const COVERED_MS: u64 = 300;
/// The pause before an element that cannot be clicked yet is measured again, in milliseconds.
const PRESS_AGAIN_MS: u64 = 50;
/// The part of the call's time reserved for the press itself, in milliseconds.
const PRESS_MS: u64 = 1_000;
/// How long a page has to react to a click or a drag before it counts as one that changed nothing, in milliseconds.
pub(crate) const EFFECT_MS: u64 = 100;
/// The most times that a box is read until it is as wanted, and the pause between, in milliseconds.
const BOX_READS_MAX: u32 = 20;
const BOX_AGAIN_MS: u64 = 50;
const MOVES: &str = "the element does not stand still";
const MOVES_AWAY: &str = "the element moves away under the pointer";
const SLIPPED: &str =
    "the button went down on the element, which moved away before the button came up";
const NO_BOX: &str = "the element is no box, switch or radio button; nothing was clicked";
const RADIO: &str =
    "a radio button is unchecked by checking another one of its group; nothing was clicked";
const GONE_AT_SECOND: &str =
    "the first click of two reached the element, which was no longer there at the second";

/// What the mouse does to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// It clicks so many times in quick succession.
    Click { button: MouseButton, clicks: u32 },
    /// It moves over the element and stays there.
    Hover,
    /// The left button goes down on the element and stays down.
    Grab,
}

impl Gesture {
    /// A click as people make it most often.
    pub(crate) const LEFT_CLICK: Self = Self::Click {
        button: MouseButton::Left,
        clicks: 1,
    };

    /// Returns what did not happen, for a failure.
    fn undone(self) -> &'static str {
        match self {
            Self::Click { .. } => "nothing was clicked",
            Self::Hover => "the mouse is not on it",
            Self::Grab => "nothing was dragged",
        }
    }
}

/// The outcome of a try.
enum Try {
    /// It reached the element.
    Done(Done),
    /// It reached nothing, since the element had moved or disappeared.
    Missed,
    /// It was not tried, since the element cannot be acted on or something is in the way.
    Hindered(String),
}

/// Performs a gesture at a share of an element's width and half its height, once the element exists, is visible and
/// enabled, and receives clicks at that point. If it does not appear within the action's timeout, performs it in the
/// fallback's box.
pub(crate) async fn perform<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    percentage: f64,
    gesture: Gesture,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    perform_on(browser, target, "aim", percentage, gesture, until_ms).await
}

/// Performs a gesture on what a function of the page's script finds for the target.
pub(crate) async fn perform_on<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    function: &str,
    percentage: f64,
    gesture: Gesture,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let mut aim = Aim {
        locator: &target.locator,
        percentage,
        is_scrolled_to: target.is_scrolled_to,
        is_elsewhere: false,
    };
    let began_ms = browser.now_ms();
    let end_ms = began_ms
        .saturating_add(target.timeout_ms)
        .min(until_ms.saturating_sub(PRESS_MS));
    let undone = |words: &str| {
        let waited_ms = browser.now_ms().saturating_sub(began_ms);
        let undone = gesture.undone();
        ActionFailure::Failed(format!("{words}; {undone} in {waited_ms} ms"))
    };
    let still_until_ms = end_ms.min(began_ms.saturating_add(MOVING_MS_MAX));
    let (mut missed, mut last_words) = (0, None::<String>);
    loop {
        let left_ms = end_ms.saturating_sub(browser.now_ms());
        aim.is_elsewhere = browser.now_ms() >= began_ms.saturating_add(COVERED_MS);
        let found = aiming::wait_with(browser, &aim, function, left_ms, until_ms).await?;
        let Some(measured) = found else {
            return match last_words {
                None => fall_back(browser, target, percentage, gesture, until_ms).await,
                // The element did exist, so its place may show something else now, and the fallback's box is not
                // used.
                Some(words) => Err(undone(&words)),
            };
        };
        let waits = browser.now_ms() < still_until_ms;
        let (words, is_tried_again) =
            match try_at(browser, &measured, gesture, waits, until_ms).await? {
                Try::Done(done) => return Ok(done),
                Try::Missed => {
                    missed += 1;
                    (MOVES_AWAY.to_owned(), missed < PRESSES_MIN)
                }
                Try::Hindered(words) => (words, false),
            };
        let now_ms = browser.now_ms();
        if !is_tried_again {
            if now_ms >= end_ms {
                return Err(undone(&words));
            }
            browser.connection.devtools().sleep(PRESS_AGAIN_MS).await;
        }
        last_words = Some(words);
    }
}

/// Moves the pointer to the element, measures it again, and performs the gesture there. With `waits`, a fast-moving
/// element gets time to stand still.
async fn try_at<D: DevTools>(
    browser: &DrivenBrowser<D>,
    measured: &Measured,
    gesture: Gesture,
    waits: bool,
    until_ms: u64,
) -> Result<Try, ActionFailure> {
    if let Some(words) = measured.obstacle() {
        return Ok(Try::Hindered(words));
    }
    move_to(browser, measured, until_ms).await?;
    let arms = gesture != Gesture::Hover;
    let wish = json!({"arms": arms});
    let ready = match browser.call_once("ready", &wish, until_ms).await {
        Ok(ready) => Measured::read(browser, &ready),
        // The page navigated, so the measured element belongs to the previous page.
        Err(ScriptError::Call(CallError::Refused(_))) => None,
        Err(error) => return Err(script_failure(error)),
    };
    let ready = match ready {
        Some(ready) => aiming::outward(browser, ready, false, arms, until_ms).await?,
        None => None,
    };
    let Some(ready) = ready else {
        return Ok(Try::Missed);
    };
    if let Some(words) = ready.obstacle() {
        return Ok(Try::Hindered(words));
    }
    if waits && ready.has_left(measured) {
        return Ok(Try::Hindered(MOVES.to_owned()));
    }
    let (button, clicks) = match gesture {
        Gesture::Click { button, clicks } => (button, clicks),
        Gesture::Hover => return Ok(Try::Done(Done::at(ready.point()))),
        Gesture::Grab => (MouseButton::Left, 0),
    };
    let activity = browser.events.borrow().activity;
    browser.events.borrow_mut().downloads.open();
    browser.events.borrow_mut().is_button_down = gesture == Gesture::Grab;
    match send_presses(browser, &ready, button, clicks, until_ms).await {
        // The button went down, and the page has closed its tab then, as pages to sign in at do.
        Err(ActionFailure::UnknownOutcome(_)) if browser.events.borrow().is_page_lost => {
            return Ok(Try::Done(Done::at(ready.point())));
        }
        sent => sent?,
    }
    let has_changed = aiming::disarm(browser, until_ms).await;
    settle(browser, &ready, gesture, activity, has_changed, until_ms).await
}

/// Asks the page's script what came of a press that was sent.
async fn settle<D: DevTools>(
    browser: &DrivenBrowser<D>,
    ready: &Measured,
    gesture: Gesture,
    activity: u64,
    has_changed: bool,
    until_ms: u64,
) -> Result<Try, ActionFailure> {
    let mut done = Done::at(ready.point());
    let is_active = || browser.events.borrow().activity != activity;
    let waits = matches!(gesture, Gesture::Click { .. }) && !has_changed && !is_active();
    let wish = json!({"waits": if waits { EFFECT_MS } else { 0 }});
    let released = match browser.call_once("released", &wish, until_ms).await {
        Ok(released) => released,
        // The page navigated after the press was sent, so the press has reached the previous page.
        Err(ScriptError::Call(CallError::Refused(_))) => return Ok(Try::Done(done)),
        Err(_) if browser.events.borrow().is_page_lost => return Ok(Try::Done(done)),
        Err(error) => return Err(ActionFailure::UnknownOutcome(error.into_words())),
    };
    let holds = |name: &str| released.get(name).and_then(Value::as_bool) == Some(true);
    let is_frame = holds("isFrame");
    match released.get("came").and_then(Value::as_str) {
        Some("missed") => Ok(Try::Missed),
        // Neither the inside of a frame nor the script of a page that has navigated meanwhile can report the press, so
        // it counts as done.
        Some("armed") if !is_frame => {
            let words =
                "the press was sent, and did not reach the element as far as it can be seen";
            Err(ActionFailure::UnknownOutcome(words.to_owned()))
        }
        Some("slipped") => Err(ActionFailure::UnknownOutcome(SLIPPED.to_owned())),
        Some("gone") => Err(ActionFailure::Failed(GONE_AT_SECOND.to_owned())),
        _ => {
            done.is_unchanged = waits && holds("unchanged") && !is_active();
            Ok(Try::Done(done))
        }
    }
}

/// Performs a gesture in the middle of the fallback's box, whatever element is there.
async fn fall_back<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    percentage: f64,
    gesture: Gesture,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let area = fallback_box(target)?;
    let point = area.point(percentage);
    forget(browser, until_ms).await?;
    let wish = json!({"x": point.x, "y": point.y, "scrolls": target.is_scrolled_to});
    let answer = browser
        .script("show", &wish, until_ms)
        .await
        .map_err(script_failure)?;
    let shown = Measured::read(browser, &answer).filter(|shown| shown.is_in_view);
    let Some(shown) = shown else {
        let words = format!(
            "the element is not there, and its box at {}, {} lies outside of the page",
            area.x, area.y
        );
        return Err(ActionFailure::Failed(words));
    };
    move_to(browser, &shown, until_ms).await?;
    if let Gesture::Click { button, clicks } = gesture {
        send_presses(browser, &shown, button, clicks, until_ms).await?;
    }
    Ok(Done {
        has_fallen_back: true,
        ..Done::at(point)
    })
}

async fn move_to<D: DevTools>(
    browser: &DrivenBrowser<D>,
    at: &Measured,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let event = json!({"type": "mouseMoved", "x": at.x, "y": at.y});
    let moved = browser.command(MOUSE, event, until_ms).await;
    moved.map(drop).map_err(before)
}

/// Presses and releases a button so many times. With no click at all, the button only goes down.
async fn send_presses<D: DevTools>(
    browser: &DrivenBrowser<D>,
    at: &Measured,
    button: MouseButton,
    clicks: u32,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let event = |kind: &str, count: u32| {
        json!({
            "type": kind, "x": at.x, "y": at.y, "button": button.as_str(), "clickCount": count,
        })
    };
    let mut events = Vec::new();
    for click in 1..=clicks.max(1) {
        events.push(event("mousePressed", click));
        if clicks > 0 {
            events.push(event("mouseReleased", click));
        }
    }
    send_input(browser, MOUSE, events, until_ms).await
}

/// Checks or unchecks a box, switch or radio button by a click, unless it is already as wanted. A box that is drawn by
/// its label is clicked there.
pub(crate) async fn check<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    is_checked: bool,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let aim = Aim::middle(&target.locator, target.is_scrolled_to);
    let found = aiming::wait_with(browser, &aim, "aimBox", target.timeout_ms, until_ms).await?;
    if found.is_none() {
        return Err(missing(target.timeout_ms));
    }
    let word = if is_checked { "checked" } else { "unchecked" };
    let mut done = None;
    for _ in 0..BOX_READS_MAX {
        let answer = match browser.call_once("boxState", &Value::Null, until_ms).await {
            Ok(answer) => answer,
            // A click may lead to another page.
            Err(ScriptError::Call(CallError::Refused(_))) if done.is_some() => {
                return Ok(done.unwrap_or_default());
            }
            Err(error) => return Err(script_failure(error)),
        };
        let state = answer.get("isChecked").and_then(Value::as_bool);
        if state == Some(is_checked) {
            return Ok(done.unwrap_or_default());
        }
        let is_radio = answer.get("isRadio").and_then(Value::as_bool) == Some(true);
        match (state, &done) {
            // A box that is gone after the click cannot be read any more.
            (None, Some(_)) => return Ok(done.unwrap_or_default()),
            (None, None) => return Err(ActionFailure::Failed(NO_BOX.to_owned())),
            (Some(true), None) if is_radio => {
                return Err(ActionFailure::Failed(RADIO.to_owned()));
            }
            (Some(_), Some(_)) => browser.connection.devtools().sleep(BOX_AGAIN_MS).await,
            (Some(_), None) => {
                let gesture = Gesture::Click {
                    button: MouseButton::Left,
                    clicks: 1,
                };
                let clicked = perform_on(browser, target, "aimBox", 0.5, gesture, until_ms).await?;
                done = Some(Done {
                    is_unchanged: false,
                    ..clicked
                });
            }
        }
    }
    Err(ActionFailure::Failed(format!(
        "it was clicked, and it is not {word}"
    )))
}
