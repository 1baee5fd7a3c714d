//! An accepted automaton as it is handed to the run's object and stored in its journal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use engine::{OrderError, whole_number};

use crate::machine::states::{Automaton, FILE_BYTES_MAX, Prompt};
use crate::machine::{Limits, OnUnknown, Order, Parameters, Settings};

use super::browser_form::BrowserForm;
use super::order_limits::{LimitsForm, SettingsForm};

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
    /// The parameters that anybody may see.
    pub parameters: BTreeMap<String, String>,
    /// The names of the parameters that nobody may see.
    pub secrets: Vec<String>,
    /// Those of them whose values came with the request.
    pub sent: Vec<String>,
    /// The origins that may be asked for anything.
    pub origins: Vec<String>,
    /// How the browser shows pages.
    pub browser: BrowserForm,
    /// The reaction where nobody knows whether an action was carried out.
    pub on_unknown: OnUnknown,
    /// Whether models make a state anew whose check or action fails.
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

    /// Returns the parameters that anybody may see.
    #[must_use]
    pub fn parameters(&self) -> &BTreeMap<String, String> {
        &self.parameters
    }

    /// Returns the names of the parameters that nobody may see.
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

    /// Returns the most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
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

    /// Reads the order again from its stored form, which may come out of anybody's file.
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
        let parameters = self.parameters.iter();
        let parameters = parameters.flat_map(|(name, value)| [name, value]);
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
