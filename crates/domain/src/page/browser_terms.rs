//! The terms on which a browser is driven for one run.

use crate::Secret;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserAddress {
    /// The browser's session: the id that the provider gave it.
    pub session: String,
    /// The run's own context in it, with cookies and storage of its own; `None` before there is one.
    pub context: Option<String>,
    /// The page in that context; `None` before there is one.
    pub target: Option<String>,
}
