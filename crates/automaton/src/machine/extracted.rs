//! The texts that a run has extracted from pages, under the names that its states give them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The most UTF-8 bytes of all texts together, and the most names.
const BYTES_MAX: usize = 256 * 1024;
const NAMES_MAX: usize = 1_000;

/// The texts that a run has extracted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Extracted {
    values: BTreeMap<String, Texts>,
    bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Texts {
    One(String),
    List(Vec<String>),
}

impl Texts {
    fn bytes(&self) -> usize {
        match self {
            Self::One(text) => text.len(),
            Self::List(texts) => texts.iter().map(String::len).sum(),
        }
    }
}

impl Extracted {
    /// Keeps texts under a name, in place of those that it had. With `adds`, they are added to a list instead. Returns
    /// whether there was room for them; otherwise nothing changes.
    pub(super) fn keep(
        &mut self,
        name: &str,
        texts: Vec<String>,
        is_list: bool,
        adds: bool,
    ) -> bool {
        let known = self.values.get(name);
        let before = known.map_or(0, Texts::bytes);
        let new = match (known, is_list, adds) {
            (Some(Texts::List(list)), _, true) => Texts::List([list.clone(), texts].concat()),
            (_, false, false) => Texts::One(texts.into_iter().next().unwrap_or_default()),
            _ => Texts::List(texts),
        };
        let bytes = self
            .bytes
            .saturating_sub(before)
            .saturating_add(new.bytes());
        if bytes > BYTES_MAX || (known.is_none() && self.values.len() >= NAMES_MAX) {
            return false;
        }
        self.bytes = bytes;
        self.values.insert(name.to_owned(), new);
        true
    }

    /// Returns the text under a name, and of a list the last one; `None` if there is none.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.values.get(name)? {
            Texts::One(text) => Some(text),
            Texts::List(list) => list.last().map(String::as_str),
        }
    }

    /// Returns the texts as `{name: text | [text]}`; `None` if there are none.
    pub(super) fn to_json(&self) -> Option<Value> {
        let values = self.values.iter().map(|(name, texts)| {
            let texts = match texts {
                Texts::One(text) => Value::from(text.as_str()),
                Texts::List(list) => Value::from(list.clone()),
            };
            (name.clone(), texts)
        });
        let values: Map<String, Value> = values.collect();
        (!values.is_empty()).then_some(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_has_one_text_or_a_list() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let mut extracted = Extracted::default();
        assert_eq!(extracted.to_json(), None);
        assert!(extracted.keep("TITLE", texts(&["one"]), false, false));
        assert!(extracted.keep("TITLE", texts(&["two"]), false, false));
        assert!(extracted.keep("ALL", texts(&[]), true, false));
        assert!(extracted.keep("ROWS", texts(&["a"]), false, true));
        assert!(extracted.keep("ROWS", texts(&["b"]), false, true));
        let expected = json!({"TITLE": "two", "ALL": [], "ROWS": ["a", "b"]});
        assert_eq!(extracted.to_json(), Some(expected));
        let texts = ["TITLE", "ROWS", "ALL", "NONE"].map(|name| extracted.text(name));
        assert_eq!(texts, [Some("two"), Some("b"), None, None]);
    }

    #[test]
    fn there_is_room_for_so_much() {
        let mut extracted = Extracted::default();
        let long = || vec!["x".repeat(BYTES_MAX / 2)];
        assert!(extracted.keep("A", long(), false, false));
        assert!(extracted.keep("B", long(), false, false));
        assert!(!extracted.keep("C", vec!["y".to_owned()], false, false));
        assert!(!extracted.keep("B", vec!["y".to_owned(), long().concat()], true, false));
        assert_eq!(extracted.to_json().unwrap()["B"], long().concat());
        assert!(extracted.keep("B", vec!["y".to_owned()], false, false));
        assert!(extracted.keep("C", vec!["y".to_owned()], false, false));
    }
}
