//! Browser actions: a small closed vocabulary. Parsed calls are converted to them.
//!
//! //= seed 001, Triggers and Actions

use std::fmt;

use domain::page::{Area, By, Direction, Fallback, MouseButton, Point, WantedTab};

use super::grammar::{Call, Function, Text, TextPart, Value};

/// The longest wait that a call may request, in seconds. It is no real limit, since the run's own time is far shorter.
pub const WAIT_SECONDS_MAX: f64 = 1e9;
/// The largest magnitude of a number that is not a duration. No action needs that many pixels or wheel notches.
const NUMBER_MAX: f64 = 1e9;
const BUTTONS: [(&str, MouseButton); 3] = [
    ("left", MouseButton::Left),
    ("middle", MouseButton::Middle),
    ("right", MouseButton::Right),
];
const FALLBACKS: [(&str, bool); 1] = [("always", true)];
const DIRECTIONS: [(&str, Direction); 2] = [("up", Direction::Up), ("down", Direction::Down)];
/// The longest time for which a key is held, in milliseconds, and how often it is pressed at most.
const HOLD_MS_MAX: u64 = 60_000;
const TIMES_MAX: u32 = 200;
/// The longest wait for an element, and the longest delay between two keys, in seconds.
const TIMEOUT_SECONDS_MAX: f64 = 600.0;

/// A browser action. Its texts may refer to parameters, which the executor fills in.
#[derive(Debug, Clone, PartialEq)]
pub enum BrowserAction {
    /// Opens an address that begins with `http://` or `https://`. If the address begins with a parameter, the executor
    /// checks this once it knows the value.
    Navigate {
        /// The address to open.
        url: Text,
    },
    /// Clicks an element.
    Click {
        /// The element to click.
        target: Target,
        /// The mouse button.
        button: MouseButton,
        /// How many times to click: 1, or 2 for a double click.
        clicks: u32,
        /// The horizontal position in the element, as a share of its width, usually from 0 to 1.
        percentage: f64,
    },
    /// Moves the mouse over an element.
    Hover {
        /// The element to move to.
        target: Target,
        /// The horizontal position in the element, as a share of its width.
        percentage: f64,
    },
    /// Drags an element with the left mouse button.
    Drag {
        /// The element to drag.
        target: Target,
        /// The element to drop it on; `None` to drop it at the distance from where it is.
        onto: Option<Locator>,
        /// The distance from the middle of the element to drop it on, or from where it is, in CSS pixels.
        offset: Point,
    },
    /// Chooses options of a list.
    Select {
        /// The list, or what opens it.
        target: Target,
        /// The texts or values of the options, one in each line.
        options: Text,
    },
    /// Checks or unchecks a box.
    Check {
        /// The box.
        target: Target,
        /// Whether it is to be checked.
        is_checked: bool,
    },
    /// Clicks the middle of an element, selects and deletes its content, and types a text.
    Type {
        /// The element to type into.
        target: Target,
        /// The text to type.
        text: Text,
        /// The delay between two keys, in milliseconds.
        interval_ms: u64,
    },
    /// Turns the mouse wheel over the page or an element.
    Scroll {
        /// The element under the mouse; `None` to scroll the page.
        over: Option<Locator>,
        /// The longest wait for the element, in milliseconds.
        timeout_ms: u64,
        /// The direction in which to scroll.
        direction: Direction,
        /// The distance in notches of the wheel, negative for the opposite direction: see [`domain::page::PIXELS_A_NOTCH`].
        notches: f64,
    },
    /// Scrolls until an element is visible. Does nothing if it is absent.
    ScrollTo {
        /// The element to make visible.
        locator: Locator,
        /// The longest wait for the element, in milliseconds.
        timeout_ms: u64,
    },
    /// Presses a key, or several keys together, like `ctrl+l`.
    PressKey {
        /// The key, or the keys joined by `+`.
        key: Text,
        /// The element that gets the focus first; `None` to press the key wherever the focus is.
        target: Option<Target>,
        /// How long the key is held, in milliseconds.
        hold_ms: u64,
        /// How many times it is pressed.
        times: u32,
    },
    /// Gives files of the request to a field, or drops them on an element.
    Upload {
        /// The field, its label, or the element to drop them on.
        target: Target,
        /// The names under which the request has the files.
        files: Vec<String>,
    },
    /// Clicks an element, and keeps the file that the page then downloads.
    Download {
        /// The element to click.
        target: Target,
    },
    /// Goes back to the page before.
    GoBack,
    /// Makes another tab the page.
    SwitchTo {
        /// The tab.
        tab: WantedTab,
        /// The longest wait for the tab, in milliseconds.
        timeout_ms: u64,
    },
    /// Reads texts of the page.
    Extract {
        /// The name under which the run keeps them.
        name: String,
        /// The element whose text is read.
        locator: Locator,
        /// The attribute to read instead of the text.
        attribute: Option<String>,
        /// Whether all elements that the locator finds are read.
        is_list: bool,
        /// The longest wait for an element, in milliseconds.
        timeout_ms: u64,
    },
}

