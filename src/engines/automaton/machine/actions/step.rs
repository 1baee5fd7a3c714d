//! What a call asks for.

use crate::engines::automaton::machine::grammar::{Call, Function, Text, TextPart};

use super::arguments::Arguments;
use super::browser_action::{BrowserAction, Direction, MouseButton, Target};

/// The longest time to wait, in seconds.
pub const WAIT_SECONDS_MAX: f64 = 3_600.0;
/// The longest time to wait for an element, in seconds.
const TIMEOUT_SECONDS_MAX: f64 = 600.0;
/// The longest time from one key to the next, in seconds.
const INTERVAL_SECONDS_MAX: f64 = 10.0;
/// The most notches of the wheel at once.
const NOTCHES_MAX: f64 = 10_000.0;
/// The farthest place of a fallback, in pixels: more than a page is long.
const PIXELS_MAX: f64 = 1e9;

/// What a call asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The browser does something.
    Act(BrowserAction),
    /// Some time passes.
    Wait {
        /// The time, in milliseconds.
        ms: u64,
    },
}

impl Step {
    /// Returns what a call asks for. An error is a part of a sentence without any value of the call:
    /// its arguments make no sense.
    pub fn of(call: &Call) -> Result<Self, String> {
        let given = Arguments::of(call);
        Ok(Self::Act(match call.function() {
            Function::Wait => {
                if call
                    .argument("seconds")
                    .is_none_or(|value| value.as_number().is_none())
                {
                    return Err("`seconds` must be a number from 0".to_owned());
                }
                let ms = given.ms("seconds", 0.0, WAIT_SECONDS_MAX)?;
                return Ok(Self::Wait { ms });
            }
            Function::NavigateTo => BrowserAction::Navigate {
                url: address(&given)?,
            },
            Function::Click => BrowserAction::Click {
                target: target(&given)?,
                button: given.word("button", MouseButton::Left, &BUTTONS)?,
                percentage: share(&given)?,
            },
            Function::Type => BrowserAction::Type {
                target: target(&given)?,
                text: given.text("text")?,
                interval_ms: given.ms("base_interval", 0.1, INTERVAL_SECONDS_MAX)?,
            },
            Function::Scroll => BrowserAction::Scroll {
                over: given.optional_locator()?,
                timeout_ms: given.ms("timeout", 10.0, TIMEOUT_SECONDS_MAX)?,
                direction: given.word("direction", Direction::Down, &DIRECTIONS)?,
                notches: within(&given, "scroll_amount", 10.0, NOTCHES_MAX)?,
            },
            Function::ScrollTo => BrowserAction::ScrollTo {
                locator: given.locator()?,
                timeout_ms: given.ms("timeout", 10.0, TIMEOUT_SECONDS_MAX)?,
            },
            Function::PressKey => BrowserAction::PressKey {
                key: given.text("key")?,
            },
        }))
    }
}

const BUTTONS: [(&str, MouseButton); 3] = [
    ("left", MouseButton::Left),
    ("middle", MouseButton::Middle),
    ("right", MouseButton::Right),
];

const DIRECTIONS: [(&str, Direction); 2] = [("up", Direction::Up), ("down", Direction::Down)];

fn within(given: &Arguments<'_>, name: &str, default: f64, number_max: f64) -> Result<f64, String> {
    let number = given.number(name, default)?;
    if number > number_max {
        return Err(format!("`{name}` must be at most {number_max}"));
    }
    Ok(number)
}

fn share(given: &Arguments<'_>) -> Result<f64, String> {
    within(given, "percentage", 0.5, 1.0)
}

fn target(given: &Arguments<'_>) -> Result<Target, String> {
    let fallback = given.fallback()?;
    let is_far = |pixels: f64| pixels.abs() > PIXELS_MAX;
    if fallback.is_some_and(|area| {
        is_far(area.x) || is_far(area.y) || is_far(area.width) || is_far(area.height)
    }) {
        return Err("the fallback lies on no page".to_owned());
    }
    Ok(Target {
        locator: given.locator()?,
        timeout_ms: given.ms("timeout", 10.0, TIMEOUT_SECONDS_MAX)?,
        is_scrolled_to: given.flag("scroll_to", true)?,
        fallback,
    })
}

/// Returns the address that is opened. A parameter at its beginning has to be checked by whoever fills
/// it in.
fn address(given: &Arguments<'_>) -> Result<Text, String> {
    let url = given.text("url")?;
    let begins_well = match url.parts().first() {
        Some(TextPart::Literal(text)) => {
            text.starts_with("http://") || text.starts_with("https://")
        }
        Some(TextPart::Parameter(_)) => true,
        None => false,
    };
    if begins_well {
        Ok(url)
    } else {
        Err("`url` must begin with http:// or https://".to_owned())
    }
}
