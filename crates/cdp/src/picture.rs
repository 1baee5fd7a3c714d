//! A picture of the page's viewport, without what is secret in it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use domain::page::{PageElement, PagePicture};

use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;

/// The qualities that are tried until a picture is small enough.
const QUALITIES: [u32; 3] = [60, 30, 10];
/// The largest picture, in bytes.
const PICTURE_BYTES_MAX: usize = 400_000;
/// The longest time that taking one picture may take, in milliseconds.
const PICTURE_MS_MAX: u64 = 5_000;

/// Takes a picture, with the numbers of these elements in it. Returns `None` where there is none, or where
/// it would show a secret.
pub(crate) async fn take<D: DevTools>(
    browser: &DrivenBrowser<D>,
    elements: &[PageElement],
    until_ms: u64,
) -> Option<PagePicture> {
    let until_ms = until_ms.min(browser.now_ms().saturating_add(PICTURE_MS_MAX));
    // While the page's own scripts rest, nothing can be put in place of what was looked at.
    set_resting(browser, true, until_ms).await?;
    let picture = take_resting(browser, elements, until_ms).await;
    set_resting(browser, false, until_ms).await?;
    picture
}

async fn set_resting<D: DevTools>(
    browser: &DrivenBrowser<D>,
    is_resting: bool,
    until_ms: u64,
) -> Option<()> {
    let method = "Emulation.setScriptExecutionDisabled";
    let set = browser.command(method, json!({"value": is_resting}), until_ms);
    set.await.ok().map(drop)
}

async fn take_resting<D: DevTools>(
    browser: &DrivenBrowser<D>,
    elements: &[PageElement],
    until_ms: u64,
) -> Option<PagePicture> {
    let inspected = browser
        .script("inspect", &Value::Null, until_ms)
        .await
        .ok()?;
    let hidden = hidden_fields(browser, &inspected)?;
    let numbered: Vec<Value> = elements
        .iter()
        .map(|element| json!([element.area.x, element.area.y]))
        .collect();
    let is_covered = !hidden.is_empty() || !numbered.is_empty();
    if is_covered {
        let wish = json!({"hidden": hidden, "numbered": numbered});
        let call = browser
            .world
            .call_once(&browser.connection, "cover", &wish, until_ms);
        if call.await.ok()?.as_bool() != Some(true) {
            return None;
        }
    }
    let jpeg = capture(browser, until_ms).await;
    if is_covered {
        let call = browser
            .world
            .call_once(&browser.connection, "uncover", &Value::Null, until_ms);
        if call.await.ok()?.as_bool() != Some(true) {
            return None;
        }
    }
    Some(PagePicture { jpeg: jpeg? })
}

/// Returns the positions of the fields that are covered. Returns `None` where a secret is seen beside them.
fn hidden_fields<D: DevTools>(browser: &DrivenBrowser<D>, inspected: &Value) -> Option<Vec<usize>> {
    let mask = &browser.mask;
    let shown = inspected.get("shown")?.as_str()?;
    if mask.is_in(shown) {
        return None;
    }
    let fields = inspected.get("values")?.as_array()?;
    let is_hidden = |field: &&(usize, &Value)| {
        let holds = |name: &str| field.1.get(name).and_then(Value::as_bool) == Some(true);
        let value = field.1.get("value").and_then(Value::as_str);
        let is_secret = value.is_none_or(|value| mask.is_in(value));
        // A page may give a secret to its frames, where nobody looks.
        holds("always") || is_secret || (holds("frame") && !mask.is_empty())
    };
    let fields: Vec<(usize, &Value)> = fields.iter().enumerate().collect();
    Some(
        fields
            .iter()
            .filter(is_hidden)
            .map(|field| field.0)
            .collect(),
    )
}

async fn capture<D: DevTools>(browser: &DrivenBrowser<D>, until_ms: u64) -> Option<Vec<u8>> {
    for quality in QUALITIES {
        let params = json!({"format": "jpeg", "quality": quality, "optimizeForSpeed": true});
        let answer = browser.command("Page.captureScreenshot", params, until_ms);
        let answer = answer.await.ok()?;
        let jpeg = STANDARD.decode(answer.get("data")?.as_str()?).ok()?;
        if jpeg.len() <= PICTURE_BYTES_MAX {
            return Some(jpeg);
        }
    }
    None
}
