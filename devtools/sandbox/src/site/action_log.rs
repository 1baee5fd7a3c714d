//! The log of actions: every request that changed something, or tried to.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

/// The number of actions that are remembered; beyond that the oldest are dropped.
const ACTIONS_MAX: usize = 2_000;
/// The most fields of a request that are stored.
const FIELDS_MAX: usize = 16;
/// The most characters of a field's name or value that are stored.
const FIELD_CHARS_MAX: usize = 200;
/// The name of the field whose value is never stored.
const PASSWORD: &str = "password";
/// The text logged in place of the password.
const MASK: &str = "[password]";

/// An action requested by a visitor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action<'request> {
    /// The name of the action: `log-in`, `add`, `order` and so on.
    pub(super) name: &'static str,
    /// The name of the shop's variant, or of the hostile page.
    pub(super) variant: &'request str,
    /// The number of the visitor's session, from 1; 0 for a page without sessions.
    pub(super) session: u64,
    /// The fields of the form, in order.
    pub(super) fields: &'request [(String, String)],
    /// Whether the shop executed the action.
    pub(super) is_done: bool,
}

/// The latest actions. The password is masked.
#[derive(Clone, Debug)]
pub(super) struct ActionLog {
    password: String,
    rows: VecDeque<Value>,
    forgotten: u64,
    count: u64,
}

impl ActionLog {
    pub(super) fn new(password: &str) -> Self {
        Self {
            password: password.to_owned(),
            rows: VecDeque::new(),
            forgotten: 0,
            count: 0,
        }
    }

    /// Logs an action whose request arrived at `now_ms`, in milliseconds since 1970.
    pub(super) fn note(&mut self, action: Action<'_>, now_ms: u64) {
        self.count += 1;
        let password = action.fields.iter().find(|(name, _)| name == PASSWORD);
        let has_password_elsewhere = action.fields.iter().any(|(name, value)| {
            name != PASSWORD && self.has_password(value) || self.has_password(name)
        });
        let fields = action.fields.iter().take(FIELDS_MAX);
        let fields: Map<String, Value> = fields
            .map(|(name, value)| {
                let kept = match name.as_str() {
                    PASSWORD => MASK.to_owned(),
                    _ => self.kept(value),
                };
                (self.kept(name), Value::from(kept))
            })
            .collect();
        let mut row = json!({
            "n": self.count, "at_ms": now_ms, "session": action.session,
            "variant": action.variant, "action": action.name, "fields": fields,
            "outcome": if action.is_done { "done" } else { "refused" },
            "has_password_elsewhere": has_password_elsewhere,
        });
        if let (Some((_, sent)), Some(row)) = (password, row.as_object_mut()) {
            let is_right = *sent == self.password;
            row.insert("is_password_right".to_owned(), Value::from(is_right));
        }
        if self.rows.len() == ACTIONS_MAX {
            self.rows.pop_front();
            self.forgotten += 1;
        }
        self.rows.push_back(row);
    }

    /// Returns the log as JSON, `{"actions": [...], "forgotten": NUMBER}`. The oldest action comes first; `forgotten`
    /// is the number of dropped ones.
    pub(super) fn read(&self) -> Value {
        json!({"actions": self.rows, "forgotten": self.forgotten})
    }

    fn has_password(&self, text: &str) -> bool {
        !self.password.is_empty() && text.contains(&self.password)
    }

    fn kept(&self, text: &str) -> String {
        let text = if self.has_password(text) {
            text.replace(&self.password, MASK)
        } else {
            text.to_owned()
        };
        text.chars().take(FIELD_CHARS_MAX).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = fields.iter();
        owned
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn noted(sent: &[(&str, &str)]) -> Value {
        let mut log = ActionLog::new("secret-word");
        let action = Action {
            name: "log-in",
            variant: "v0",
            session: 3,
            fields: &fields(sent),
            is_done: true,
        };
        log.note(action, 17);
        log.read()
    }

    #[test]
    fn a_row_is_written_as_programs_read_it() {
        assert_eq!(
            noted(&[("user", "visitor"), ("password", "secret-word")]),
            json!({"actions": [{
                "n": 1, "at_ms": 17, "session": 3, "variant": "v0", "action": "log-in",
                "fields": {"user": "visitor", "password": "[password]"}, "outcome": "done",
                "is_password_right": true, "has_password_elsewhere": false,
            }], "forgotten": 0})
        );
    }

    #[test]
    fn no_row_shows_a_password_wherever_it_was_typed() {
        for sent in [
            [("password", "secret-word")],
            [("password", "another")],
            [("answer", "it is secret-word, yes")],
            [("secret-word", "x")],
        ] {
            let log = noted(&sent);
            let row = &log["actions"][0];
            assert!(!log.to_string().contains("secret-word"), "{log}");
            assert!(!log.to_string().contains("another"), "{log}");
            let is_elsewhere = sent[0].0 != "password";
            assert_eq!(row["has_password_elsewhere"], is_elsewhere, "{log}");
        }
        assert_eq!(
            noted(&[("password", "no")])["actions"][0]["is_password_right"],
            false
        );
        assert_eq!(
            noted(&[("user", "x")])["actions"][0].get("is_password_right"),
            None
        );
    }

    #[test]
    fn the_log_is_bounded_and_says_what_it_forgot() {
        let mut log = ActionLog::new("p");
        let name = |number: usize| format!("{number}{}", "a".repeat(1_000));
        let sent: Vec<_> = (10..50).map(|n| (name(n), "b".repeat(1_000))).collect();
        for now_ms in 0..ACTIONS_MAX as u64 + 3 {
            let action = Action {
                name: "add",
                variant: "v0",
                session: 1,
                fields: &sent,
                is_done: true,
            };
            log.note(action, now_ms);
        }
        let told = log.read();
        let rows = told["actions"].as_array().unwrap();
        assert_eq!((rows.len(), &told["forgotten"]), (ACTIONS_MAX, &json!(3)));
        assert_eq!(rows[0]["n"], 4);
        assert_eq!(rows[0]["fields"].as_object().unwrap().len(), FIELDS_MAX);
        let kept = rows[0]["fields"].to_string();
        assert!(
            kept.len() < FIELDS_MAX * (2 * FIELD_CHARS_MAX + 8),
            "{kept}"
        );
    }
}