/// The element of a click or of typing, and what to do if it is absent.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The type and the text of the selector that finds the element.
    pub locator: Locator,
    /// The longest wait for the element, in milliseconds.
    pub timeout_ms: u64,
    /// Whether to scroll first until the element is visible.
    pub is_scrolled_to: bool,
    /// What to do if the element is absent; `None` to fail.
    pub fallback: Option<Fallback>,
    /// Whether to use the fallback's box even if the element was never found during the run.
    pub always_falls_back: bool,
}

impl Target {
    /// Returns the point at which to aim the mouse, and whether it is in the fallback's box because the element was not
    /// found. Returns `None` if there is no box.
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

/// A selector that finds an element on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locator {
    /// The type of the selector, such as CSS or `XPath`.
    pub by: By,
    /// The selector, which may refer to parameters.
    pub selector: Text,
}

impl fmt::Display for Locator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.by.as_str(), self.selector)
    }
}

impl BrowserAction {
    /// Returns whether the action may be repeated if it is unknown whether it was executed. This holds for actions that
    /// only change what is visible, whereas a click, a key or a text may have any effect.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        match self {
            Self::Navigate { .. }
            | Self::Hover { .. }
            | Self::Scroll { .. }
            | Self::ScrollTo { .. }
            | Self::SwitchTo {
                tab: WantedTab::Number(_),
                ..
            }
            | Self::Extract { .. } => true,
            Self::Click { .. }
            | Self::Drag { .. }
            | Self::Select { .. }
            | Self::Check { .. }
            | Self::Type { .. }
            | Self::Upload { .. }
            | Self::Download { .. }
            | Self::PressKey { .. }
            | Self::SwitchTo {
                tab: WantedTab::New,
                ..
            }
            | Self::GoBack => false,
        }
    }

    /// Returns the element that the action is performed on and waits for; `None` for other actions.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::Click { target, .. }
            | Self::Hover { target, .. }
            | Self::Drag { target, .. }
            | Self::Select { target, .. }
            | Self::Check { target, .. }
            | Self::Type { target, .. }
            | Self::Upload { target, .. }
            | Self::Download { target } => Some(target),
            Self::PressKey { target, .. } => target.as_ref(),
            _ => None,
        }
    }

    fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Self::Click { target, .. }
            | Self::Hover { target, .. }
            | Self::Drag { target, .. }
            | Self::Select { target, .. }
            | Self::Check { target, .. }
            | Self::Type { target, .. }
            | Self::Upload { target, .. }
            | Self::Download { target } => Some(target),
            Self::PressKey { target, .. } => target.as_mut(),
            _ => None,
        }
    }

    /// Returns the locator of the action's element; `None` if the action has no element.
    #[must_use]
    pub fn locator(&self) -> Option<&Locator> {
        match self {
            Self::Scroll { over, .. } => over.as_ref(),
            Self::ScrollTo { locator, .. } | Self::Extract { locator, .. } => Some(locator),
            _ => self.target().map(|target| &target.locator),
        }
    }

    /// Returns the names of the run's parameters to which the action's texts refer.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let text = match self {
            Self::Navigate { url: text }
            | Self::Select { options: text, .. }
            | Self::Type { text, .. }
            | Self::PressKey { key: text, .. } => Some(text),
            Self::Drag { onto, .. } => onto.as_ref().map(|onto| &onto.selector),
            _ => None,
        };
        let texts = self.locator().map(|locator| &locator.selector).into_iter();
        texts.chain(text).flat_map(Text::parameters)
    }

    /// Returns the action without a fallback, so that it fails if its element is absent.
    #[must_use]
    pub fn without_fallback(mut self) -> Self {
        if let Some(target) = self.target_mut() {
            target.fallback = None;
        }
        self
    }

    /// Returns the action with its fallback replaced by the reason why the box must not be used.
    #[must_use]
    pub fn with_fallback_refused(mut self, why: &'static str) -> Self {
        if let Some(target) = self.target_mut() {
            target.fallback = Some(Fallback::Refused(why));
        }
        self
    }

    /// Returns the longest time that the action may wait for its element or hold a key, in milliseconds.
    #[must_use]
    pub fn timeout_ms(&self) -> u64 {
        let waits_ms = match self {
            Self::Scroll { timeout_ms, .. }
            | Self::ScrollTo { timeout_ms, .. }
            | Self::SwitchTo { timeout_ms, .. }
            | Self::Extract { timeout_ms, .. } => *timeout_ms,
            _ => self.target().map_or(0, |target| target.timeout_ms),
        };
        let held_ms = match self {
            Self::PressKey { hold_ms, times, .. } => hold_ms.saturating_mul(u64::from(*times)),
            _ => 0,
        };
        waits_ms.saturating_add(held_ms)
    }
}

