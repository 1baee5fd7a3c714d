//! Executes actions on a page. Each action is executed once, and its outcome is reported honestly. A click reaches the
//! intended element, or nothing.

use domain::page::{
    ActionFailure, Area, BrowserGone, Direction, Done, ElementLocator, ElementTarget, Fallback,
    MouseButton, PIXELS_A_NOTCH, PageAction, Point, TypedText,
};
use serde_json::{Value, json};

use crate::connection::{CallError, Command, DevTools};
use crate::driven_browser::DrivenBrowser;
use crate::keys::Combination;
use crate::look::{ELEMENT_AGAIN_MS, described};
use crate::world::ScriptError;
use crate::{guard, text_input};

/// The longest address to open, in bytes.
const ADDRESS_BYTES_MAX: usize = 8_192;
/// The most notches by which one action turns the wheel.
const NOTCHES_MAX: f64 = 1_000.0;
/// The least number of presses that are tried on an element that moves away under the pointer.
const PRESSES_MIN: u32 = 6;
/// How long a press waits for a fast-moving element to stand still, in milliseconds. An element that never stands still
/// is pressed while it moves. The page's script ensures that the press reaches no other element.
const MOVING_MS_MAX: u64 = 1_000;
/// The pause before an element that cannot be clicked yet is measured again, in milliseconds.
const PRESS_AGAIN_MS: u64 = 50;
/// The part of the call's time reserved for the press itself, in milliseconds.
const PRESS_MS: u64 = 1_000;
const MOVES: &str = "the element does not stand still";
const MOVES_AWAY: &str = "the element moves away under the pointer";
const SLIPPED: &str =
    "the button went down on the element, which moved away before the button came up";
const MOUSE: &str = "Input.dispatchMouseEvent";
/// How far an element must move between two measurements to count as fast-moving, as a share of its size.
const FAR_SHARE: f64 = 0.25;

