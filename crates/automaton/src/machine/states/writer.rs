//! Writes an automaton as a file, each state in its original format. Reading the file returns the same automaton.

use domain::page::{By, Condition, Query};
use serde_json::{Map, Value, json};

use crate::machine::grammar::{self, Call, Function, Text};

use super::checks::{TIMEOUT_SECONDS, WHOLE_PAGE};
use super::{Automaton, Check, CheckKind, Each, Line, State};

/// The number of milliseconds in a second, the unit of files.
const SECOND_MS: u64 = 1_000;
/// The type with which a check of unknown type is written.
const UNKNOWN: &str = "unknown";

impl Automaton {
    /// Returns the automaton as the JSON of a file: a list of states, which [`Self::from_json`] reads as this
    /// automaton. What the reader ignores (`executed`) is lost, and so is the type of an unknown check.
    ///
    /// An action that refers to a parameter is always written as a call, since only a call can refer to one.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.states.iter().map(State::to_json).collect()
    }
}

impl State {
    /// Returns the state in the form of a file.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let checks: Value = self
            .checks
            .iter()
            .map(|it| check(it, self.is_later_format))
            .collect();
        let lines = self.lines.iter();
        let actions: Value = lines.map(|it| line(it, self.is_later_format)).collect();
        let mut written = json!({
            "name": self.name,
            "description": self.description,
            "checks": checks,
            "actions": actions,
            "end_state": self.end.as_deref().unwrap_or_default(),
        });
        let config = self.config();
        if let (Some(members), false) = (written.as_object_mut(), config.is_empty()) {
            members.insert("config".to_owned(), Value::Object(config));
        }
        written
    }

    /// Returns the state in the later format, as far as that format can express it.
    #[must_use]
    pub fn in_later_format(mut self) -> Self {
        let is_later = |part: &Value| part.get("params").is_some();
        let has_check = self.checks.iter().any(|it| is_later(&check(it, true)));
        let has_line = self.lines.iter().any(|it| is_later(&line(it, true)));
        self.is_later_format = has_check || has_line;
        self
    }

    fn config(&self) -> Map<String, Value> {
        let flags = [
            ("continous", self.continuity.misspelt),
            ("continuous", self.continuity.spelt),
            ("unproven", self.is_unproven.then_some(true)),
        ];
        let mut given = Map::new();
        for (name, flag) in flags {
            if let Some(flag) = flag {
                given.insert(name.to_owned(), Value::Bool(flag));
            }
        }
        if let Some(each) = &self.each {
            given.insert("for_each".to_owned(), each.to_json());
        }
        given
    }
}

impl Each {
    /// Returns the elements in the form of a file: an object, or a call if the selector refers to values of the run.
    fn to_json(&self) -> Value {
        let (by, parameter, count_max) =
            (self.locator.by.as_str(), &self.parameter, self.count_max);
        let selector = &self.locator.selector;
        if let Some(selector) = selector.as_literal() {
            return json!({"by": by, "selector": selector, "parameter": parameter, "at_most": count_max});
        }
        let [by, parameter] = [by, parameter].map(Text::literal);
        Value::from(format!(
            "elements({by}, {selector}, {parameter}, at_most={count_max})"
        ))
    }
}

impl Check {
    /// Returns the check in the form of a file, in the later format.
    #[must_use]
    pub fn to_json(&self) -> Value {
        check(self, true)
    }
}

impl Line {
    /// Returns the action in the form of a file, in the later format.
    #[must_use]
    pub fn to_json(&self) -> Value {
        line(self, true)
    }
}

fn check(check: &Check, is_later_format: bool) -> Value {
    let (kind, value) = match check {
        Check::Query(query) => {
            let short = (!is_later_format).then(|| short(query)).flatten();
            return short.unwrap_or_else(|| queried(query));
        }
        Check::UrlPattern(pattern) if is_later_format => {
            return json!({"type": "url_pattern", "params": {"pattern": pattern.as_str()}});
        }
        Check::UrlPattern(pattern) => {
            return json!({"type": "url_pattern", "value": pattern.as_str()});
        }
        Check::Not(check) => {
            let mut written = self::check(check, is_later_format);
            if let Some(members) = written.as_object_mut() {
                members.insert("not".to_owned(), Value::Bool(true));
            }
            return written;
        }
        Check::Signal { kind, value } => (kind, value),
    };
    let (word, name) = match kind {
        CheckKind::Url => ("url", "url"),
        CheckKind::Text => ("text", "text"),
        // The later format has no check that compares a selector: it queries the browser for the element. So the old
        // format is kept.
        CheckKind::Element => return json!({"type": "element", "value": value}),
        CheckKind::Unknown => {
            let has_params = is_later_format && value.is_none();
            let member = if has_params { "params" } else { "value" };
            let value = if has_params { json!({}) } else { json!(value) };
            return json!({"type": UNKNOWN, member: value});
        }
    };
    match value {
        Some(text) if is_later_format => json!({"type": word, "params": {name: text}}),
        value => json!({"type": word, "value": value}),
    }
}

