//! JSON values without the secrets in them.

use serde_json::{Map, Value};

use crate::hiding::{MASK, Mask};

impl Mask {
    /// Takes the secrets out of the texts, the names and the numbers of a value.
    pub fn hide_in_json(&self, value: &mut Value) {
        if self.is_empty() {
            return;
        }
        self.hide_names_and_numbers(value);
        let mut texts = Vec::new();
        add_texts(value, &mut texts);
        self.hide_in(texts);
    }

    fn hide_names_and_numbers(&self, value: &mut Value) {
        match value {
            Value::Number(number) if self.is_in(&number.to_string()) => *value = MASK.into(),
            Value::Array(values) => {
                for value in values {
                    self.hide_names_and_numbers(value);
                }
            }
            Value::Object(members) => {
                if members.keys().any(|name| self.is_in(name)) {
                    let hidden: Map<String, Value> = std::mem::take(members)
                        .into_iter()
                        .map(|(name, value)| (self.hide(&name), value))
                        .collect();
                    *members = hidden;
                }
                for (_, value) in members.iter_mut() {
                    self.hide_names_and_numbers(value);
                }
            }
            _ => {}
        }
    }
}

/// Adds the texts of a value, in order.
fn add_texts<'value>(value: &'value mut Value, texts: &mut Vec<&'value mut String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => {
            for value in values {
                add_texts(value, texts);
            }
        }
        Value::Object(members) => {
            for (_, value) in members.iter_mut() {
                add_texts(value, texts);
            }
        }
        _ => {}
    }
}
