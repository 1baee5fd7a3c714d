//! What is seen of a web page, and what may be done on it: values alone, which engines, effects and the
//! browser's client share.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::Secret;

/// The pixels that a page moves for one notch of the wheel.
pub const PIXELS_A_NOTCH: f64 = 100.0;

/// The terms on which a browser is driven for one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserTerms {
    /// The origins that may be asked for anything at all, like `https://example.org`.
    pub origins: Vec<String>,
    /// Whether pages of these origins may load pictures, styles, fonts and scripts from any public
    /// `https` address, too. It goes with no secret: what a page knows it may put into such an address.
    pub loads_from_elsewhere: bool,
    /// The size of the viewport.
    pub viewport: Viewport,
    /// The language that pages are asked in, like `en-US`.
    pub language: String,
    /// The time zone that pages see, like `Europe/Berlin`.
    pub time_zone: String,
    /// Whether what a page asks in a dialog is answered with yes, and with the text that it proposes.
    pub accepts_questions: bool,
    /// The texts that no picture may show.
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

/// The address of a browser that is driven for one run. It is written down before it is used, so that
/// another process can go on with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserAddress {
    /// The browser's session: the id that the provider gave it.
    pub session: String,
    /// The run's own context in it, with cookies and storage of its own; `None` before there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The page in that context; `None` before there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// The way in which a selector is read, as browsers' drivers name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum By {
    /// The selector is one of CSS.
    #[strum(serialize = "css selector")]
    CssSelector,
    /// The selector is an `XPath` expression.
    XPath,
    /// The selector is an element's id.
    Id,
    /// The selector is an element's attribute `name`.
    Name,
    /// The selector is the name of a tag.
    #[strum(serialize = "tag name")]
    TagName,
    /// The selector is a class.
    #[strum(serialize = "class name")]
    ClassName,
    /// The selector is the whole text of a link.
    #[strum(serialize = "link text")]
    LinkText,
    /// The selector is a part of the text of a link.
    #[strum(serialize = "partial link text")]
    PartialLinkText,
}

impl By {
    /// Returns the way as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the way of this name. Returns `None` where there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// An action on a page, with every text filled in.
#[derive(Debug, Clone, PartialEq)]
pub enum PageAction {
    /// Open an address that begins with `http://` or `https://`.
    Navigate {
        /// The address.
        url: TypedText,
    },
    /// Click an element.
    Click {
        /// The element.
        target: ElementTarget,
        /// The button.
        button: MouseButton,
        /// The place in the element: its share of the width, usually from 0 to 1.
        percentage: f64,
    },
    /// Give a field a text in the place of what it holds: click it and type, or set it where people choose its value.
    Type {
        /// The element.
        target: ElementTarget,
        /// The text.
        text: TypedText,
        /// The time from one key to the next, in milliseconds.
        interval_ms: u64,
    },
    /// Turn the wheel.
    Scroll {
        /// The element over which it is turned; `None` for the page.
        over: Option<ElementLocator>,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
        /// The direction.
        direction: Direction,
        /// The distance in notches of the wheel, below 0 the other way: see [`PIXELS_A_NOTCH`].
        notches: f64,
    },
    /// Scroll until an element is seen. It does nothing where there is no such element.
    ScrollTo {
        /// The element.
        locator: ElementLocator,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
    },
    /// Press a key, or several together: `ctrl+l`.
    PressKey {
        /// The key.
        key: TypedText,
    },
}

/// An element that an action is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementTarget {
    /// The way to find the element.
    pub locator: ElementLocator,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
    /// Whether the page is scrolled until the element is seen.
    pub is_scrolled_to: bool,
    /// What happens where the element is not there; `None` where the action fails then.
    pub fallback: Option<Fallback>,
}

/// What happens where an element is not there, and the action has a box for that.
#[derive(Debug, Clone, PartialEq)]
pub enum Fallback {
    /// The action happens in the box, whatever is there. That it did is told.
    Taken(Area),
    /// The box is not used for this reason, a part of a sentence, and the action fails.
    Refused(&'static str),
}

/// The way to find an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementLocator {
    /// The way in which the selector is read.
    pub by: By,
    /// The selector. It may hold the value of a parameter, which no error may show.
    pub selector: Secret,
}

/// A text that an action sends to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedText {
    /// The text. It may hold the value of a secret.
    pub text: Secret,
    /// The origins of the pages that may get it, like `https://example.org`; `None` where every page of
    /// the run may.
    pub origins: Option<Vec<String>>,
}

/// A button of the mouse.
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
    /// Returns the button as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A direction in which a page is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    /// Towards the page's beginning.
    Up,
    /// Towards the page's end.
    Down,
}

impl Direction {
    /// Returns the direction as it is written.
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
    /// Returns the point of the box where an action happens: at this share of its width, and at half
    /// its height.
    #[must_use]
    pub fn point(&self, percentage: f64) -> Point {
        Point {
            x: self.x + self.width * percentage,
            y: self.y + self.height / 2.0,
        }
    }
}

/// A wish to look at a page, once navigation has ended and the page is quiet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// The questions for elements.
    pub queries: Vec<Query>,
    /// Whether the elements that can be acted on are listed, too.
    pub wants_elements: bool,
    /// Whether a picture is taken, too.
    pub wants_picture: bool,
}

/// The result of a look at a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// The page as it was seen.
    pub view: PageView,
    /// The picture; `None` where nobody wanted one, where none could be taken, and where it would have
    /// shown a secret.
    pub picture: Option<PagePicture>,
}

/// A page as it was seen at one moment.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageView {
    /// The signals of the page.
    #[serde(flatten)]
    pub signals: Signals,
    /// The elements that can be acted on, in page order; empty where nobody wanted them.
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
    /// The element's selector, which finds it alone.
    pub selector: String,
    /// The element's tag, in lower case.
    pub tag: String,
    /// The element's role or type, like `button` or `password`; empty where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// The words by which people know the element: its text, label or placeholder, at most 100 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The element's box.
    pub area: Area,
}

/// A picture of a page's viewport. The numbers of the wanted elements, from 1, stand in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePicture {
    /// The JPEG file.
    pub jpeg: Vec<u8>,
}

/// The signals of a page, as its script gives them at one moment. Secrets are taken out of texts before they are cut,
/// and out of all that a run keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Signals {
    /// The page's address; `None` where it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The page's title, at most 200 characters of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The visible elements with a text of their own, in page order; `None` where the page's script
    /// fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Item>>,
    /// The positions of the queries of the look that found a fitting element.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<usize>,
}

/// A visible element with a text of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub struct Item {
    /// The element's own text, cut at 100 characters, then with "..." behind it.
    /// It is never empty; an empty one stands for none.
    pub text: String,
    /// The element's selector, as the page's script computes it. An empty one stands for none.
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

/// An action that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The point where it happened, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Whether the element was gone and the fallback's box was taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_fallen_back: bool,
}

/// The reason why an action was not carried out, in words without the value of any secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ActionFailure {
    /// The action failed: it changed nothing that it was meant to, or something else than that.
    Failed(String),
    /// The action is forbidden: its address or its secret does not belong to the page's origin.
    Refused(String),
    /// The action was sent, and nobody knows what came of it.
    UnknownOutcome(String),
    /// The browser was gone before the action was sent.
    BrowserGone(String),
}

impl ActionFailure {
    /// Returns the failure in other words.
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

/// The browser is gone or does not answer; the words say what happened.
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
