//! A web page as a browser sees it, and the actions on it. These are plain values that engines, effects and the
//! browser's client share.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::{Secret, Sha256Digest};

/// The number of pixels that one notch of the mouse wheel scrolls.
pub const PIXELS_A_NOTCH: f64 = 100.0;

/// The settings of the browser of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a permission of its own"
)]
pub struct BrowserTerms {
    /// The origins to which the browser may send any request, such as `https://example.org`.
    pub origins: Vec<String>,
    /// Whether pages of these origins may also load images, styles, fonts and scripts from any public `https`
    /// address. Not allowed in a run with secrets, because a page could put a secret into such an address.
    pub loads_from_elsewhere: bool,
    /// The size of the viewport.
    pub viewport: Viewport,
    /// The preferred language of pages, such as `en-US`.
    pub language: String,
    /// The time zone that pages see, such as `Europe/Berlin`.
    pub time_zone: String,
    /// Whether a page's questions (`confirm` and `prompt` dialogs) are accepted. A prompt is answered with the text
    /// that it proposes.
    pub accepts_questions: bool,
    /// Whether pages may open WebRTC connections, whose packets no guard sees.
    pub allows_web_rtc: bool,
    /// Whether files may be downloaded, by [`PageAction::Download`] alone.
    pub allows_downloads: bool,
    /// The secret texts that no screenshot may show.
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

/// The address of a run's browser. It is journaled before it is used, so that another process can continue with the
/// same browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserAddress {
    /// The id that the browser's provider assigned to the session.
    pub session: String,
    /// The id of the run's own context, which holds its cookies and storage; `None` until the context is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The id of the page in that context; `None` until the page is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The ids of all tabs, in the order in which they were opened; empty if there was never more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tabs: Vec<String>,
}

/// The kind of a selector. The kinds are named as in `WebDriver`, which has all but the last two.
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
    /// The value of an element's `name` attribute.
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
    /// A role and, if wanted, an accessible name, as in `button[name="Sign in"]`.
    Role,
    /// The text of an element as people see it.
    Text,
}

impl By {
    /// Returns the kind's name in `WebDriver`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the kind with this name in `WebDriver`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// An action on a page, with the values of all parameters inserted.
#[derive(Debug, Clone, PartialEq)]
pub enum PageAction {
    /// Opens an address that begins with `http://` or `https://`.
    Navigate {
        /// The address to open.
        url: TypedText,
    },
    /// Clicks an element.
    Click {
        /// The element to click.
        target: ElementTarget,
        /// The mouse button to click with.
        button: MouseButton,
        /// How many times to click in quick succession: 1, or 2 for a double click.
        clicks: u32,
        /// The horizontal position of the click in the element, as a fraction of its width, usually from 0 to 1.
        percentage: f64,
    },
    /// Moves the mouse over an element, where it stays.
    Hover {
        /// The element to move to.
        target: ElementTarget,
        /// The horizontal position in the element, as a fraction of its width.
        percentage: f64,
    },
    /// Drags an element with the left mouse button.
    Drag {
        /// The element to drag.
        target: ElementTarget,
        /// The element to drop it on; `None` to drop it at the distance from where it is.
        onto: Option<ElementLocator>,
        /// The distance from the middle of the element to drop it on, or from where it is, in CSS pixels.
        offset: Point,
    },
    /// Chooses options of a list by their texts or values.
    Select {
        /// The list, or what opens it.
        target: ElementTarget,
        /// The options, one in each line.
        options: TypedText,
    },
    /// Checks or unchecks a box, switch or radio button. Does nothing if it is already as wanted.
    Check {
        /// The box.
        target: ElementTarget,
        /// Whether it is to be checked.
        is_checked: bool,
    },
    /// Replaces a field's text. The field is clicked and typed into. If its value is chosen from options or with a
    /// picker, the value is set instead.
    Type {
        /// The field.
        target: ElementTarget,
        /// The new text.
        text: TypedText,
        /// The time between keys, in milliseconds.
        interval_ms: u64,
    },
    /// Turns the mouse wheel.
    Scroll {
        /// The element to scroll over; `None` to scroll the page.
        over: Option<ElementLocator>,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
        /// The direction of scrolling.
        direction: Direction,
        /// The distance in notches of [`PIXELS_A_NOTCH`] pixels. Negative values reverse the direction.
        notches: f64,
    },
    /// Scrolls until an element is visible. Does nothing if the element does not exist.
    ScrollTo {
        /// The element to scroll to.
        locator: ElementLocator,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
    },
    /// Presses a key or a combination such as `ctrl+l`.
    PressKey {
        /// The key or combination.
        key: TypedText,
        /// The element that gets the focus first; `None` to press the key wherever the focus is.
        target: Option<ElementTarget>,
        /// How long the key is held, in milliseconds.
        hold_ms: u64,
        /// How many times it is pressed.
        times: u32,
    },
    /// Gives files to a field for files, in place of those that it has, or drops them on another element.
    Upload {
        /// The field, its label, or an element on which files can be dropped.
        target: ElementTarget,
        /// The files, in order.
        files: Vec<UploadedFile>,
    },
    /// Clicks an element, and waits for the file that the page then downloads: see `Browser::take_file`.
    Download {
        /// The element to click. Its time is also the longest wait for the file.
        target: ElementTarget,
    },
    /// Goes back to the page before.
    GoBack,
    /// Makes another tab the page.
    SwitchTo {
        /// The tab.
        tab: WantedTab,
        /// The longest time to wait for the tab to be opened, in milliseconds.
        timeout_ms: u64,
    },
    /// Reads texts of the page, and changes nothing.
    Extract {
        /// The element whose text is read.
        locator: ElementLocator,
        /// The attribute that is read instead of the text; `None` for the text or, of a field, its value.
        attribute: Option<String>,
        /// Whether all elements that the locator finds are read, and not only the first.
        is_list: bool,
        /// The longest time to wait for an element, in milliseconds.
        timeout_ms: u64,
    },
}

/// A file that is given to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedFile {
    /// The file's name, such as `cv.pdf`.
    pub name: String,
    /// The file's media type, such as `application/pdf`.
    pub media_type: String,
    /// The content in base64.
    pub base64: Secret,
}

