//! A look at a page.

use super::area::Area;
use super::signals::{Query, Signals};

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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageView {
    /// The signals of the page.
    pub signals: Signals,
    /// The page's title, at most 200 characters of it.
    pub title: String,
    /// The elements that can be acted on, in page order; empty where nobody wanted them.
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
#[derive(Debug, Clone, PartialEq)]
pub struct PageElement {
    /// The element's selector, which finds it alone.
    pub selector: String,
    /// The element's tag, in lower case.
    pub tag: String,
    /// The element's role or type, like `button` or `password`; empty where it has none.
    pub role: String,
    /// The words by which people know the element: its text, label or placeholder, at most 100 characters.
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
