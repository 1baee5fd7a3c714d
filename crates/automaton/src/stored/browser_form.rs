//! The stored form of how a browser shows pages.

use serde::{Deserialize, Serialize};

use domain::page::Viewport;
use engine::whole_number;

/// The most pixels of a side of a viewport, and the fewest.
const PIXELS_MAX: u32 = 4_096;
const PIXELS_MIN: u32 = 100;
/// The longest name of a language or of a time zone, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// How a browser shows pages: what a page may ask about its visitor is the same in every run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserForm {
    /// The width of the viewport, in CSS pixels.
    #[serde(deserialize_with = "whole_number")]
    pub width: u32,
    /// The height of the viewport, in CSS pixels.
    #[serde(deserialize_with = "whole_number")]
    pub height: u32,
    /// The language that pages are asked in, like `en-US`.
    pub language: String,
    /// The time zone that pages see, like `Europe/Berlin`.
    pub time_zone: String,
    /// The answer to what a page asks in a dialog.
    #[serde(default)]
    pub dialogs: DialogAnswer,
}

/// The answer to what a page asks in a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DialogAnswer {
    /// No.
    #[default]
    Dismiss,
    /// Yes, and the text that the page proposes.
    Accept,
}

impl Default for BrowserForm {
    fn default() -> Self {
        Self {
            width: 1_280,
            height: 800,
            language: "en-US".to_owned(),
            time_zone: "UTC".to_owned(),
            dialogs: DialogAnswer::Dismiss,
        }
    }
}

impl BrowserForm {
    /// Returns the viewport.
    #[must_use]
    pub fn viewport(&self) -> Viewport {
        Viewport {
            width: self.width,
            height: self.height,
        }
    }

    /// Returns whether each part is within its bounds.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let pixels = PIXELS_MIN..=PIXELS_MAX;
        let is_name = |name: &str| {
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+/".contains(&byte);
            (1..=NAME_BYTES_MAX).contains(&name.len()) && name.bytes().all(is_part)
        };
        pixels.contains(&self.width)
            && pixels.contains(&self.height)
            && is_name(&self.language)
            && is_name(&self.time_zone)
    }
}
