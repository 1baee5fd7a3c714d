//! What is seen of a web page, and what may be done on it: values alone, which engines, effects and the
//! browser's client share.

mod action;
mod area;
mod browser_terms;
mod by;
mod done;
mod look;
mod mouse;
mod signals;

pub use action::{ElementLocator, ElementTarget, Fallback, PageAction, TypedText};
pub use area::{Area, Point};
pub use browser_terms::{BrowserAddress, BrowserTerms, Viewport};
pub use by::By;
pub use done::{ActionFailure, BrowserGone, Done};
pub use look::{Look, PageElement, PagePicture, PageView, Seen};
pub use mouse::{Direction, MouseButton, PIXELS_A_NOTCH};
pub use signals::{Item, Query, Signals};