/// Executes an action on the page, once.
pub(crate) async fn act<D: DevTools>(
    browser: &DrivenBrowser<D>,
    action: &PageAction,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let left = browser.wait_until_left(until_ms).await;
    left.map_err(|BrowserGone(words)| ActionFailure::BrowserGone(words))?;
    browser.note_cause();
    let outcome = match action {
        PageAction::Navigate { url } => navigate(browser, url, until_ms).await,
        PageAction::Click {
            target,
            button,
            percentage,
        } => click(browser, target, *button, *percentage, until_ms).await,
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
        PageAction::PressKey { key } => press_key(browser, key, until_ms).await,
    };
    browser.note_cause();
    outcome
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
    browser.events.borrow_mut().refused_pages.take_refusal();
    let left = browser.events.borrow().refused_pages.left();
    let answer = browser
        .command("Page.navigate", params, until_ms)
        .await
        .map_err(after)?;
    let refusal = browser.events.borrow_mut().refused_pages.take_refusal();
    let error = answer.get("errorText").and_then(Value::as_str);
    match (error.filter(|error| !error.is_empty()), refusal) {
        (None, Some(words)) if browser.events.borrow().refused_pages.left() > left => {
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
    let point = found.map(|measured| Point {
        x: measured.x + measured.left,
        y: measured.y + measured.top,
    });
    Ok(Done {
        point,
        has_fallen_back: false,
    })
}

async fn press_key<D: DevTools>(
    browser: &DrivenBrowser<D>,
    key: &TypedText,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let Some(combination) = Combination::parse(key.text.reveal()) else {
        let words = "the key's name is unknown; names are like enter, tab, escape, up, a, ctrl+l";
        return Err(ActionFailure::Failed(words.to_owned()));
    };
    if key.origins.is_some() {
        let forgotten = browser.script("forget", &Value::Null, until_ms).await;
        forgotten.map_err(script_failure)?;
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
    let events = combination.events();
    send_input(browser, "Input.dispatchKeyEvent", events, until_ms).await?;
    Ok(Done::default())
}

/// The outcome of a press.
enum Press {
    /// The press reached the element.
    Done(Point),
    /// The press reached nothing, since the element had moved or disappeared.
    Missed,
    /// The press was not sent, since the element is not clickable or something is in the way.
    Hindered(String),
}

/// A click that an action requests.
struct Click<'target> {
    target: &'target ElementTarget,
    button: MouseButton,
    /// Where to click in the element, horizontally, as a share of its width.
    percentage: f64,
}

/// Clicks an element at a share of its width and half its height, once it exists, is visible and enabled, and receives
/// clicks at that point. If it does not appear within the action's timeout, clicks the fallback's box.
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
    let end_ms = began_ms
        .saturating_add(target.timeout_ms)
        .min(until_ms.saturating_sub(PRESS_MS));
    let waited_ms = || browser.now_ms().saturating_sub(began_ms);
    let still_until_ms = end_ms.min(began_ms.saturating_add(MOVING_MS_MAX));
    let (mut missed, mut last_words) = (0, None::<String>);
    loop {
        let left_ms = end_ms.saturating_sub(browser.now_ms());
        let found = wait_for(browser, &aim, left_ms, until_ms).await?;
        let Some(measured) = found else {
            return match last_words {
                None => fall_back(browser, &click, until_ms).await,
                // The element did exist, so its place may show something else now, and the fallback's box is not
                // clicked.
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
            browser.connection.devtools().sleep(PRESS_AGAIN_MS).await;
        }
        last_words = Some(words);
    }
}

fn nothing_clicked(words: &str, waited_ms: u64) -> ActionFailure {
    ActionFailure::Failed(format!("{words}; nothing was clicked in {waited_ms} ms"))
}

/// Moves the pointer to the element, measures it again, and presses the button there. With `waits`, a fast-moving
/// element gets time to stand still.
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
    let event = json!({"type": "mouseMoved", "x": measured.x, "y": measured.y});
    browser
        .command(MOUSE, event, until_ms)
        .await
        .map_err(before)?;
    let call = browser
        .world
        .call_once(&browser.connection, "ready", &Value::Null, until_ms);
    let ready = match call.await {
        Ok(ready) => Measured::read(browser, &ready),
        // The page navigated, so the measured element belongs to the previous page.
        Err(ScriptError::Call(CallError::Refused(_))) => None,
        Err(error) => return Err(script_failure(error)),
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
    let call = browser
        .world
        .call_once(&browser.connection, "released", &Value::Null, until_ms);
    let released = match call.await {
        Ok(released) => released,
        // The page navigated after the press was sent, so the press has reached the previous page.
        Err(ScriptError::Call(CallError::Refused(_))) => return Ok(Press::Done(point)),
        Err(error) => return Err(ActionFailure::UnknownOutcome(error.into_words())),
    };
    let is_frame = released.get("isFrame").and_then(Value::as_bool) == Some(true);
    match released.get("came").and_then(Value::as_str) {
        Some("pressed") => Ok(Press::Done(point)),
        Some("missed") => Ok(Press::Missed),
        // Neither the inside of a frame nor the script of a page that has navigated meanwhile can report the press, so
        // it counts as done.
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

/// Clicks the middle of the fallback's box, whatever element is there.
async fn fall_back<D: DevTools>(
    browser: &DrivenBrowser<D>,
    click: &Click<'_>,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let area = fallback_box(click.target)?;
    let point = area.point(click.percentage);
    let forgotten = browser.script("forget", &Value::Null, until_ms).await;
    forgotten.map_err(script_failure)?;
    let wish = json!({"x": point.x, "y": point.y, "scrolls": click.target.is_scrolled_to});
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
    let event = json!({"type": "mouseMoved", "x": shown.x, "y": shown.y});
    browser
        .command(MOUSE, event, until_ms)
        .await
        .map_err(before)?;
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

/// A point in an element at which an action aims.
struct Aim<'a> {
    locator: &'a ElementLocator,
    /// Where the point is in the element, horizontally, as a share of its width.
    percentage: f64,
    /// Whether the page is scrolled until the point is visible.
    is_scrolled_to: bool,
}

impl<'a> Aim<'a> {
    /// Aims at the middle of an element.
    fn middle(locator: &'a ElementLocator, is_scrolled_to: bool) -> Self {
        Self {
            locator,
            percentage: 0.5,
            is_scrolled_to,
        }
    }
}

/// A measured point in an element. All lengths are in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    /// The distance of the point from the left of the viewport.
    pub x: f64,
    /// The distance of the point from the top of the viewport.
    pub y: f64,
    /// How far the page is scrolled to the right.
    pub left: f64,
    /// How far the page is scrolled down.
    pub top: f64,
    /// The width of the element's box.
    pub width: f64,
    /// The height of the element's box.
    pub height: f64,
    pub is_in_view: bool,
    /// What the element lacks for the action, as part of a sentence like `is disabled`; `None` if it lacks nothing.
    pub lack: Option<String>,
    /// A description of what receives clicks at this point instead of the element or its content; `None` if nothing
    /// does.
    pub above: Option<String>,
    /// Whether what receives clicks instead contains the element.
    pub is_around: bool,
}

impl Measured {
    /// Reads a measurement by the page's script; `None` if there is no element.
    pub(crate) fn read<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value) -> Option<Self> {
        let number = |name: &str| answer.get(name).and_then(Value::as_f64);
        let holds = |name: &str| answer.get(name).and_then(Value::as_bool) == Some(true);
        let above = answer.get("above").and_then(Value::as_array);
        let lack = answer.get("lack").and_then(Value::as_str);
        Some(Self {
            x: number("x")?,
            y: number("y")?,
            left: number("left").unwrap_or_default(),
            top: number("top").unwrap_or_default(),
            width: number("width").unwrap_or_default(),
            height: number("height").unwrap_or_default(),
            is_in_view: holds("inView"),
            lack: lack.map(str::to_owned),
            above: above.map(|parts| described(parts, &browser.mask)),
            is_around: holds("isAround"),
        })
    }

    /// Returns what hinders an action at this point, as part of a sentence; `None` if nothing does.
    pub(crate) fn obstacle(&self) -> Option<String> {
        match (&self.lack, &self.above) {
            (Some(lack), Some(above)) => Some(format!(
                "the element {lack}, and {above} lies where it would be clicked"
            )),
            (Some(lack), None) => Some(format!("the element {lack}")),
            (None, Some(above)) if self.is_around => Some(format!(
                "the point belongs to {above}, which is around the element"
            )),
            (None, Some(above)) => Some(format!("above the element lies {above}")),
            (None, None) => {
                (!self.is_in_view).then(|| "the point lies outside of the viewport".to_owned())
            }
        }
    }

    /// Returns whether the element has moved so far since the measurement `before` that it may leave the pointer before
    /// a click ends.
    fn has_left(&self, before: &Self) -> bool {
        let is_far = |from: f64, to: f64, size: f64| (to - from).abs() > size * FAR_SHARE;
        is_far(before.x, self.x, self.width) || is_far(before.y, self.y, self.height)
    }
}

/// Waits for an element to exist, for at most `timeout_ms`; `None` if it does not appear.
async fn wait_for<D: DevTools>(
    browser: &DrivenBrowser<D>,
    aim: &Aim<'_>,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Option<Measured>, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(timeout_ms);
    loop {
        let wish = json!({
            "by": aim.locator.by.as_str(), "selector": aim.locator.selector.reveal(),
            "percentage": aim.percentage, "scrolls": aim.is_scrolled_to,
        });
        let answer = browser
            .script("aim", &wish, until_ms)
            .await
            .map_err(script_failure)?;
        if answer.get("state").and_then(Value::as_str) == Some("bad") {
            let way = aim.locator.by.as_str();
            let words = format!("the selector is none of the kind \"{way}\" that can be read");
            return Err(ActionFailure::Failed(words));
        }
        let measured = Measured::read(browser, &answer);
        let next_ms = browser.now_ms().saturating_add(ELEMENT_AGAIN_MS);
        if measured.is_some() || next_ms > end_ms || next_ms >= until_ms {
            return Ok(measured);
        }
        browser.connection.devtools().sleep(ELEMENT_AGAIN_MS).await;
    }
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
fn before(error: CallError) -> ActionFailure {
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
    let command = |event| Command::to_page(&browser.place.session, method, event);
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
