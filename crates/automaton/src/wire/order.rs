//! An accepted automaton as it is handed to the run's object and stored in its journal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use domain::page::Viewport;
use engine::{OrderError, optional_whole_number, whole_number};

use crate::machine::states::{Automaton, FILE_BYTES_MAX, Prompt};
use crate::machine::{Limits, OnUnknown, Order, Parameters, Settings};

/// The member `engine` of an automaton's order.
pub const AUTOMATON_ENGINE: &str = "automaton";
/// The one way in which automata are read and run. Orders before 0.18.0 may name another.
const STRICT: &str = "strict";
/// The length of the longest order, which holds the automaton, the prompts and the parameters.
pub(super) const ORDER_BYTES_MAX: usize = FILE_BYTES_MAX + 256 * 1024;
/// The most parameters, secrets and origins of an order, each.
const NAMES_MAX: usize = 200;
/// The longest name, value or origin, in characters: no request may have a longer one.
const TEXT_CHARS_MAX: usize = 4_096;
/// The most looks, actions, questions and notices of a stored order, so that executing a file which anybody
/// may have written ends soon.
const COUNT_MAX: u32 = 100_000;
/// The most states that models make in one run.
const STATES_MADE_MAX: u32 = 1_000;
/// The most milliseconds of a timeout on either side of 0: further no number in JSON is exact.
const TIMEOUT_MS_MAX: u64 = 9_007_199_254_740_992;

/// The most pixels of a side of a viewport, and the fewest.
const PIXELS_MAX: u32 = 4_096;
const PIXELS_MIN: u32 = 100;
/// The longest name of a language or of a time zone, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The stored form of an [`Order`]. The automaton and the prompts stand in it as they were sent; of the
/// secrets it has the names alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatonOrder {
    #[serde(deserialize_with = "whole_number")]
    version: u32,
    engine: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    dialect: String,
    automaton: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prompts: Option<Value>,
    settings: SettingsForm,
    parameters: BTreeMap<String, String>,
    secrets: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sent: Vec<String>,
    origins: Vec<String>,
    browser: BrowserForm,
    on_unknown: String,
    regenerate: bool,
    pictures: bool,
    limits: LimitsForm,
}

/// The parts of an order, for the one who accepts it.
#[derive(Debug, Clone)]
pub struct OrderParts {
    /// The name by which the operator stores the automaton.
    pub name: Option<String>,
    /// The automaton as it was sent.
    pub automaton: Value,
    /// The prompts as they were sent.
    pub prompts: Option<Value>,
    /// The loop's settings.
    pub settings: Settings,
    /// The public parameters.
    pub parameters: BTreeMap<String, String>,
    /// The names of the secret parameters.
    pub secrets: Vec<String>,
    /// Those of them whose values came with the request.
    pub sent: Vec<String>,
    /// The origins that may be asked for anything.
    pub origins: Vec<String>,
    /// How the browser shows pages.
    pub browser: BrowserForm,
    /// The reaction where it is unknown whether an action was carried out.
    pub on_unknown: OnUnknown,
    /// Whether models regenerate a state whose check or action fails.
    pub regenerates: bool,
    /// Whether pictures are kept.
    pub keeps_pictures: bool,
    /// The limits.
    pub limits: Limits,
}

impl AutomatonOrder {
    /// Returns the stored form of an accepted automaton.
    #[must_use]
    pub fn new(parts: OrderParts) -> Self {
        Self {
            version: 1,
            engine: AUTOMATON_ENGINE.to_owned(),
            name: parts.name,
            dialect: STRICT.to_owned(),
            automaton: parts.automaton,
            prompts: parts.prompts,
            settings: SettingsForm::of(&parts.settings),
            parameters: parts.parameters,
            secrets: parts.secrets,
            sent: parts.sent,
            origins: parts.origins,
            browser: parts.browser,
            on_unknown: parts.on_unknown.as_str().to_owned(),
            regenerate: parts.regenerates,
            pictures: parts.keeps_pictures,
            limits: LimitsForm::of(&parts.limits),
        }
    }