/// A parsed call, ready to be executed.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A browser action.
    Act(BrowserAction),
    /// A wait in which nothing else happens.
    Wait {
        /// The duration, in milliseconds.
        ms: u64,
    },
    /// An investigation, to be executed as a child run.
    Investigate {
        /// The person at the start of the chain.
        person_a: Text,
        /// The person at the end of the chain.
        person_b: Text,
    },
}

impl Step {
    /// Converts a call to its step. Fails if the arguments make no sense. The error is part of a sentence and quotes
    /// none of the arguments' values.
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
            Function::Click | Function::DoubleClick | Function::RightClick => {
                click(call.function(), &given)?
            }
            Function::Hover => BrowserAction::Hover {
                target: target(&given)?,
                percentage: within(&given, "percentage", 0.5)?,
            },
            Function::Drag => drag(&given)?,
            Function::Select => BrowserAction::Select {
                target: target(&given)?,
                options: given.text("option")?,
            },
            Function::Check | Function::Uncheck => BrowserAction::Check {
                target: target(&given)?,
                is_checked: call.function() == Function::Check,
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
            Function::PressKey | Function::Press => press(&given)?,
            Function::GoBack => BrowserAction::GoBack,
            Function::SwitchTo => BrowserAction::SwitchTo {
                tab: tab(&given)?,
                timeout_ms: given.ms("timeout", 10.0)?,
            },
            Function::Extract => extract(&given)?,
            Function::Upload => upload(&given)?,
            Function::Download => BrowserAction::Download {
                target: target(&given)?,
            },
        }))
    }
}

fn click(function: Function, given: &Arguments<'_>) -> Result<BrowserAction, String> {
    Ok(BrowserAction::Click {
        target: target(given)?,
        button: match function {
            Function::RightClick => MouseButton::Right,
            Function::DoubleClick => MouseButton::Left,
            _ => given.word("button", MouseButton::Left, &BUTTONS)?,
        },
        clicks: if function == Function::DoubleClick {
            2
        } else {
            1
        },
        percentage: within(given, "percentage", 0.5)?,
    })
}

