//! What a call asks for.

use domain::page::{Direction, Fallback, MouseButton};

use crate::machine::grammar::{Call, Function, Text, TextPart};

use super::arguments::Arguments;
use super::browser_action::{BrowserAction, Target};

/// The longest time to wait, in seconds. The run's own time is far shorter.
pub const WAIT_SECONDS_MAX: f64 = 1e9;
/// The largest other number: more pixels than a page is long, more notches than anybody turns.
const NUMBER_MAX: f64 = 1e9;

/// The step that a call asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The browser does something.
    Act(BrowserAction),
    /// Some time passes.
    Wait {
        /// The time, in milliseconds.
        ms: u64,
    },
    /// A chain between two people is looked for, by a run of another engine.
    Investigate {
        /// The person with whom the chain starts.
        person_a: Text,
        /// The person with whom the chain ends.
        person_b: Text,
    },
}

impl Step {
    /// Returns what a call asks for. An error is a part of a sentence without any value of the call:
    /// its arguments make no sense.
    pub fn of(call: &Call) -> Result<Self, String> {
        let given = Arguments::of(call);
        Ok(Self::Act(match call.function() {
            Function::Wait => {
                return Ok(Self::Wait {
                    ms: given.wait_ms("seconds", WAIT_SECONDS_MAX)?,
                });
            }
            Function::Investigate => {
                return Ok(Self::Investigate {
                    person_a: given.text("person_a")?,
                    person_b: given.text("person_b")?,
                });
            }
            Function::NavigateTo => BrowserAction::Navigate {
                url: address(&given)?,
            },
            Function::Click => BrowserAction::Click {
                target: target(&given)?,
                button: given.word("button", MouseButton::Left, &BUTTONS)?,
                percentage: within(&given, "percentage", 0.5)?,
            },
            Function::Type => BrowserAction::Type {
                target: target(&given)?,
                text: given.text("text")?,
                interval_ms: given.ms("base_interval", 0.1)?,
            },
            Function::Scroll => BrowserAction::Scroll {
                over: given.optional_locator()?,
                timeout_ms: given.ms("timeout", 10.0)?,
                direction: given.word("direction", Direction::Down, &DIRECTIONS)?,
                notches: within(&given, "scroll_amount", 10.0)?,
            },
            Function::ScrollTo => BrowserAction::ScrollTo {
                locator: given.locator()?,
                timeout_ms: given.ms("timeout", 10.0)?,
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

const FALLBACKS: [(&str, bool); 1] = [("always", true)];

const DIRECTIONS: [(&str, Direction); 2] = [("up", Direction::Up), ("down", Direction::Down)];

fn within(given: &Arguments<'_>, name: &str, default: f64) -> Result<f64, String> {
    let number = given.number(name, default)?;
    if number.abs() > NUMBER_MAX {
        return Err(format!("`{name}` is too large"));
    }
    Ok(number)
}

fn target(given: &Arguments<'_>) -> Result<Target, String> {
    let fallback = given.fallback()?;
    let is_far = |pixels: f64| pixels.abs() > NUMBER_MAX;
    if fallback.is_some_and(|area| {
        is_far(area.x) || is_far(area.y) || is_far(area.width) || is_far(area.height)
    }) {
        return Err("the fallback lies on no page".to_owned());
    }
    let always_falls_back = given.word("fallback", false, &FALLBACKS)?;
    if always_falls_back && fallback.is_none() {
        let needed = "fallback_x, fallback_y, fallback_width and fallback_height";
        return Err(format!("`fallback` needs a box: {needed}"));
    }
    Ok(Target {
        locator: given.locator()?,
        timeout_ms: given.ms("timeout", 10.0)?,
        is_scrolled_to: given.flag("scroll_to", true)?,
        fallback: fallback.map(Fallback::Taken),
        always_falls_back,
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