    /// Returns the order's parts, so that a fork can have others. Fails where one cannot be read.
    pub fn parts(&self) -> Result<OrderParts, OrderError> {
        let order = self.order()?;
        Ok(OrderParts {
            name: self.name.clone(),
            automaton: self.automaton.clone(),
            prompts: self.prompts.clone(),
            settings: order.settings,
            parameters: self.parameters.clone(),
            secrets: self.secrets.clone(),
            sent: self.sent.clone(),
            origins: self.origins.clone(),
            browser: self.browser.clone(),
            on_unknown: order.on_unknown,
            regenerates: self.regenerate,
            keeps_pictures: self.pictures,
            limits: order.limits,
        })
    }

    /// Returns the name by which the operator stores the automaton.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the automaton as it was sent.
    #[must_use]
    pub fn automaton(&self) -> &Value {
        &self.automaton
    }

    /// Returns the prompts as they were sent.
    #[must_use]
    pub fn prompts(&self) -> Option<&Value> {
        self.prompts.as_ref()
    }

    /// Returns the public parameters.
    #[must_use]
    pub fn parameters(&self) -> &BTreeMap<String, String> {
        &self.parameters
    }

    /// Returns the names of the secret parameters.
    #[must_use]
    pub fn secrets(&self) -> &[String] {
        &self.secrets
    }

    /// Returns the names of those secrets whose values came with the request. Older orders have none.
    #[must_use]
    pub fn sent(&self) -> &[String] {
        &self.sent
    }

    /// Returns the origins that may be asked for anything.
    #[must_use]
    pub fn origins(&self) -> &[String] {
        &self.origins
    }

    /// Returns how the browser shows pages.
    #[must_use]
    pub fn browser(&self) -> &BrowserForm {
        &self.browser
    }

    /// Returns how long the run may take, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.limits.runtime_ms
    }

    /// Returns the most that the run may cost, in billionths of a dollar; `None` where there is no limit.
    #[must_use]
    pub fn nano_usd_max(&self) -> Option<u64> {
        self.limits.nano_usd_max
    }

    /// Returns the order with a runtime of at most so many milliseconds, and with a cost of at most so many
    /// billionths of a dollar.
    #[must_use]
    pub fn within(mut self, runtime_ms_max: u64, nano_usd_max: Option<u64>) -> Self {
        let limits = &mut self.limits;
        limits.runtime_ms = limits.runtime_ms.min(runtime_ms_max);
        let both = [limits.nano_usd_max, nano_usd_max].into_iter().flatten();
        limits.nano_usd_max = both.min();
        self
    }

    /// Reads the order again from its stored form, which may come from a file that a stranger wrote.
    pub fn order(&self) -> Result<Order, OrderError> {
        if self.version != 1 || self.engine != AUTOMATON_ENGINE {
            return Err(OrderError::Part("its version"));
        }
        if !self.has_sound_names() {
            return Err(OrderError::Part("its parameters, secrets or origins"));
        }
        if !self.limits.is_sound() {
            return Err(OrderError::Part("the limits"));
        }
        if !self.settings.is_sound() {
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
            settings: self.settings.read(),
            parameters: Parameters {
                open: self.parameters.keys().cloned().collect(),
                secret: self.secrets.iter().cloned().collect(),
            },
            on_unknown: OnUnknown::named(&self.on_unknown)
                .ok_or(OrderError::Part("what is done where an outcome is unknown"))?,
            regenerates: self.regenerate,
            keeps_pictures: self.pictures,
            limits: self.limits.read(),
        })
    }

    fn has_sound_names(&self) -> bool {
        let parameters = self
            .parameters
            .iter()
            .flat_map(|(name, value)| [name, value]);
        let names = self.secrets.iter().chain(&self.sent);
        let mut texts = parameters.chain(names).chain(&self.origins);
        let lists = [
            self.parameters.len(),
            self.secrets.len(),
            self.sent.len(),
            self.origins.len(),
        ];
        lists.into_iter().all(|length| length <= NAMES_MAX)
            && texts.all(|text| text.chars().count() <= TEXT_CHARS_MAX)
    }
}

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