fn drag(given: &Arguments<'_>) -> Result<BrowserAction, String> {
    let onto = given.locator_of("to_by", "to_selector")?;
    let is_moved = given.given("offset_x").is_some() || given.given("offset_y").is_some();
    if onto.is_none() && !is_moved {
        let needed = "where to: `to_by` and `to_selector`, or `offset_x` and `offset_y`";
        return Err(format!("`drag` needs {needed}"));
    }
    Ok(BrowserAction::Drag {
        target: target(given)?,
        onto,
        offset: Point {
            x: within(given, "offset_x", 0.0)?,
            y: within(given, "offset_y", 0.0)?,
        },
    })
}

fn press(given: &Arguments<'_>) -> Result<BrowserAction, String> {
    let hold_ms = given.ms("hold", 0.0)?;
    if hold_ms > HOLD_MS_MAX {
        return Err(format!("`hold` is at most {} seconds", HOLD_MS_MAX / 1_000));
    }
    let times = given.count("times", 1, TIMES_MAX)?;
    Ok(BrowserAction::PressKey {
        key: given.text("key")?,
        target: match given.locator_of("by", "selector")? {
            Some(locator) => Some(Target {
                locator,
                timeout_ms: given.ms("timeout", 10.0)?,
                is_scrolled_to: true,
                fallback: None,
                always_falls_back: false,
            }),
            None => None,
        },
        hold_ms,
        times,
    })
}

fn tab(given: &Arguments<'_>) -> Result<WantedTab, String> {
    let wanted = match given.given("tab") {
        None => Some(WantedTab::New),
        Some(Value::Text(text)) => (text.as_literal() == Some("new")).then_some(WantedTab::New),
        Some(Value::Whole(whole)) => usize::try_from(*whole)
            .ok()
            .filter(|number| *number > 0)
            .map(WantedTab::Number),
        Some(_) => None,
    };
    wanted.ok_or_else(|| "`tab` must be 'new', or the number of a tab from 1".to_owned())
}

fn extract(given: &Arguments<'_>) -> Result<BrowserAction, String> {
    let literal = |name: &str| given.text(name).ok()?.as_literal().map(str::to_owned);
    let name = literal("name").filter(|name| domain::stored_name(name).is_some());
    let what = "`name` must be 1 to 64 letters, digits, -, _ and .";
    Ok(BrowserAction::Extract {
        name: name.ok_or(what)?,
        locator: given.locator()?,
        attribute: match given.given("attribute") {
            None => None,
            Some(_) => Some(literal("attribute").ok_or("`attribute` must be a text")?),
        },
        is_list: given.flag("all", false)?,
        timeout_ms: given.ms("timeout", 10.0)?,
    })
}

fn upload(given: &Arguments<'_>) -> Result<BrowserAction, String> {
    let names = given.text("file")?;
    let names = names.as_literal().unwrap_or_default().lines();
    let names: Option<Vec<_>> = names
        .map(|name| domain::stored_name(name).map(str::to_owned))
        .collect();
    let names = names.filter(|names| !names.is_empty());
    Ok(BrowserAction::Upload {
        target: target(given)?,
        files: names
            .ok_or("`file` must be the name of a file of the request, or one in each line")?,
    })
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

/// Returns the address to open. The executor checks an address that begins with a parameter.
fn address(given: &Arguments<'_>) -> Result<Text, String> {
    let url = given.text("url")?;
    let begins_well = match url.parts().first() {
        Some(TextPart::Literal(text)) => {
            text.starts_with("http://") || text.starts_with("https://")
        }
        Some(TextPart::Parameter(_) | TextPart::Extracted(_)) => true,
        Some(TextPart::OneTimeCode(_)) | None => false,
    };
    if begins_well {
        Ok(url)
    } else {
        Err("`url` must begin with http:// or https://".to_owned())
    }
}

/// The arguments of a call. Each method reads one as a certain type, or returns the default; errors quote no values.
struct Arguments<'call> {
    call: &'call Call,
}

impl<'call> Arguments<'call> {
    fn of(call: &'call Call) -> Self {
        Self { call }
    }

