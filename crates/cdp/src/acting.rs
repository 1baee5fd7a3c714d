//! What is done on a page: each action once, and told as what it was.

use serde_json::{Value, json};

use domain::page::{
    ActionFailure, BrowserGone, Direction, Done, ElementLocator, PIXELS_A_NOTCH, PageAction, Point,
    TypedText,
};

use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::keys::Combination;
use crate::pointing::{self, Aim};
use crate::sending::{after, send_input};
use crate::{clicking, guard, typing};

/// The longest address that is opened, in bytes.
const ADDRESS_BYTES_MAX: usize = 8_192;
/// The most notches that the wheel is turned at once.
const NOTCHES_MAX: f64 = 1_000.0;

/// Does something on the page, once.
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
        } => clicking::click(browser, target, *button, *percentage, until_ms).await,
        PageAction::Type {
            target,
            text,
            interval_ms,
        } => typing::type_text(browser, target, text, *interval_ms, until_ms).await,
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
    // What was refused before was where another page led.
    browser.events.borrow_mut().refused_pages.take_refusal();
    let left = browser.events.borrow().refused_pages.left();
    let answer = browser.command("Page.navigate", params, until_ms).await;
    let answer = answer.map_err(after)?;
    let refusal = browser.events.borrow_mut().refused_pages.take_refusal();
    let error = answer.get("errorText").and_then(Value::as_str);
    match (error.filter(|error| !error.is_empty()), refusal) {
        (None, Some(words)) if browser.events.borrow().refused_pages.left() > left => {
            Err(ActionFailure::Refused(words))
        }
        // What was refused meanwhile was where the page before it led.
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
            let found = pointing::wait_for(browser, &wish, timeout_ms, until_ms).await?;
            let measured = found.ok_or_else(|| pointing::missing(timeout_ms))?;
            if !measured.is_in_view {
                let words = "the element cannot be brought into the viewport";
                return Err(ActionFailure::Failed(words.to_owned()));
            }
            (measured.x, measured.y)
        }
    };
    let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": pixels});
    send_input(browser, "Input.dispatchMouseEvent", vec![event], until_ms).await?;
    Ok(Done::default())
}

async fn scroll_to<D: DevTools>(
    browser: &DrivenBrowser<D>,
    locator: &ElementLocator,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let wish = Aim::middle(locator, true);
    let found = pointing::wait_for(browser, &wish, timeout_ms, until_ms).await?;
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
        forgotten.map_err(pointing::script_failure)?;
        let focus = typing::focus(browser, until_ms).await?;
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
