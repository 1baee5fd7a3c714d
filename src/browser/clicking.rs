//! A click: on the element that is meant, or on nothing.

use serde_json::{Value, json};

use crate::page::{ActionFailure, Area, Done, ElementTarget, MouseButton, Point};

use super::connection::CallError;
use super::devtools::DevTools;
use super::driven::DrivenBrowser;
use super::pointing::{self, Aim, Measured};
use super::sending::{before, send_input};
use super::world::ScriptError;

/// How often a press is tried on an element that moves away under the pointer.
const PRESSES_MAX: u32 = 6;
/// How long something that lies above an element is given to go away, in milliseconds.
const OBSTACLE_MS_MAX: u64 = 1_000;
/// How soon a covered element is looked at again.
const AGAIN_MS: u64 = 50;

const SLIPPED: &str =
    "the button went down on the element, which moved away before the button came up";
const MOUSE: &str = "Input.dispatchMouseEvent";

/// What came of a press.
enum Press {
    /// It reached the element.
    Done(Point),
    /// It reached nothing, since the element had moved or gone.
    Missed,
    /// It was not sent, since something is in the way.
    Hindered(String),
}

/// Clicks an element at a share of its width and half its height; where it is not there, the box of the
/// fallback.
pub(super) async fn click<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    button: MouseButton,
    percentage: f64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let aim = Aim {
        locator: &target.locator,
        percentage,
        is_scrolled_to: target.is_scrolled_to,
    };
    let mut hindered_until_ms = None;
    let mut missed = 0;
    let mut timeout_ms = target.timeout_ms;
    loop {
        let found = pointing::wait_for(browser, &aim, timeout_ms, until_ms).await?;
        let Some(measured) = found else {
            return match &target.fallback {
                Some(area) if missed == 0 => {
                    let point = area.point(percentage);
                    click_point(
                        browser,
                        point,
                        area,
                        target.is_scrolled_to,
                        button,
                        until_ms,
                    )
                    .await
                }
                _ => Err(pointing::missing(target.timeout_ms)),
            };
        };
        let words = match press(browser, &measured, button, until_ms).await? {
            Press::Done(point) => {
                return Ok(Done {
                    point: Some(point),
                    has_fallen_back: false,
                });
            }
            Press::Missed => {
                missed += 1;
                timeout_ms = 0;
                if missed < PRESSES_MAX {
                    continue;
                }
                "the element moves away under the pointer; nothing was clicked".to_owned()
            }
            Press::Hindered(words) => {
                let now_ms = browser.now_ms();
                let patience_ms = OBSTACLE_MS_MAX.min(target.timeout_ms);
                let end_ms = *hindered_until_ms.get_or_insert(now_ms.saturating_add(patience_ms));
                if now_ms < end_ms.min(until_ms) {
                    browser.connection.devtools().sleep(AGAIN_MS).await;
                    continue;
                }
                words
            }
        };
        return Err(ActionFailure::Failed(words));
    }
}

/// Moves the pointer to the element, measures it again, and presses the button there.
async fn press<D: DevTools>(
    browser: &DrivenBrowser<D>,
    measured: &Measured,
    button: MouseButton,
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

/// Clicks a point of the document, whatever is there.
async fn click_point<D: DevTools>(
    browser: &DrivenBrowser<D>,
    point: Point,
    area: &Area,
    is_scrolled_to: bool,
    button: MouseButton,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let forgotten = browser.script("forget", &Value::Null, until_ms).await;
    forgotten.map_err(pointing::script_failure)?;
    let wish = json!({"x": point.x, "y": point.y, "scrolls": is_scrolled_to});
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
    press_at(browser, shown.x, shown.y, button, until_ms).await?;
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