    /// Returns the value of an argument; `None` if it is absent or is Python's `None`.
    fn given(&self, name: &str) -> Option<&'call Value> {
        let value = self.call.argument(name);
        value.filter(|value| !matches!(value, Value::Nothing))
    }

    /// Returns the text of a required argument.
    fn text(&self, name: &str) -> Result<Text, String> {
        let text = self.given(name).and_then(Value::as_text);
        text.cloned()
            .ok_or_else(|| format!("`{name}` must be a text"))
    }

    /// Returns the number of an argument, or the default if the argument is absent.
    fn number(&self, name: &str, default: f64) -> Result<f64, String> {
        let Some(value) = self.given(name) else {
            return Ok(default);
        };
        let number = value.as_number();
        number.ok_or_else(|| format!("`{name}` must be a number"))
    }

    /// Converts an argument, or its default, from seconds to milliseconds. Negative times become 0, and very long ones
    /// are capped.
    fn ms(&self, name: &str, seconds: f64) -> Result<u64, String> {
        let seconds = self.number(name, seconds)?;
        Ok(to_ms(seconds.clamp(0.0, TIMEOUT_SECONDS_MAX)))
    }

    /// Converts a required wait from seconds to milliseconds.
    fn wait_ms(&self, name: &str, seconds_max: f64) -> Result<u64, String> {
        let seconds = self
            .given(name)
            .and_then(Value::as_number)
            .filter(|seconds| (0.0..=seconds_max).contains(seconds));
        seconds
            .map(to_ms)
            .ok_or_else(|| format!("`{name}` must be a number from 0"))
    }

    /// Returns the flag of an argument, or the default if the argument is absent.
    fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.call.argument(name) {
            None => Ok(default),
            Some(Value::Flag(flag)) => Ok(*flag),
            // As in Python, None and 0 count as false, and other numbers as true.
            Some(Value::Nothing) => Ok(false),
            Some(Value::Whole(whole)) => Ok(*whole != 0),
            Some(_) => Err(format!("`{name}` must be True or False")),
        }
    }

    /// Returns the value for which the word in an argument stands, or the default if the argument is absent.
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

    /// Returns the whole number of an argument, from 1 to `most`, or the default if the argument is absent.
    fn count(&self, name: &str, default: u32, most: u32) -> Result<u32, String> {
        let Some(value) = self.given(name) else {
            return Ok(default);
        };
        let count = match value {
            Value::Whole(whole) => u32::try_from(*whole).ok(),
            _ => None,
        };
        let count = count.filter(|count| (1..=most).contains(count));
        count.ok_or_else(|| format!("`{name}` must be a whole number from 1 to {most}"))
    }

    /// Returns the locator of the call's element, which is required.
    fn locator(&self) -> Result<Locator, String> {
        self.named_locator("by", "selector")
    }

    fn named_locator(&self, by: &str, selector: &str) -> Result<Locator, String> {
        let way = self.text(by)?.as_literal().and_then(By::named);
        Ok(Locator {
            by: way.ok_or_else(|| {
                format!("`{by}` must be a way to find an element, such as css selector")
            })?,
            selector: self.text(selector)?,
        })
    }

    /// Returns the locator in these two arguments, or `None` if both are absent.
    fn locator_of(&self, by: &str, selector: &str) -> Result<Option<Locator>, String> {
        if self.given(by).is_none() && self.given(selector).is_none() {
            return Ok(None);
        }
        self.named_locator(by, selector).map(Some)
    }

    /// Returns the locator of the call's element, or `None` if the call names none.
    fn optional_locator(&self) -> Result<Option<Locator>, String> {
        let is_empty = |name: &str| {
            let value = self.given(name);
            value.is_none_or(|value| value.as_text().and_then(Text::as_literal) == Some(""))
        };
        // Without a complete locator the action scrolls the page.
        if is_empty("by") || is_empty("selector") {
            return Ok(None);
        }
        self.locator().map(Some)
    }

    /// Returns the fallback's box; `None` unless all of its numbers are given.
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

/// Converts seconds, from 0 to 10^9, to milliseconds.
fn to_ms(seconds: f64) -> u64 {
    // The number is from 0 to 10^12, so the conversion loses nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = (seconds * 1_000.0 + 0.5) as u64;
    ms
}