/// A file that a page has downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadedFile {
    /// The name that the page proposes.
    pub name: String,
    /// The media type; empty if unknown.
    pub media_type: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// A downloaded file that is stored with a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// The name that the page proposes.
    pub name: String,
    /// The media type; empty if unknown.
    pub media_type: String,
    /// The size, in bytes.
    pub bytes: u64,
    /// The digest under which the content is stored.
    pub digest: Sha256Digest,
}

/// A tab of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedTab {
    /// The tab that was opened last and was not yet the page.
    New,
    /// The tab with this number in the order in which they were opened, from 1.
    Number(usize),
}

/// The element on which an action is performed.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementTarget {
    /// The selector that finds the element.
    pub locator: ElementLocator,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
    /// Whether to scroll until the element is visible.
    pub is_scrolled_to: bool,
    /// What happens if the element is absent; `None` if the action then fails.
    pub fallback: Option<Fallback>,
}

/// What happens if an element is absent and the action has a fallback box.
#[derive(Debug, Clone, PartialEq)]
pub enum Fallback {
    /// The action is performed in the box, whatever is there. Then [`Done::has_fallen_back`] is true.
    Taken(Area),
    /// The box is not used and the action fails. The text is the reason, as a part of a sentence.
    Refused(&'static str),
}

/// A selector that finds an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementLocator {
    /// The kind of the selector.
    pub by: By,
    /// The text of the selector. It may contain a parameter's value, so errors must not show it.
    pub selector: Secret,
}

/// A text that an action sends to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedText {
    /// The text itself. It may contain a secret's value.
    pub text: Secret,
    /// The origins of the pages that may receive the text, such as `https://example.org`; `None` if every page of the
    /// run may.
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
    /// Returns the button's name in lower case.
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
    /// Returns the direction's name in lower case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A point of a page, in CSS pixels from the left and the top of the document.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Point {
    /// The distance from the left edge of the document.
    pub x: f64,
    /// The distance from the top of the document.
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
    /// The distance of the box from the left edge of the document.
    pub x: f64,
    /// The distance of the box from the top of the document.
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
    /// Returns the point of the box at which an action is performed: at the fraction `percentage` of the box's width,
    /// and at half of its height.
    #[must_use]
    pub fn point(&self, percentage: f64) -> Point {
        Point {
            x: self.x + self.width * percentage,
            y: self.y + self.height / 2.0,
        }
    }
}

