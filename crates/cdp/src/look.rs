//! Looks at the page once it is quiet, and takes screenshots of its viewport that show no secrets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::page::{Area, Item, Look, PageElement, PagePicture, PageView, Query, Signals};
use mask::Mask;
use serde_json::{Value, json};

use crate::connection::DevTools;
use crate::driven_browser::DrivenBrowser;

/// The pause before looking again for an element that the look waits for, in milliseconds.
pub(crate) const ELEMENT_AGAIN_MS: u64 = 100;
const ITEMS_MAX: usize = 1_000;
const ELEMENTS_MAX: usize = 200;
/// The most UTF-16 units of an element's text, of a title, and of a part of an element's description.
const TEXT_CHARS_MAX: usize = 100;
const TITLE_CHARS_MAX: usize = 200;
const PART_CHARS_MAX: usize = 40;
/// The JPEG qualities that are tried in order until a screenshot is small enough.
const QUALITIES: [u32; 3] = [60, 30, 10];
/// The largest screenshot, in bytes.
const PICTURE_BYTES_MAX: usize = 400_000;
/// The longest time for one screenshot, in milliseconds.
const PICTURE_MS_MAX: u64 = 5_000;

/// Returns the question that a look asks the page's script. If the page has been quiet for less than `quiet_ms`, the
/// script answers only with the time for which the page has been quiet.
pub(crate) fn question(look: &Look, quiet_ms: u64, mask: &Mask) -> Value {
    let queries: Vec<Value> = look.queries.iter().map(query).collect();
    json!({
        "quiet": quiet_ms, "queries": queries, "elements": look.wants_elements, "reach": mask.reach_units(),
    })
}

fn query(query: &Query) -> Value {
    json!({"by": query.by.as_str(), "selector": query.selector, "visible": query.is_visible})
}

/// Returns how long the page has been quiet, in milliseconds; `None` if the answer is a complete look.
pub(crate) fn restless_for_ms(answer: &Value) -> Option<u64> {
    if answer.get("title").is_some() {
        return None;
    }
    let quiet_ms = answer
        .get("quiet")
        .and_then(Value::as_f64)
        .unwrap_or_default();
    // The time is between 0 and some years, so the conversion is harmless.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    let quiet_ms = quiet_ms.clamp(0.0, 1e12) as u64;
    Some(quiet_ms)
}

/// Returns those queries of a look whose selectors are invalid.
pub(crate) fn unreadable<'look>(
    look: &'look Look,
    answer: &Value,
) -> impl Iterator<Item = &'look Query> {
    let found: Vec<bool> = answer
        .get("found")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Value::is_null)
        .collect();
    let queries = look.queries.iter().zip(found);
    queries.filter_map(|(query, is_unreadable)| is_unreadable.then_some(query))
}

/// Reads the script's answer to a look. Texts with a limit are cut here, after secrets are removed from them. Texts
/// that are never cut are passed on with their secrets.
pub(crate) fn view(mut answer: Value, mask: &Mask) -> PageView {
    let mut take = |name: &str| answer.get_mut(name).map(Value::take).unwrap_or_default();
    let title = mask.shortened(&text(take("title")), TITLE_CHARS_MAX, "");
    let mut elements: Vec<PageElement> = list(take("elements"))
        .into_iter()
        .take(ELEMENTS_MAX)
        .filter_map(element)
        .collect();
    // If a selector contains a secret, it would find nothing once the secret is hidden, so its element is omitted.
    elements.retain(|element| !mask.is_in(&element.selector));
    mask.shorten(
        elements.iter_mut().map(|one| &mut one.text),
        TEXT_CHARS_MAX,
        "",
    );
    let names = elements
        .iter_mut()
        .flat_map(|one| [&mut one.tag, &mut one.role]);
    mask.shorten(names, TEXT_CHARS_MAX, "");
    PageView {
        elements,
        signals: Signals {
            title,
            url: match take("url") {
                Value::String(url) => Some(url),
                _ => None,
            },
            items: match take("items") {
                Value::Array(flat) => Some(items(flat, mask)),
                _ => None,
            },
            found: positions(&list(take("found"))),
        },
    }
}

