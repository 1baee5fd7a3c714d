//! The stored form of an accepted automaton, which is passed to the run's object and written to its journal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use domain::page::Viewport;
use engine::{OrderError, whole_number};

use crate::machine::states::{Automaton, FILE_BYTES_MAX, Prompt};
use crate::machine::{Limits, OnUnknown, Order, Parameters, Settings};

/// The value of the member `engine` in an automaton's order.
pub const AUTOMATON_ENGINE: &str = "automaton";
/// The only dialect of new orders. Orders from before 0.18.0 may name another.
const STRICT: &str = "strict";
/// The longest order, in bytes. It contains the automaton, the prompts and the parameters.
pub(super) const ORDER_BYTES_MAX: usize = FILE_BYTES_MAX + 256 * 1024;
/// The most parameters of an order; also the most secrets, and the most origins.
const NAMES_MAX: usize = 200;
/// The longest name, value or origin, in characters. Requests have the same limit.
const TEXT_CHARS_MAX: usize = 4_096;
/// The most looks, actions, questions and notices that a stored order may allow. This bounds the replay of a stranger's
/// file.
const COUNT_MAX: u32 = 100_000;
/// The most states that a stored order may allow models to make.
const STATES_MADE_MAX: u32 = 1_000;
/// The largest magnitude of a timeout, in milliseconds. JSON numbers are exact up to this value.
const TIMEOUT_MS_MAX: u64 = 9_007_199_254_740_992;

/// The most and the fewest pixels of a viewport's side.
const PIXELS_MAX: u32 = 4_096;
const PIXELS_MIN: u32 = 100;
/// The longest name of a language or a time zone, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The stored form of an [`Order`]. It has the automaton and the prompts as they were sent, and only the names of the
/// secrets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatonOrder {
    #[serde(deserialize_with = "whole_number")]
    version: u32,
    engine: String,
    /// The name of the operator's stored automaton; `None` if the request sent the automaton.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    dialect: String,
    /// The automaton as it was sent.
    pub automaton: Value,
    /// The prompts as they were sent; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Value>,
    /// The timings and limits of the automaton's loop.
    pub settings: Settings,
    /// The public parameters: values by name.
    pub parameters: BTreeMap<String, String>,
    /// The names of the secret parameters.
    pub secrets: Vec<String>,
    /// The names of the secrets whose values came with the request. Older orders do not list them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<String>,
    /// The files that came with the request, by their names in the automaton. Their contents exist only in memory.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, SentFile>,
    /// The origins to which the browser may send requests.
    pub origins: Vec<String>,
    /// How the browser presents itself to pages, such as its size and language.
    pub browser: BrowserForm,
    /// What to do if an action was sent, its outcome is unknown, and its state still matches.
    pub on_unknown: OnUnknown,
    /// Whether models regenerate a state whose check or action fails.
    #[serde(rename = "regenerate")]
    pub regenerates: bool,
    /// Whether a picture of the page is stored at each look.
    #[serde(rename = "pictures")]
    pub keeps_pictures: bool,
    /// The limits of the run.
    pub limits: Limits,
}

impl AutomatonOrder {
    /// Returns an order with these settings and limits, and with defaults for everything else.
    #[must_use]
    pub fn new(settings: Settings, limits: Limits) -> Self {
        Self {
            version: 1,
            engine: AUTOMATON_ENGINE.to_owned(),
            name: None,
            dialect: STRICT.to_owned(),
            automaton: Value::Null,
            prompts: None,
            settings,
            parameters: BTreeMap::default(),
            secrets: Vec::new(),
            sent: Vec::new(),
            files: BTreeMap::default(),
            origins: Vec::new(),
            browser: BrowserForm::default(),
            on_unknown: OnUnknown::default(),
            regenerates: false,
            keeps_pictures: true,
            limits,
        }
    }

    /// Returns the order with a runtime of at most `runtime_ms_max` milliseconds, and a cost of at most `nano_usd_max`
    /// billionths of a dollar.
    #[must_use]
    pub fn within(mut self, runtime_ms_max: u64, nano_usd_max: Option<u64>) -> Self {
        let limits = &mut self.limits;
        limits.runtime_ms_max = limits.runtime_ms_max.min(runtime_ms_max);
        let both = [limits.nano_usd_max, nano_usd_max].into_iter().flatten();
        limits.nano_usd_max = both.min();
        self
    }

