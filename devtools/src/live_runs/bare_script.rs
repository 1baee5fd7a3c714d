//! Repeats the actions of a run over the bare protocol without waits, which takes the least possible time.

use serde_json::{Value, json};

use cdp::{Combination, Key, clearing};
use domain::page::{By, MouseButton, PIXELS_A_NOTCH, Point};

use super::bare_page::BarePage;
use super::deeds::{Deed, Found};

const MOUSE: &str = "Input.dispatchMouseEvent";
const KEY: &str = "Input.dispatchKeyEvent";

/// Repeats an action on a page, as the shortest script would.
pub(super) async fn repeat(page: &BarePage, deed: &Deed) -> Result<(), String> {
    match deed {
        Deed::Open(url) => page.navigate(url).await,
        Deed::Click(found, percentage, button, clicks) => {
            click(page, found, *percentage, *button, *clicks).await
        }
        Deed::Hover(found) => {
            let (x, y) = point(page, found, 0.5).await?;
            let moved = json!({"type": "mouseMoved", "x": x, "y": y});
            page.input(MOUSE, &[moved]).await
        }
        Deed::Drag(found, onto, offset) => drag(page, found, onto.as_ref(), *offset).await,
        Deed::Choose(found, text) => choose(page, found, text).await,
        Deed::Check(found, is_checked) => {
            let checked = format!("({})?.checked === {is_checked}", find(found)?);
            match page.evaluate(&checked).await?.as_bool() {
                Some(true) => Ok(()),
                _ => click(page, found, 0.5, MouseButton::Left, 1).await,
            }
        }
        Deed::Type(found, text) => {
            click(page, found, 0.5, MouseButton::Left, 1).await?;
            page.input(KEY, &typed(text)).await
        }
        Deed::Press(key, times) => {
            let keys = Combination::parse(key).ok_or_else(|| format!("no key is {key}"))?;
            for _ in 0..*times {
                page.input(KEY, &keys.events()).await?;
            }
            Ok(())
        }
        Deed::Back => page.evaluate("history.back()").await.map(drop),
        Deed::Show(found) => point(page, found, 0.5).await.map(drop),
        Deed::Turn(over, notches) => {
            let (x, y) = match over {
                Some(found) => point(page, found, 0.5).await?,
                None => (640.0, 400.0),
            };
            let pixels = notches * PIXELS_A_NOTCH;
            let event =
                json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": pixels});
            page.input(MOUSE, &[event]).await
        }
    }
}

async fn click(
    page: &BarePage,
    found: &Found,
    percentage: f64,
    button: MouseButton,
    clicks: u32,
) -> Result<(), String> {
    let (x, y) = point(page, found, percentage).await?;
    let pressed = |kind: &str, count: u32| {
        json!({
            "type": kind, "x": x, "y": y, "button": button.as_str(), "clickCount": count,
        })
    };
    let mut events = vec![json!({"type": "mouseMoved", "x": x, "y": y})];
    for click in 1..=clicks {
        events.extend([
            pressed("mousePressed", click),
            pressed("mouseReleased", click),
        ]);
    }
    page.input(MOUSE, &events).await
}

async fn drag(
    page: &BarePage,
    found: &Found,
    onto: Option<&Found>,
    offset: Point,
) -> Result<(), String> {
    let from = point(page, found, 0.5).await?;
    let (x, y) = match onto {
        Some(onto) => point(page, onto, 0.5).await?,
        None => from,
    };
    let to = (x + offset.x, y + offset.y);
    let event = |kind: &str, (x, y): (f64, f64)| {
        json!({
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1,
        })
    };
    let half = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    let events = [
        event("mouseMoved", from),
        event("mousePressed", from),
        event("mouseMoved", half),
        event("mouseMoved", to),
        event("mouseReleased", to),
    ];
    page.input(MOUSE, &events).await
}

async fn choose(page: &BarePage, found: &Found, text: &str) -> Result<(), String> {
    let texts = Value::from(text.split('\n').collect::<Vec<_>>());
    let expression = format!(
        "(() => {{ const select = {}; for (const option of select.options) \
         option.selected = {texts}.includes(option.label.trim()); \
         select.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        find(found)?
    );
    page.evaluate(&expression).await.map(drop)
}

/// Returns the key events that clear a field and type a text. Characters that have no key are skipped.
fn typed(text: &str) -> Vec<Value> {
    let mut events = clearing();
    for key in text.chars().filter_map(Key::typing) {
        events.extend(key.press());
    }
    events
}

/// Returns the expression that finds an element.
fn find(found: &Found) -> Result<String, String> {
    let selector = Value::from(found.selector.as_str());
    Ok(match found.by {
        By::XPath => {
            format!("document.evaluate({selector}, document, null, 9, null).singleNodeValue")
        }
        By::CssSelector => format!("document.querySelector({selector})"),
        By::Id => format!("document.getElementById({selector})"),
        other => {
            return Err(format!(
                "no bare script finds elements by {}",
                other.as_str()
            ));
        }
    })
}

/// Scrolls an element into view and returns a point in it, at this share of its width.
async fn point(page: &BarePage, found: &Found, percentage: f64) -> Result<(f64, f64), String> {
    let find = find(found)?;
    let expression = format!(
        "(() => {{ const found = {find}; if (!found) return null; \
         found.scrollIntoViewIfNeeded(); const box = found.getBoundingClientRect(); \
         return [box.left + box.width * {percentage}, box.top + box.height / 2]; }})()"
    );
    let point = page.evaluate(&expression).await?;
    let number = |at: usize| point.get(at).and_then(Value::as_f64);
    let missing = || format!("{} is not there", found.selector);
    Ok((
        number(0).ok_or_else(missing)?,
        number(1).ok_or_else(missing)?,
    ))
}
