//! The parts of a desktop: apps, windows and their elements.

/// An element of a window: a field, a button or a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) label: String,
    pub(super) role: &'static str,
    /// The typed text of a field, or the text that a label shows.
    pub(super) value: String,
    /// The left edge, in pixels. The next fields are the upper edge, the width and the height.
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl Element {
    /// Makes an empty form element in this row of the window, counted from 0.
    pub(super) fn new(label: &str, role: &'static str, row: i64) -> Self {
        Self {
            label: label.to_owned(),
            role,
            value: String::new(),
            left: 40,
            top: 60 + 40 * row,
            width: 200,
            height: 30,
        }
    }

    /// Returns the text shown on the element.
    pub(super) fn text(&self) -> &str {
        if self.role == "label" {
            &self.value
        } else {
            &self.label
        }
    }

    /// Returns all texts shown on the element. A field shows its label and the text typed into it.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let typed = Some(self.value.as_str());
        let typed = typed.filter(|value| self.role == "textfield" && !value.is_empty());
        std::iter::once(self.text()).chain(typed)
    }

    /// Returns the point in the middle of the element, where a client should click.
    pub(super) fn center(&self) -> (i64, i64) {
        (self.left + self.width / 2, self.top + self.height / 2)
    }

    /// Returns whether a point is within the element.
    pub(super) fn holds(&self, x: f64, y: f64) -> bool {
        let within = |at: f64, from: i64, size: i64| {
            let from = from as f64;
            at >= from && at < from + size as f64
        };
        within(x, self.left, self.width) && within(y, self.top, self.height)
    }
}

/// A window with its elements.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) id: u64,
    pub(super) title: String,
    pub(super) pid: u64,
    pub(super) elements: Vec<Element>,
}

/// An app, running or not.
#[derive(Clone, Debug)]
pub(super) struct App {
    pub(super) name: &'static str,
    pub(super) pid: u64,
    pub(super) is_running: bool,
}
