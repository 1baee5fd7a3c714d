//! A click: on the element that is meant, or on nothing.

use serde_json::{Value, json};

use domain::page::{ActionFailure, Done, ElementTarget, MouseButton, Point};

use crate::connection::CallError;
use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::pointing::{self, Aim, Measured};
use crate::sending::{before, send_input};
use crate::world::ScriptError;

/// How often a press is tried at least on an element that moves away under the pointer.
const PRESSES_MIN: u32 = 6;
/// How long a press waits for an element that moves fast to stand still, in milliseconds. One that never
/// stands still is pressed as it moves: the page's script lets the press reach it alone.
const MOVING_MS_MAX: u64 = 1_000;
/// How soon an element is measured again that cannot be clicked yet, in milliseconds.
const AGAIN_MS: u64 = 50;
/// The end of the time of the call that is left to the press itself, in milliseconds.
const PRESS_MS: u64 = 1_000;

const MOVES: &str = "the element does not stand still";
const MOVES_AWAY: &str = "the element moves away under the pointer";
const SLIPPED: &str =
    "the button went down on the element, which moved away before the button came up";
const MOUSE: &str = "Input.dispatchMouseEvent";

/// What came of a press.
enum Press {
    /// It reached the element.
    Done(Point),
    /// It reached nothing, since the element had moved or gone.
    Missed,
    /// It was not sent, since the element is not what a click needs, or something is in the way.
    Hindered(String),
}

/// A click that is wanted.
struct Click<'target> {
    target: &'target ElementTarget,
    button: MouseButton,
    /// The place in the element: its share of the width.
    percentage: f64,
}

/// Clicks an element at a share of its width and half its height, once it is there, shown, enabled, and what gets
/// a click at its point; where it is not there as long as the action's timeout says, the box of the fallback.
pub(crate) async fn click<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    button: MouseButton,
    percentage: f64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let click = Click {
        target,
        button,
        percentage,
    };
    let aim = Aim {
        locator: &target.locator,
        percentage,
        is_scrolled_to: target.is_scrolled_to,
    };
    let began_ms = browser.now_ms();
    let end_ms = began_ms.saturating_add(target.timeout_ms);
    let end_ms = end_ms.min(until_ms.saturating_sub(PRESS_MS));
    let waited_ms = || browser.now_ms().saturating_sub(began_ms);
    let still_until_ms = end_ms.min(began_ms.saturating_add(MOVING_MS_MAX));
    let (mut missed, mut last_words) = (0, None::<String>);
    loop {
        let left_ms = end_ms.saturating_sub(browser.now_ms());
        let found = pointing::wait_for(browser, &aim, left_ms, until_ms).await?;
        let Some(measured) = found else {
            return match last_words {
                None => fall_back(browser, &click, until_ms).await,
                // It was there: what its place shows now is something else.
                Some(words) => Err(nothing_clicked(&words, waited_ms())),
            };
        };
        let waits = browser.now_ms() < still_until_ms;
        let (words, is_tried_again) =
            match press(browser, &measured, button, waits, until_ms).await? {
                Press::Done(point) => {
                    return Ok(Done {
                        point: Some(point),
                        has_fallen_back: false,
                    });
                }
                Press::Missed => {
                    missed += 1;
                    (MOVES_AWAY.to_owned(), missed < PRESSES_MIN)
                }
                Press::Hindered(words) => (words, false),
            };
        let now_ms = browser.now_ms();
        if !is_tried_again {
            if now_ms >= end_ms {
                return Err(nothing_clicked(&words, waited_ms()));
            }
            browser.connection.devtools().sleep(AGAIN_MS).await;
        }
        last_words = Some(words);
    }
}

fn nothing_clicked(words: &str, waited_ms: u64) -> ActionFailure {
    ActionFailure::Failed(format!("{words}; nothing was clicked in {waited_ms} ms"))
}

