//! A look at the page, once it is quiet.

use serde_json::{Value, json};

use crate::page::{Area, Item, Look, PageElement, PageView, Query, Signals};

use super::mask::Mask;

/// How often an element is looked for that is waited for: ten times a second.
pub(super) const AGAIN_MS: u64 = 100;
const ITEMS_MAX: usize = 1_000;
const ELEMENTS_MAX: usize = 200;
const TITLE_CHARS_MAX: usize = 200;

/// Returns what the page's script is asked. It answers with no more than how long the page has been quiet
/// where that is less than `quiet_ms`.
pub(super) fn question(look: &Look, quiet_ms: u64) -> Value {
    let queries: Vec<Value> = look.queries.iter().map(query).collect();
    json!({"quiet": quiet_ms, "queries": queries, "elements": look.wants_elements})
}

fn query(query: &Query) -> Value {
    json!({"by": query.by.as_str(), "selector": query.selector, "visible": query.is_visible})
}

/// Returns how long the page has been quiet, in milliseconds, where the script says no more than that.
pub(super) fn restless_for_ms(answer: &Value) -> Option<u64> {
    if answer.get("title").is_some() {
        return None;
    }
    let quiet_ms = answer
        .get("quiet")
        .and_then(Value::as_f64)
        .unwrap_or_default();
    // The time is between 0 and some years.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    let quiet_ms = quiet_ms.clamp(0.0, 1e12) as u64;
    Some(quiet_ms)
}

/// Returns the questions whose selectors cannot be read.
pub(super) fn unreadable<'look>(
    look: &'look Look,
    answer: &Value,
) -> impl Iterator<Item = &'look Query> {
    let found = answer.get("found").and_then(Value::as_array);
    let found: Vec<bool> = found.into_iter().flatten().map(Value::is_null).collect();
    let queries = look.queries.iter().zip(found);
    queries.filter_map(|(query, is_unreadable)| is_unreadable.then_some(query))
}

/// Reads what the page's script saw, without the secrets in it.
pub(super) fn view(mut answer: Value, mask: &Mask) -> PageView {
    let mut take = |name: &str| answer.get_mut(name).map(Value::take).unwrap_or_default();
    let title = mask.hide_cut(string(take("title")));
    let elements = list(take("elements")).into_iter().take(ELEMENTS_MAX);
    PageView {
        title: title.chars().take(TITLE_CHARS_MAX).collect(),
        elements: elements.filter_map(|one| element(one, mask)).collect(),
        signals: Signals {
            url: match take("url") {
                Value::String(url) => Some(mask.hide(url)),
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
    while let (Some(text), Some(selector)) = (flat.next(), flat.next()) {
        if items.len() >= ITEMS_MAX {
            break;
        }
        items.push(Item {
            text: mask.hide_cut(string(text)),
            selector: mask.hide(string(selector)),
        });
    }
    items
}

/// Returns the positions of what holds.
fn positions(found: &[Value]) -> Vec<usize> {
    let holds = found.iter().map(|found| found.as_bool() == Some(true));
    let holding = holds.enumerate().filter(|(_, holds)| *holds);
    holding.map(|(position, _)| position).collect()
}

fn element(mut value: Value, mask: &Mask) -> Option<PageElement> {
    let area = value.get_mut("area").map(Value::take)?;
    let mut words = |name: &str| {
        mask.hide_cut(string(
            value.get_mut(name).map(Value::take).unwrap_or_default(),
        ))
    };
    let selector = words("selector");
    // A selector that had a secret in it finds nothing any more.
    if selector.is_empty() || selector.contains("***") {
        return None;
    }
    let number = |at: usize| area.get(at).and_then(Value::as_f64);
    Some(PageElement {
        selector,
        tag: words("tag"),
        role: words("role"),
        text: words("text"),
        area: Area {
            x: number(0)?,
            y: number(1)?,
            width: number(2)?,
            height: number(3)?,
        },
    })
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
