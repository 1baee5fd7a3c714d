//! The page of a case: its signals over time.

use serde_json::Value;

use domain::page::{Area, Item, Signals};

use super::settings::to_ms;

/// The page of a case as a list of snapshots. A snapshot is valid until the time of the next one.
pub(super) struct PageScript<'case> {
    snapshots: Vec<(u64, &'case Value)>,
}

impl<'case> PageScript<'case> {
    pub(super) fn of(signals: &'case Value) -> Self {
        let list = signals.as_array().into_iter().flatten();
        let timed = list.map(|snapshot| {
            let at = snapshot.get("at").and_then(Value::as_f64);
            (at.and_then(to_ms).unwrap_or(0), snapshot)
        });
        Self {
            snapshots: timed.collect(),
        }
    }

    fn at(&self, now_ms: u64) -> &'case Value {
        let mut past = self.snapshots.iter().filter(|(at_ms, _)| *at_ms <= now_ms);
        past.next_back()
            .map_or(&Value::Null, |(_, snapshot)| snapshot)
    }

    /// Returns the page's signals at this time.
    pub(super) fn signals(&self, now_ms: u64) -> Signals {
        let snapshot = self.at(now_ms);
        let is_broken = snapshot.get("broken").and_then(Value::as_bool) == Some(true);
        Signals {
            url: snapshot
                .get("url")
                .and_then(Value::as_str)
                .map(str::to_owned),
            items: (!is_broken).then(|| items(snapshot)),
            ..Signals::default()
        }
    }

    /// Returns an element's box at this time, in pixels of the document.
    pub(super) fn area(&self, selector: &str, now_ms: u64) -> Option<Area> {
        let area = self.at(now_ms).get("present")?.get(selector)?;
        let numbers = |names: [&str; 4]| {
            let mut numbers = names.iter().map(|name| area.get(name)?.as_f64());
            Some(Area {
                x: numbers.next()??,
                y: numbers.next()??,
                width: numbers.next()??,
                height: numbers.next()??,
            })
        };
        numbers(["x", "y", "width", "height"]).or_else(|| {
            let list: Vec<f64> = area.as_array()?.iter().filter_map(Value::as_f64).collect();
            match list.as_slice() {
                [x, y, width, height] => Some(Area {
                    x: *x,
                    y: *y,
                    width: *width,
                    height: *height,
                }),
                _ => None,
            }
        })
    }
}

/// Returns the visible elements of a snapshot. A snapshot may list texts and selectors separately; they are paired in
/// order, and the rest of the longer list stays unpaired.
fn items(snapshot: &Value) -> Vec<Item> {
    let text = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    if let Some(items) = snapshot.get("items").and_then(Value::as_array) {
        let items = items.iter().map(|item| Item {
            text: text(item.get("text")),
            selector: text(item.get("selector")),
        });
        return items.collect();
    }
    let list = |name: &str| {
        let list = snapshot.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    };
    let (texts, elements) = (list("texts"), list("elements"));
    let items = (0..texts.len().max(elements.len())).map(|at| Item {
        text: text(texts.get(at)),
        selector: text(elements.get(at)),
    });
    items.collect()
}
