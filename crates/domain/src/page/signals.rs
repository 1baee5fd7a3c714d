//! What is seen of a page.

use super::by::By;

/// The signals of a page, as its script gives them at one moment. Secrets are taken out of texts before they are cut,
/// and out of all that a run keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signals {
    /// The page's address; `None` where it cannot be read.
    pub url: Option<String>,
    /// The visible elements with a text of their own, in page order; `None` where the page's script
    /// fails.
    pub items: Option<Vec<Item>>,
    /// The positions of the queries of the look that found a fitting element.
    pub found: Vec<usize>,
}

/// A visible element with a text of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The element's own text, cut at 100 characters, then with "..." behind it.
    /// It is never empty; an empty one stands for none.
    pub text: String,
    /// The element's selector, as the page's script computes it. An empty one stands for none.
    pub selector: String,
}

/// A question for an element of a page, answered by the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The way in which the selector is read.
    pub by: By,
    /// The selector.
    pub selector: String,
    /// Whether the element must be seen, too, and fully inside the viewport.
    pub is_visible: bool,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
}
