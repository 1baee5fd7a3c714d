//! The arguments of a call, each read as its kind.

use domain::page::{Area, By};

use crate::machine::grammar::{Call, Text, Value};

use super::locator::Locator;

/// The longest time to wait for an element, or from one key to the next, in seconds.
const TIMEOUT_SECONDS_MAX: f64 = 600.0;

/// The arguments of a call, each read as its kind, with its default. An error is a sentence without the
/// argument's value.
pub(super) struct Arguments<'call> {
    call: &'call Call,
}

impl<'call> Arguments<'call> {
    pub(super) fn of(call: &'call Call) -> Self {
        Self { call }
    }

    /// Returns an argument that was given and is not `None`.
    fn given(&self, name: &str) -> Option<&'call Value> {
        let value = self.call.argument(name);
        value.filter(|value| !matches!(value, Value::Nothing))
    }

    /// Returns a text that must be given.
    pub(super) fn text(&self, name: &str) -> Result<Text, String> {
        let text = self.given(name).and_then(Value::as_text);
        text.cloned()
            .ok_or_else(|| format!("`{name}` must be a text"))
    }

    /// Returns a number, or its default.
    pub(super) fn number(&self, name: &str, default: f64) -> Result<f64, String> {
        let Some(value) = self.given(name) else {
            return Ok(default);
        };
        let number = value.as_number();
        number.ok_or_else(|| format!("`{name}` must be a number"))
    }

    /// Returns a number of seconds in milliseconds, or its default. A time below 0 is none, and a very
    /// long one is cut.
    pub(super) fn ms(&self, name: &str, seconds: f64) -> Result<u64, String> {
        let seconds = self.number(name, seconds)?;
        Ok(to_ms(seconds.clamp(0.0, TIMEOUT_SECONDS_MAX)))
    }

    /// Returns a number of seconds to wait in milliseconds, which must be given.
    pub(super) fn wait_ms(&self, name: &str, seconds_max: f64) -> Result<u64, String> {
        let seconds = self.given(name).and_then(Value::as_number);
        let seconds = seconds.filter(|seconds| (0.0..=seconds_max).contains(seconds));
        seconds
            .map(to_ms)
            .ok_or_else(|| format!("`{name}` must be a number from 0"))
    }

    /// Returns a flag, or its default.
    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
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
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        default: T,
        words: &[(&str, T)],
    ) -> Result<T, String> {
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
    pub(super) fn locator(&self) -> Result<Locator, String> {
        let by = self.text("by")?;
        let by = by.as_literal().and_then(By::named);
        Ok(Locator {
            by: by.ok_or("`by` must be a way to find an element, such as css selector")?,
            selector: self.text("selector")?,
        })
    }

    /// Returns how the call's element is found, where the call has one.
    pub(super) fn optional_locator(&self) -> Result<Option<Locator>, String> {
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
    pub(super) fn fallback(&self) -> Result<Option<Area>, String> {
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
