//! What a browser is asked to do: a small closed vocabulary, made of calls that were read.
//!
//! //= seed 001, Triggers and Actions

mod arguments;
mod browser_action;
mod locator;
mod step;

pub use browser_action::{BrowserAction, Target};
pub use locator::Locator;
pub use step::{Step, WAIT_SECONDS_MAX};