/// Moves the pointer to the element, measures it again, and presses the button there. `waits` says whether an
/// element that moves fast is given time to stand still.
async fn press<D: DevTools>(
    browser: &DrivenBrowser<D>,
    measured: &Measured,
    button: MouseButton,
    waits: bool,
    until_ms: u64,
) -> Result<Press, ActionFailure> {
    if let Some(words) = measured.obstacle() {
        return Ok(Press::Hindered(words));
    }
    let moved = json!({"type": "mouseMoved", "x": measured.x, "y": measured.y});
    let moved = browser.command(MOUSE, moved, until_ms).await;
    moved.map_err(before)?;
    let ready = browser
        .world
        .call_once(&browser.connection, "ready", &Value::Null, until_ms);
    let ready = match ready.await {
        Ok(ready) => Measured::read(browser, &ready),
        // The page became another one: its element is another one, too.
        Err(ScriptError::Call(CallError::Refused(_))) => None,
        Err(error) => return Err(pointing::script_failure(error)),
    };
    let Some(ready) = ready else {
        return Ok(Press::Missed);
    };
    if let Some(words) = ready.obstacle() {
        return Ok(Press::Hindered(words));
    }
    if waits && ready.has_left(measured) {
        return Ok(Press::Hindered(MOVES.to_owned()));
    }
    press_at(browser, ready.x, ready.y, button, until_ms).await?;
    let point = Point {
        x: ready.x + ready.left,
        y: ready.y + ready.top,
    };
    let released = browser
        .world
        .call_once(&browser.connection, "released", &Value::Null, until_ms);
    let released = match released.await {
        Ok(released) => released,
        // The press reached the page, which became another one.
        Err(ScriptError::Call(CallError::Refused(_))) => return Ok(Press::Done(point)),
        Err(error) => return Err(ActionFailure::UnknownOutcome(error.into_words())),
    };
    let is_frame = released.get("isFrame").and_then(Value::as_bool) == Some(true);
    match released.get("came").and_then(Value::as_str) {
        Some("pressed") => Ok(Press::Done(point)),
        Some("missed") => Ok(Press::Missed),
        // What happens in a frame is not seen from here, and neither is the script of a page that
        // became another one in the meantime.
        _ if is_frame || released.is_null() => Ok(Press::Done(point)),
        Some("armed") => {
            let words =
                "the press was sent, and did not reach the element as far as it can be seen";
            Err(ActionFailure::UnknownOutcome(words.to_owned()))
        }
        Some("slipped") => Err(ActionFailure::UnknownOutcome(SLIPPED.to_owned())),
        _ => Ok(Press::Done(point)),
    }
}

/// Clicks the box of the fallback, whatever is there.
async fn fall_back<D: DevTools>(
    browser: &DrivenBrowser<D>,
    click: &Click<'_>,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let area = pointing::fallback_box(click.target)?;
    let point = area.point(click.percentage);
    let forgotten = browser.script("forget", &Value::Null, until_ms).await;
    forgotten.map_err(pointing::script_failure)?;
    let wish = json!({"x": point.x, "y": point.y, "scrolls": click.target.is_scrolled_to});
    let shown = browser.script("show", &wish, until_ms).await;
    let shown = shown.map_err(pointing::script_failure)?;
    let shown = Measured::read(browser, &shown).filter(|shown| shown.is_in_view);
    let Some(shown) = shown else {
        let words = format!(
            "the element is not there, and its box at {}, {} lies outside of the page",
            area.x, area.y
        );
        return Err(ActionFailure::Failed(words));
    };
    let moved = json!({"type": "mouseMoved", "x": shown.x, "y": shown.y});
    let moved = browser.command(MOUSE, moved, until_ms).await;
    moved.map_err(before)?;
    press_at(browser, shown.x, shown.y, click.button, until_ms).await?;
    Ok(Done {
        point: Some(point),
        has_fallen_back: true,
    })
}

async fn press_at<D: DevTools>(
    browser: &DrivenBrowser<D>,
    x: f64,
    y: f64,
    button: MouseButton,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let event = |kind: &str| json!({"type": kind, "x": x, "y": y, "button": button.as_str(), "clickCount": 1});
    let events = vec![event("mousePressed"), event("mouseReleased")];
    send_input(browser, MOUSE, events, until_ms).await
}
