//! What a browser is asked to do: a small closed vocabulary, made of calls that were read.
//!
//! //= seed 001, Triggers and Actions

mod area;
mod arguments;
mod browser_action;
mod locator;
mod step;

pub use area::{Area, Point};
pub use browser_action::{BrowserAction, Direction, MouseButton, PIXELS_A_NOTCH, Target};
pub use locator::{By, Locator};
pub use step::{Step, WAIT_SECONDS_MAX};