fn items(flat: Vec<Value>, mask: &Mask) -> Vec<Item> {
    let mut items = Vec::new();
    let mut flat = flat.into_iter();
    while let (Some(said), Some(selector)) = (flat.next(), flat.next()) {
        if items.len() >= ITEMS_MAX {
            break;
        }
        items.push(Item {
            text: text(said),
            selector: string(selector),
        });
    }
    mask.shorten(
        items.iter_mut().map(|item| &mut item.text),
        TEXT_CHARS_MAX,
        "...",
    );
    items
}

/// Describes an element for users by its tag, id, text and classes, which the page's script has sent in `parts`.
pub(crate) fn described(parts: &[Value], mask: &Mask) -> String {
    let mut parts: Vec<String> = parts
        .iter()
        .map(|part| part.as_str().unwrap_or_default())
        .map(str::to_owned)
        .collect();
    mask.shorten(&mut parts, PART_CHARS_MAX, "");
    let mut parts = parts.into_iter();
    let mut name = parts.next().unwrap_or_default();
    let (id, said) = (parts.next(), parts.next());
    for (sign, part) in id
        .map(|id| ('#', id))
        .into_iter()
        .chain(parts.map(|part| ('.', part)))
    {
        if !part.is_empty() {
            name.push(sign);
            name.push_str(&part);
        }
    }
    match said.filter(|said| !said.is_empty()) {
        Some(said) => format!("{name} \"{said}\""),
        None => name,
    }
}

/// Returns the positions in a list at which the value is true.
fn positions(found: &[Value]) -> Vec<usize> {
    let holds = found.iter().map(|found| found.as_bool() == Some(true));
    let holding = holds.enumerate().filter(|(_, holds)| *holds);
    holding.map(|(position, _)| position).collect()
}

fn element(mut value: Value) -> Option<PageElement> {
    let area = value.get_mut("area").map(Value::take)?;
    let mut take = |name: &str| value.get_mut(name).map(Value::take).unwrap_or_default();
    let selector = string(take("selector"));
    let number = |at: usize| area.get(at).and_then(Value::as_f64);
    (!selector.is_empty()).then_some(())?;
    Some(PageElement {
        selector,
        tag: text(take("tag")),
        role: text(take("role")),
        text: text(take("text")),
        area: Area {
            x: number(0)?,
            y: number(1)?,
            width: number(2)?,
            height: number(3)?,
        },
    })
}

/// Returns a text of the script's answer, or `***` if the script left it out for lack of space.
fn text(value: Value) -> String {
    match value {
        Value::Null => "***".to_owned(),
        value => string(value),
    }
}

fn string(value: Value) -> String {
    match value {
        Value::String(text) => text,
        _ => String::new(),
    }
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        _ => Vec::new(),
    }
}

/// Takes a screenshot in which these elements are numbered; `None` if that fails, or if the screenshot would show a
/// secret.
pub(crate) async fn take_picture<D: DevTools>(
    browser: &DrivenBrowser<D>,
    elements: &[PageElement],
    until_ms: u64,
) -> Option<PagePicture> {
    let until_ms = until_ms.min(browser.now_ms().saturating_add(PICTURE_MS_MAX));
    // While the page's own scripts are paused, they cannot replace what was inspected.
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

/// Returns the positions of the fields to cover; `None` if a secret is visible outside of fields.
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
        // A page may pass a secret to its frames, which cannot be inspected.
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
        let answer = browser
            .command("Page.captureScreenshot", params, until_ms)
            .await
            .ok()?;
        let jpeg = STANDARD.decode(answer.get("data")?.as_str()?).ok()?;
        if jpeg.len() <= PICTURE_BYTES_MAX {
            return Some(jpeg);
        }
    }
    None
}