/// The stored form of [`Settings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SettingsForm {
    #[serde(deserialize_with = "whole_number")]
    transition_period_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    action_period_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    recursion_limit: u32,
    allow_multiple_states: bool,
    #[serde(deserialize_with = "whole_number")]
    state_timeout_ms: i64,
    #[serde(deserialize_with = "whole_number")]
    no_states_timeout_ms: i64,
}

impl SettingsForm {
    fn of(settings: &Settings) -> Self {
        Self {
            transition_period_ms: settings.transition_period_ms,
            action_period_ms: settings.action_period_ms,
            recursion_limit: settings.recursion_limit,
            allow_multiple_states: settings.allows_multiple_states,
            state_timeout_ms: settings.state_timeout_ms,
            no_states_timeout_ms: settings.no_states_timeout_ms,
        }
    }

    /// Returns whether each timeout is a number that was written as it is read.
    fn is_sound(&self) -> bool {
        let timeouts = [self.state_timeout_ms, self.no_states_timeout_ms];
        timeouts
            .into_iter()
            .all(|ms| ms.unsigned_abs() <= TIMEOUT_MS_MAX)
    }

    fn read(&self) -> Settings {
        Settings {
            transition_period_ms: self.transition_period_ms,
            action_period_ms: self.action_period_ms,
            recursion_limit: self.recursion_limit,
            allows_multiple_states: self.allow_multiple_states,
            state_timeout_ms: self.state_timeout_ms,
            no_states_timeout_ms: self.no_states_timeout_ms,
        }
    }
}

/// The stored form of [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LimitsForm {
    #[serde(deserialize_with = "whole_number")]
    actions: u32,
    #[serde(deserialize_with = "whole_number")]
    looks: u32,
    #[serde(deserialize_with = "whole_number")]
    asks: u32,
    #[serde(deserialize_with = "whole_number")]
    states_made: u32,
    #[serde(deserialize_with = "whole_number")]
    runtime_ms: u64,
    #[serde(deserialize_with = "whole_number")]
    call_ms: u64,
    #[serde(
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    nano_usd_max: Option<u64>,
    #[serde(deserialize_with = "whole_number")]
    second_nano_usd: u64,
    #[serde(deserialize_with = "whole_number")]
    ask_nano_usd: u64,
    #[serde(deserialize_with = "whole_number")]
    notices: u32,
}

impl LimitsForm {
    fn of(limits: &Limits) -> Self {
        Self {
            actions: limits.actions_max,
            looks: limits.looks_max,
            asks: limits.asks_max,
            states_made: limits.states_made_max,
            runtime_ms: limits.runtime_ms_max,
            call_ms: limits.call_ms_max,
            nano_usd_max: limits.nano_usd_max,
            second_nano_usd: limits.second_nano_usd_max,
            ask_nano_usd: limits.ask_nano_usd_max,
            notices: limits.notices_max,
        }
    }

    /// Returns whether a run of these limits ends soon.
    fn is_sound(&self) -> bool {
        let counts = [self.actions, self.looks, self.asks, self.notices];
        counts.into_iter().all(|count| count <= COUNT_MAX) && self.states_made <= STATES_MADE_MAX
    }

    fn read(&self) -> Limits {
        Limits {
            actions_max: self.actions,
            looks_max: self.looks,
            asks_max: self.asks,
            states_made_max: self.states_made,
            runtime_ms_max: self.runtime_ms,
            call_ms_max: self.call_ms,
            nano_usd_max: self.nano_usd_max,
            second_nano_usd_max: self.second_nano_usd,
            ask_nano_usd_max: self.ask_nano_usd,
            notices_max: self.notices,
        }
    }
}
