//! What a browser is asked to do: a small closed vocabulary, made of calls that were read.
//!
//! //= seed 001, Triggers and Actions

use std::fmt;

use domain::page::{Area, By, Direction, Fallback, MouseButton, Point};

use super::grammar::{Call, Function, Text, TextPart, Value};

/// The longest time to wait, in seconds. The run's own time is far shorter.
pub const WAIT_SECONDS_MAX: f64 = 1e9;
/// The largest other number: more pixels than a page is long, more notches than anybody turns.
const NUMBER_MAX: f64 = 1e9;
const BUTTONS: [(&str, MouseButton); 3] = [
    ("left", MouseButton::Left),
    ("middle", MouseButton::Middle),
    ("right", MouseButton::Right),
];
const FALLBACKS: [(&str, bool); 1] = [("always", true)];
const DIRECTIONS: [(&str, Direction); 2] = [("up", Direction::Up), ("down", Direction::Down)];
/// The longest time to wait for an element, or from one key to the next, in seconds.
const TIMEOUT_SECONDS_MAX: f64 = 600.0;

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

/// The way to find an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locator {
    /// The way in which the selector is read.
    pub by: By,
    /// The selector.
    pub selector: Text,
}

impl fmt::Display for Locator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.by.as_str(), self.selector)
    }
}

impl BrowserAction {
    /// Returns whether the action may be carried out again where it is unknown whether it was: it
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

/// The arguments of a call, each read as its kind, with its default. An error is a sentence without the
/// argument's value.
struct Arguments<'call> {
    call: &'call Call,
}

impl<'call> Arguments<'call> {
    fn of(call: &'call Call) -> Self {
        Self { call }
    }

    /// Returns an argument that was given and is not `None`.
    fn given(&self, name: &str) -> Option<&'call Value> {
        let value = self.call.argument(name);
        value.filter(|value| !matches!(value, Value::Nothing))
    }

    /// Returns a text that must be given.
    fn text(&self, name: &str) -> Result<Text, String> {
        let text = self.given(name).and_then(Value::as_text);
        text.cloned()
            .ok_or_else(|| format!("`{name}` must be a text"))
    }

    /// Returns a number, or its default.
    fn number(&self, name: &str, default: f64) -> Result<f64, String> {
        let Some(value) = self.given(name) else {
            return Ok(default);
        };
        let number = value.as_number();
        number.ok_or_else(|| format!("`{name}` must be a number"))
    }

    /// Returns a number of seconds in milliseconds, or its default. A time below 0 is none, and a very
    /// long one is cut.
    fn ms(&self, name: &str, seconds: f64) -> Result<u64, String> {
        let seconds = self.number(name, seconds)?;
        Ok(to_ms(seconds.clamp(0.0, TIMEOUT_SECONDS_MAX)))
    }

    /// Returns a number of seconds to wait in milliseconds, which must be given.
    fn wait_ms(&self, name: &str, seconds_max: f64) -> Result<u64, String> {
        let seconds = self
            .given(name)
            .and_then(Value::as_number)
            .filter(|seconds| (0.0..=seconds_max).contains(seconds));
        seconds
            .map(to_ms)
            .ok_or_else(|| format!("`{name}` must be a number from 0"))
    }

    /// Returns a flag, or its default.
    fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.call.argument(name) {
            None => Ok(default),
            Some(Value::Flag(flag)) => Ok(*flag),
            // Python takes None and 0 for false, and other numbers for true.
            Some(Value::Nothing) => Ok(false),
            Some(Value::Whole(whole)) => Ok(*whole != 0),
            Some(_) => Err(format!("`{name}` must be True or False")),
        }
    }

    /// Returns the value of a word, or its default.
    fn word<T: Copy>(&self, name: &str, default: T, words: &[(&str, T)]) -> Result<T, String> {
        let Some(value) = self.given(name) else {
            return Ok(default);
        };
        let word = value.as_text().and_then(Text::as_literal);
        let known = words.iter().find(|(known, _)| Some(*known) == word);
        known.map(|(_, meant)| *meant).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
            match known.as_slice() {
                [only] => format!("`{name}` must be '{only}', or is left out"),
                known => format!("`{name}` must be one of {}", known.join(", ")),
            }
        })
    }

    /// Returns how the call's element is found.
    fn locator(&self) -> Result<Locator, String> {
        let by = self.text("by")?.as_literal().and_then(By::named);
        Ok(Locator {
            by: by.ok_or("`by` must be a way to find an element, such as css selector")?,
            selector: self.text("selector")?,
        })
    }

    /// Returns how the call's element is found, where the call has one.
    fn optional_locator(&self) -> Result<Option<Locator>, String> {
        let is_empty = |name: &str| {
            let value = self.given(name);
            value.is_none_or(|value| value.as_text().and_then(Text::as_literal) == Some(""))
        };
        // Where one of the two is missing it is the page that is scrolled.
        if is_empty("by") || is_empty("selector") {
            return Ok(None);
        }
        self.locator().map(Some)
    }

    /// Returns the box of the fallback, where all of its numbers are given.
    fn fallback(&self) -> Result<Option<Area>, String> {
        let number = |name: &str| {
            let given = self.given(name).map(|value| {
                let number = value.as_number();
                number.ok_or_else(|| format!("`{name}` must be a number"))
            });
            given.transpose()
        };
        let (x, y) = (number("fallback_x")?, number("fallback_y")?);
        let (width, height) = (number("fallback_width")?, number("fallback_height")?);
        let area = x.zip(y).zip(width.zip(height));
        Ok(area.map(|((x, y), (width, height))| Area {
            x,
            y,
            width,
            height,
        }))
    }
}

/// Returns seconds in milliseconds. They lie between 0 and 10^9.
fn to_ms(seconds: f64) -> u64 {
    // From 0 to 10^12.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = (seconds * 1_000.0 + 0.5) as u64;
    ms
}