/// Returns a query in the old format; `None` if it has no such form.
fn short(query: &Query) -> Option<Value> {
    let (kind, value) = match (&query.condition, query.by) {
        (Condition::Shown, By::Role) => ("role", &query.selector),
        (Condition::Text(text), By::CssSelector) if query.selector == WHOLE_PAGE => {
            ("page_text", text)
        }
        (Condition::Enabled, By::CssSelector) => ("enabled", &query.selector),
        (Condition::Checked, By::CssSelector) => ("checked", &query.selector),
        _ => return None,
    };
    let is_usual = seconds(query.timeout_ms).as_f64() == Some(TIMEOUT_SECONDS);
    is_usual.then(|| json!({"type": kind, "value": value}))
}

fn queried(query: &Query) -> Value {
    let mut params = json!({"by": query.by.as_str(), "selector": query.selector});
    let is_whole = query.by == By::CssSelector && query.selector == WHOLE_PAGE;
    let kind = match &query.condition {
        Condition::Present | Condition::Visible => "element",
        Condition::Shown => "role",
        Condition::Text(_) => "page_text",
        Condition::Value(_) => "value",
        Condition::Enabled => "enabled",
        Condition::Checked => "checked",
    };
    if let Some(params) = params.as_object_mut() {
        match &query.condition {
            Condition::Present => {
                params.insert("check_visibility".to_owned(), json!(false));
            }
            // The selector has the name, too, and is read back as it is.
            Condition::Shown => {
                params.clear();
                params.insert("role".to_owned(), json!(query.selector));
            }
            Condition::Text(text) => {
                if is_whole {
                    params.clear();
                }
                params.insert("text".to_owned(), json!(text));
            }
            Condition::Value(value) => {
                params.insert("value".to_owned(), json!(value));
            }
            Condition::Visible | Condition::Enabled | Condition::Checked => {}
        }
        let timeout = seconds(query.timeout_ms);
        if timeout.as_f64() != Some(TIMEOUT_SECONDS) {
            params.insert("timeout".to_owned(), timeout);
        }
    }
    json!({"type": kind, "params": params})
}

fn seconds(ms: u64) -> Value {
    if ms.is_multiple_of(SECOND_MS) {
        return json!(ms / SECOND_MS);
    }
    // The milliseconds are at most 60,000, so the conversion loses nothing.
    #[allow(clippy::cast_precision_loss)]
    let seconds = ms as f64 / 1_000.0;
    json!(seconds)
}

fn line(line: &Line, is_later_format: bool) -> Value {
    match line {
        Line::Call { call, .. } => {
            let structured = is_later_format.then(|| structured(call)).flatten();
            structured.unwrap_or_else(|| Value::String(call.to_string()))
        }
        Line::Terminate { is_call: false } => json!({"type": "terminate", "params": {}}),
        Line::Terminate { is_call: true } => json!("terminate()"),
        Line::PassedOver(action) => json!({"type": action.as_ref(), "params": {}}),
        Line::Unread(unread) => unread.written().clone(),
    }
}

/// Returns a call in the later format; `None` if it refers to a parameter, which this format cannot express.
fn structured(call: &Call) -> Option<Value> {
    let mut params = Map::new();
    let is_point = |size: &str| call.argument(size) == Some(&grammar::Value::Whole(0));
    for (name, value) in call.arguments() {
        let name = match *name {
            "fallback_x" if is_point("fallback_width") => "x",
            "fallback_y" if is_point("fallback_height") => "y",
            "fallback_width" if is_zero(value) && call.argument("fallback_x").is_some() => continue,
            "fallback_height" if is_zero(value) && call.argument("fallback_y").is_some() => {
                continue;
            }
            name => name,
        };
        params.insert(name.to_owned(), argument(value)?);
    }
    let function = call.function();
    let kind = match function {
        Function::NavigateTo => "navigate",
        _ => function.as_ref(),
    };
    Some(json!({"type": kind, "params": params}))
}

fn is_zero(value: &grammar::Value) -> bool {
    *value == grammar::Value::Whole(0)
}

fn argument(value: &grammar::Value) -> Option<Value> {
    Some(match value {
        grammar::Value::Text(text) => json!(text.as_literal()?),
        grammar::Value::Whole(whole) => json!(whole),
        grammar::Value::Float(float) => json!(float),
        grammar::Value::Flag(flag) => json!(flag),
        grammar::Value::Nothing => Value::Null,
    })
}
