//! The actions on a page, with every text filled in.

use crate::Secret;

use super::area::Area;
use super::by::By;
use super::mouse::{Direction, MouseButton};

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
        /// The distance in notches of the wheel, below 0 the other way: see [`super::PIXELS_A_NOTCH`].
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
