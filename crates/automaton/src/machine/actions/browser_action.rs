//! The actions that a browser carries out.

use domain::page::{Area, Direction, Fallback, MouseButton, Point};

use crate::machine::grammar::Text;

use super::locator::Locator;

/// An action that a browser carries out. Its texts may refer to parameters, which are filled in by
/// whoever carries it out.
#[derive(Debug, Clone, PartialEq)]
pub enum BrowserAction {
    /// Open an address. It begins with `http://` or `https://`, which has to be checked again where its
    /// beginning is a parameter.
    Navigate {
        /// The address.
        url: Text,
    },
    /// Click an element.
    Click {
        /// The element.
        target: Target,
        /// The button.
        button: MouseButton,
        /// The place in the element: its share of the width, usually from 0 to 1.
        percentage: f64,
    },
    /// Click the middle of an element, select all that is in it, delete it, and type a text.
    Type {
        /// The element.
        target: Target,
        /// The text.
        text: Text,
        /// The time from one key to the next, in milliseconds.
        interval_ms: u64,
    },
    /// Turn the wheel.
    Scroll {
        /// The element over which it is turned; `None` for the page.
        over: Option<Locator>,
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
        locator: Locator,
        /// The longest time to wait for the element, in milliseconds.
        timeout_ms: u64,
    },
    /// Press a key, or several together: `ctrl+l`.
    PressKey {
        /// The key.
        key: Text,
    },
}

/// An element that an action is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The way to find the element.
    pub locator: Locator,
    /// The longest time to wait for the element, in milliseconds.
    pub timeout_ms: u64,
    /// Whether the page is scrolled until the element is seen.
    pub is_scrolled_to: bool,
    /// What happens where the element is not there; `None` where the action fails then.
    pub fallback: Option<Fallback>,
    /// Whether the box of the fallback is taken where the element was never there, too.
    pub always_falls_back: bool,
}

impl Target {
    /// Returns the point at which the action happens, by the box of the element that was found, and
    /// whether it is one of the fallback. Returns `None` where the action cannot happen.
    #[must_use]
    pub fn point(&self, found: Option<Area>, percentage: f64) -> Option<(Point, bool)> {
        let taken = match self.fallback {
            Some(Fallback::Taken(area)) => Some(area),
            Some(Fallback::Refused(_)) | None => None,
        };
        let area = found.or(taken)?;
        Some((area.point(percentage), found.is_none()))
    }
}

impl BrowserAction {
    /// Returns whether the action may be carried out again where nobody knows whether it was: it
    /// changes what is seen, and nothing else. A click, a key and a text may do anything.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        match self {
            Self::Navigate { .. } | Self::Scroll { .. } | Self::ScrollTo { .. } => true,
            Self::Click { .. } | Self::Type { .. } | Self::PressKey { .. } => false,
        }
    }

    /// Returns the element that is clicked or typed into.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::Click { target, .. } | Self::Type { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Returns how the element is found that the action is about, if it is about one.
    #[must_use]
    pub fn locator(&self) -> Option<&Locator> {
        match self {
            Self::Click { target, .. } | Self::Type { target, .. } => Some(&target.locator),
            Self::Scroll { over, .. } => over.as_ref(),
            Self::ScrollTo { locator, .. } => Some(locator),
            Self::Navigate { .. } | Self::PressKey { .. } => None,
        }
    }

    /// Returns the names of the parameters of the run that the action refers to.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let text = match self {
            Self::Navigate { url: text }
            | Self::Type { text, .. }
            | Self::PressKey { key: text } => Some(text),
            Self::Click { .. } | Self::Scroll { .. } | Self::ScrollTo { .. } => None,
        };
        let texts = self.locator().map(|locator| &locator.selector).into_iter();
        texts.chain(text).flat_map(Text::parameters)
    }

    /// Returns the action without the box of its fallback: it fails where its element is gone.
    #[must_use]
    pub fn without_fallback(mut self) -> Self {
        if let Self::Click { target, .. } | Self::Type { target, .. } = &mut self {
            target.fallback = None;
        }
        self
    }

    /// Returns the action with a fallback whose box is not used, for this reason.
    #[must_use]
    pub fn with_fallback_refused(mut self, why: &'static str) -> Self {
        if let Self::Click { target, .. } | Self::Type { target, .. } = &mut self {
            target.fallback = Some(Fallback::Refused(why));
        }
        self
    }

    /// Returns the longest time that the action itself may wait for its element, in milliseconds.
    #[must_use]
    pub fn timeout_ms(&self) -> u64 {
        match self {
            Self::Click { target, .. } | Self::Type { target, .. } => target.timeout_ms,
            Self::Scroll { timeout_ms, .. } | Self::ScrollTo { timeout_ms, .. } => *timeout_ms,
            Self::Navigate { .. } | Self::PressKey { .. } => 0,
        }
    }
}