    /// Converts the stored form, which may come from a stranger's file, to an order. Fails if it is invalid.
    pub fn order(&self) -> Result<Order, OrderError> {
        if self.version != 1 || self.engine != AUTOMATON_ENGINE {
            return Err(OrderError::Part("its version"));
        }
        if !self.has_sound_names() {
            return Err(OrderError::Part("its parameters, secrets or origins"));
        }
        if !has_sound_limits(&self.limits) {
            return Err(OrderError::Part("the limits"));
        }
        if !has_sound_timeouts(&self.settings) {
            return Err(OrderError::Part("its settings"));
        }
        if !self.browser.is_sound() {
            return Err(OrderError::Part("the browser's terms"));
        }
        if self.dialect != STRICT {
            let says =
                "its dialect is no longer executed; every automaton runs as the seed's text says";
            return Err(OrderError::Together(says.to_owned()));
        }
        let prompts = match &self.prompts {
            Some(prompts) => Prompt::read_all(prompts).map_err(|_| OrderError::Part("a prompt"))?,
            None => Vec::new(),
        };
        let automaton = Automaton::from_json(&self.automaton);
        Ok(Order {
            automaton: automaton.map_err(|error| {
                if Automaton::has_form(&self.automaton) {
                    OrderError::Together(error.to_string())
                } else {
                    OrderError::Part("its states")
                }
            })?,
            prompts,
            settings: self.settings.clone(),
            parameters: Parameters {
                open: self.parameters.keys().cloned().collect(),
                secret: self.secrets.iter().cloned().collect(),
            },
            on_unknown: self.on_unknown,
            regenerates: self.regenerates,
            keeps_pictures: self.keeps_pictures,
            limits: self.limits.clone(),
        })
    }

    fn has_sound_names(&self) -> bool {
        let parameters = self
            .parameters
            .iter()
            .flat_map(|(name, value)| [name, value]);
        let of_files = self.files.iter();
        let of_files = of_files.flat_map(|(name, file)| [name, &file.name, &file.media_type]);
        let names = self.secrets.iter().chain(&self.sent).chain(of_files);
        let mut texts = parameters.chain(names).chain(&self.origins);
        let lists = [
            self.parameters.len(),
            self.secrets.len(),
            self.sent.len(),
            self.files.len(),
            self.origins.len(),
        ];
        lists.into_iter().all(|length| length <= NAMES_MAX)
            && texts.all(|text| text.chars().count() <= TEXT_CHARS_MAX)
    }
}

/// Returns whether these limits are small enough to bound the replay of a run.
fn has_sound_limits(limits: &Limits) -> bool {
    let counts = [
        limits.actions_max,
        limits.looks_max,
        limits.asks_max,
        limits.notices_max,
    ];
    counts.into_iter().all(|count| count <= COUNT_MAX) && limits.states_made_max <= STATES_MADE_MAX
}

/// Returns whether JSON numbers represent each timeout exactly.
fn has_sound_timeouts(settings: &Settings) -> bool {
    let timeouts = [settings.state_timeout_ms, settings.no_states_timeout_ms];
    timeouts
        .into_iter()
        .all(|ms| ms.unsigned_abs() <= TIMEOUT_MS_MAX)
}

/// A file that came with the request of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentFile {
    /// The name that pages see, like `cv.pdf`.
    pub name: String,
    /// The media type that pages see, like `application/pdf`.
    pub media_type: String,
    /// The size, in bytes.
    pub bytes: u64,
}

/// How a browser presents itself to pages. It depends only on the order, so that pages learn nothing about the visitor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserForm {
    /// The width of the viewport, in CSS pixels.
    #[serde(deserialize_with = "whole_number")]
    pub width: u32,
    /// The height of the viewport, in CSS pixels.
    #[serde(deserialize_with = "whole_number")]
    pub height: u32,
    /// The language that the browser requests from pages, like `en-US`.
    pub language: String,
    /// The time zone that pages see, like `Europe/Berlin`.
    pub time_zone: String,
    /// How the browser answers dialogs that a page opens.
    #[serde(default)]
    pub dialogs: DialogAnswer,
    /// Whether pages may open WebRTC connections, whose packets go past the guard of the run's origins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub web_rtc: bool,
    /// Whether actions may download files, which are stored with the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub downloads: bool,
}

/// How the browser answers dialogs that a page opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DialogAnswer {
    /// Dismisses every dialog.
    #[default]
    Dismiss,
    /// Accepts every dialog, with the text that the page proposes.
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
            web_rtc: false,
            downloads: false,
        }
    }
}

impl BrowserForm {
    /// Returns the size of the browser's viewport.
    #[must_use]
    pub fn viewport(&self) -> Viewport {
        Viewport {
            width: self.width,
            height: self.height,
        }
    }

    /// Returns whether each part is within the limits of a stored order.
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
