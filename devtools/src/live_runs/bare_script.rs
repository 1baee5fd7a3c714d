//! Repeats the actions of a run over the bare protocol without waits, which takes the least possible time.

use serde_json::{Value, json};

use cdp::{Combination, Key, clearing};
use domain::page::{By, PIXELS_A_NOTCH};

use super::bare_page::BarePage;
use super::deeds::{Deed, Found};

const MOUSE: &str = "Input.dispatchMouseEvent";
const KEY: &str = "Input.dispatchKeyEvent";

/// Repeats an action on a page, as the shortest script would.
pub(super) async fn repeat(page: &BarePage, deed: &Deed) -> Result<(), String> {
    match deed {
        Deed::Open(url) => page.navigate(url).await,
        Deed::Click(found, percentage) => click(page, found, *percentage).await,
        Deed::Type(found, text) => {
            click(page, found, 0.5).await?;
            page.input(KEY, &typed(text)).await
        }
        Deed::Press(key) => {
            let keys = Combination::parse(key).ok_or_else(|| format!("no key is {key}"))?;
            page.input(KEY, &keys.events()).await
        }
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

async fn click(page: &BarePage, found: &Found, percentage: f64) -> Result<(), String> {
    let (x, y) = point(page, found, percentage).await?;
    let pressed =
        |kind: &str| json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
    let moved = json!({"type": "mouseMoved", "x": x, "y": y});
    let events = [moved, pressed("mousePressed"), pressed("mouseReleased")];
    page.input(MOUSE, &events).await
}

/// Returns the key events that clear a field and type a text. Characters that have no key are skipped.
fn typed(text: &str) -> Vec<Value> {
    let mut events = clearing();
    for key in text.chars().filter_map(Key::typing) {
        events.extend(key.press());
    }
    events
}

/// Scrolls an element into view and returns a point in it, at this share of its width.
async fn point(page: &BarePage, found: &Found, percentage: f64) -> Result<(f64, f64), String> {
    let selector = Value::from(found.selector.as_str());
    let find = match found.by {
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
    };
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