/// What to look for on a page, once navigation has ended and the page is quiet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// The elements to look for; [`Signals::found`] lists those that match.
    pub queries: Vec<Query>,
    /// Whether to list the elements on which actions can be performed.
    pub wants_elements: bool,
    /// Whether to take a screenshot.
    pub wants_picture: bool,
}

/// The result of a look at a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// The page at the moment of the look.
    pub view: PageView,
    /// The screenshot; `None` if it was not requested, is unavailable, or would show a secret.
    pub picture: Option<PagePicture>,
}

/// A page's content at one moment.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageView {
    /// The page's address, title and texts.
    #[serde(flatten)]
    pub signals: Signals,
    /// The elements on which actions can be performed, in page order; empty if they were not requested.
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

/// An element on which actions can be performed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageElement {
    /// A CSS selector that matches only this element.
    pub selector: String,
    /// A selector of the kind [`By::Role`] that matches only this element; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The element's tag, in lower case.
    pub tag: String,
    /// The element's role or type, such as `button` or `password`; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// The element's text, label or placeholder, at most 100 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The element's box in the document.
    pub area: Area,
}

/// A screenshot of a page's viewport. If the look requested the page's elements, they are numbered from 1 in the
/// screenshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePicture {
    /// The screenshot as a JPEG file.
    pub jpeg: Vec<u8>,
}

/// A page's address, title and texts at one moment, as read by a script in the page. Secrets are removed before the
/// texts are cut. They are also removed from everything that a run stores.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Signals {
    /// The page's address; `None` if it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The page's title, at most 200 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The visible elements that have text of their own, in page order; `None` if the script in the page failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Item>>,
    /// Whether [`Self::items`] lacks some of the page's texts, since there are too many or they take too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// The indices of those queries of [`Look::queries`] that found a matching element.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<usize>,
    /// The indices of those queries that nobody could answer: their selector is invalid, or a frame did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<usize>,
}

/// A visible element that has text of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub struct Item {
    /// The element's own text, cut after 100 characters with "..." appended; empty if unknown.
    pub text: String,
    /// The element's selector, computed by the script in the page; empty if unknown.
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

/// A query for an element on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The kind of [`Self::selector`].
    pub by: By,
    /// The selector that the element must match.
    pub selector: String,
    /// What must hold of an element that the selector finds.
    pub condition: Condition,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
}

/// What must hold of an element for a query to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It exists.
    Present,
    /// It is entirely inside the viewport, and neither transparent nor hidden.
    Visible,
    /// It is shown, inside the viewport or not.
    Shown,
    /// It is shown, and its text contains this one. White space is folded, and the texts of inline elements are joined.
    Text(String),
    /// It is a field that holds this value.
    Value(String),
    /// It is shown and can be used.
    Enabled,
    /// It is a box, switch or radio button that is checked.
    Checked,
}

/// The result of an action that was performed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The point where the action was performed; `None` for an action without a point, such as pressing a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Whether the action was performed in the fallback box because the element was absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_fallen_back: bool,
    /// Whether nothing was seen to change after a click or a drag: no event that a page gets, no change of the page, no request and
    /// no navigation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unchanged: bool,
    /// The texts that the action has read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The file that the action has downloaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<StoredFile>,
}

impl Done {
    /// Returns the result of an action at a point.
    #[must_use]
    pub fn at(point: Point) -> Self {
        Self {
            point: Some(point),
            ..Self::default()
        }
    }
}

/// The reason why an action failed, in words that do not contain the value of any secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ActionFailure {
    /// The action did not have the intended effect.
    Failed(String),
    /// The action is forbidden, because its address or its secret does not belong to the page's origin.
    Refused(String),
    /// The action was sent, but its outcome is unknown.
    UnknownOutcome(String),
    /// The browser was lost before the action was sent.
    BrowserGone(String),
}

impl ActionFailure {
    /// Returns the failure with its text replaced by the result of `change`.
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

/// The error that the browser is closed or does not respond. The text says what happened.
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
