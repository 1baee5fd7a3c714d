//! A web page as seen by a browser, and the actions on it: plain values shared by engines, effects and the browser's
//! client.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::Secret;

/// The pixels that one notch of the mouse wheel scrolls.
pub const PIXELS_A_NOTCH: f64 = 100.0;

/// The settings of a browser for one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserTerms {
    /// The origins that may receive any request, like `https://example.org`.
    pub origins: Vec<String>,
    /// Whether pages of these origins may also load images, styles, fonts and scripts from any public `https` address.
    /// Excludes secrets, which a page could put into such an address.
    pub loads_from_elsewhere: bool,
    /// The size of the viewport.
    pub viewport: Viewport,
    /// The preferred language of pages, like `en-US`.
    pub language: String,
    /// The time zone that pages see, like `Europe/Berlin`.
    pub time_zone: String,
    /// Whether dialogs are accepted, with the text that they propose.
    pub accepts_questions: bool,
    /// The texts that no screenshot may show.
    pub secrets: Vec<Secret>,
}

/// The size of a viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

/// The address of a run's browser. It is journaled before it is used, so that another process can resume with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserAddress {
    /// The id that the provider gave the browser's session.
    pub session: String,
    /// The run's own context with its cookies and storage; `None` until created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The page in that context; `None` until created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// The kind of a selector, named as in `WebDriver`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum By {
    /// A CSS selector.
    #[strum(serialize = "css selector")]
    CssSelector,
    /// An `XPath` expression.
    XPath,
    /// An element's id.
    Id,
    /// An element's attribute `name`.
    Name,
    /// A tag name.
    #[strum(serialize = "tag name")]
    TagName,
    /// A class name.
    #[strum(serialize = "class name")]
    ClassName,
    /// The whole text of a link.
    #[strum(serialize = "link text")]
    LinkText,
    /// A part of a link's text.
    #[strum(serialize = "partial link text")]
    PartialLinkText,
}

impl By {
    /// Returns the kind's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// An action on a page, with all parameters filled in.
#[derive(Debug, Clone, PartialEq)]
pub enum PageAction {
    /// Opens an address that begins with `http://` or `https://`.
    Navigate {
        /// The address.
        url: TypedText,
    },
    /// Clicks an element.
    Click {
        /// The element.
        target: ElementTarget,
        /// The button.
        button: MouseButton,
        /// The horizontal position in the element as a fraction of its width, usually from 0 to 1.
        percentage: f64,
    },
    /// Replaces a field's text: clicks and types, or sets the value of fields where people choose one.
    Type {
        /// The element.
        target: ElementTarget,
        /// The text.
        text: TypedText,
        /// The time between keys, in milliseconds.
        interval_ms: u64,
    },
    /// Turns the mouse wheel.
    Scroll {
        /// The element under the pointer; `None` for the page.
        over: Option<ElementLocator>,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
        /// The direction.
        direction: Direction,
        /// The distance in notches, see [`PIXELS_A_NOTCH`]. Negative values reverse the direction.
        notches: f64,
    },
    /// Scrolls until an element is visible. Does nothing if the element does not exist.
    ScrollTo {
        /// The element.
        locator: ElementLocator,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
    },
    /// Presses a key or a combination: `ctrl+l`.
    PressKey {
        /// The key.
        key: TypedText,
    },
}

/// The element of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementTarget {
    /// How to find the element.
    pub locator: ElementLocator,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
    /// Whether to scroll until the element is visible.
    pub is_scrolled_to: bool,
    /// What to do if the element is absent; `None` if the action fails then.
    pub fallback: Option<Fallback>,
}

/// What happens if an element is absent and the action has a fallback box.
#[derive(Debug, Clone, PartialEq)]
pub enum Fallback {
    /// The action happens in the box, whatever is there, and is reported as such.
    Taken(Area),
    /// The box is not used and the action fails, for this reason, a part of a sentence.
    Refused(&'static str),
}

/// How to find an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementLocator {
    /// The kind of the selector.
    pub by: By,
    /// The selector. It may contain a parameter's value, which no error may show.
    pub selector: Secret,
}

/// A text that an action sends to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedText {
    /// The text. It may contain a secret's value.
    pub text: Secret,
    /// The origins of the pages that may receive it, like `https://example.org`; `None` for every page of the run.
    pub origins: Option<Vec<String>>,
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MouseButton {
    /// The left button.
    Left,
    /// The middle button.
    Middle,
    /// The right button.
    Right,
}

impl MouseButton {
    /// Returns the button's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A direction of scrolling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    /// Towards the page's beginning.
    Up,
    /// Towards the page's end.
    Down,
}

impl Direction {
    /// Returns the direction's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A point of a page, in CSS pixels from the left and the top of the document.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Point {
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
}

impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [f64; 2] {
    fn from(point: Point) -> Self {
        [point.x, point.y]
    }
}

/// A box of a page, in CSS pixels from the left and the top of the document.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 4]", into = "[f64; 4]")]
pub struct Area {
    /// The distance of the box from the left.
    pub x: f64,
    /// The distance of the box from the top.
    pub y: f64,
    /// The width of the box.
    pub width: f64,
    /// The height of the box.
    pub height: f64,
}

impl From<[f64; 4]> for Area {
    fn from([x, y, width, height]: [f64; 4]) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }
}

impl From<Area> for [f64; 4] {
    fn from(area: Area) -> Self {
        [area.x, area.y, area.width, area.height]
    }
}

impl Area {
    /// Returns the point for an action in the box: at this fraction of its width, and half its height.
    #[must_use]
    pub fn point(&self, percentage: f64) -> Point {
        Point {
            x: self.x + self.width * percentage,
            y: self.y + self.height / 2.0,
        }
    }
}

/// A request to look at a page, once navigation has ended and the page is quiet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// The elements to look for.
    pub queries: Vec<Query>,
    /// Whether to list the elements that can be acted on.
    pub wants_elements: bool,
    /// Whether to take a screenshot.
    pub wants_picture: bool,
}

/// The result of a look at a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// The page as it was seen.
    pub view: PageView,
    /// The screenshot; `None` if not requested, unavailable, or if it would show a secret.
    pub picture: Option<PagePicture>,
}

/// A page at one moment.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageView {
    /// The page's content, in brief.
    #[serde(flatten)]
    pub signals: Signals,
    /// The elements that can be acted on, in page order; empty if not requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<PageElement>,
}

impl From<Signals> for PageView {
    fn from(signals: Signals) -> Self {
        Self {
            signals,
            ..Self::default()
        }
    }
}

/// An element that can be acted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageElement {
    /// A selector that matches only this element.
    pub selector: String,
    /// The element's tag, in lower case.
    pub tag: String,
    /// The element's role or type, like `button` or `password`; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// The element's text, label or placeholder, at most 100 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The element's box.
    pub area: Area,
}

/// A screenshot of a page's viewport, in which the requested elements are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePicture {
    /// The JPEG file.
    pub jpeg: Vec<u8>,
}

/// A page's signals: its address, title and texts at one moment, from a script in the page. Secrets are removed from
/// texts before these are cut, and from everything that a run stores.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Signals {
    /// The page's address; `None` if it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The page's title, at most 200 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The visible elements that have text of their own, in page order; `None` if the script failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Item>>,
    /// The indices of the look's queries that found a matching element.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<usize>,
}

/// A visible element that has text of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub struct Item {
    /// The element's own text. After 100 characters it is cut, with "..." appended. An empty text stands for none.
    pub text: String,
    /// The element's selector, computed by the page's script. An empty one stands for none.
    pub selector: String,
}

impl From<(String, String)> for Item {
    fn from((text, selector): (String, String)) -> Self {
        Self { text, selector }
    }
}

impl From<Item> for (String, String) {
    fn from(item: Item) -> Self {
        (item.text, item.selector)
    }
}

/// A query for an element of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The kind of the selector.
    pub by: By,
    /// The selector.
    pub selector: String,
    /// Whether the element must also be visible and fully inside the viewport.
    pub is_visible: bool,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
}

/// The result of an executed action.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The point where it happened, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Whether the element was absent and the fallback's box was used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_fallen_back: bool,
}

/// The reason why an action failed, in words without the value of any secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ActionFailure {
    /// The action failed: it did not have the intended effect.
    Failed(String),
    /// The action is forbidden: its address or secret does not belong to the page's origin.
    Refused(String),
    /// The action was sent, but its outcome is unknown.
    UnknownOutcome(String),
    /// The browser was lost before the action was sent.
    BrowserGone(String),
}

impl ActionFailure {
    /// Returns the failure with its words changed.
    #[must_use]
    pub fn with_words(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Failed(words) => Self::Failed(change(words)),
            Self::Refused(words) => Self::Refused(change(words)),
            Self::UnknownOutcome(words) => Self::UnknownOutcome(change(words)),
            Self::BrowserGone(words) => Self::BrowserGone(change(words)),
        }
    }
}

/// The browser is closed or does not respond; the text says what happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserGone(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_happens_at_a_share_of_the_width_and_half_the_height() {
        let area = Area {
            x: 300.0,
            y: 400.0,
            width: 100.0,
            height: 50.0,
        };
        assert_eq!(area.point(0.25), Point { x: 325.0, y: 425.0 });
        assert_eq!(area.point(0.5), Point { x: 350.0, y: 425.0 });
    }
}
