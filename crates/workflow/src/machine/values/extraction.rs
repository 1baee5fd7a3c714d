//! The variables that a node's value becomes.

use serde_json::{Map, Value};

use crate::machine::dialect::Dialect;

/// The further name that a whole list gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayAlias {
    /// The name `.windows`.
    Windows,
    /// The name `.matches`.
    Matches,
}

/// Returns a name as it begins variables: in lower case, with `_` in the place of each sign that is
/// no letter, no digit and no `_`.
#[must_use]
pub fn fold(name: &str) -> String {
    let lower = name.to_lowercase();
    let folded = lower.chars().map(|letter| {
        if letter.is_alphanumeric() || letter == '_' {
            letter
        } else {
            '_'
        }
    });
    folded.collect()
}

/// Returns what a node's value sets, in order, by the names behind its prefix. `success` comes
/// first and `result` last. A member of the value may have the name of another variable: then the
/// later one counts, but in stored orders of the strict dialect the member is left out.
#[must_use]
pub fn variables_of(
    value: &Value,
    alias: Option<ArrayAlias>,
    dialect: Dialect,
) -> Vec<(&str, Value)> {
    let mut set = vec![("success", Value::Bool(true))];
    let alias = match alias {
        Some(ArrayAlias::Windows) => Some("windows"),
        Some(ArrayAlias::Matches) => Some("matches"),
        None => None,
    };
    match value {
        Value::Object(members) => add_members(&mut set, members, &["success", "result"], dialect),
        Value::Array(list) => {
            set.push(("found", Value::Bool(!list.is_empty())));
            set.push(("count", Value::from(list.len())));
            if let Some(Value::Object(first)) = list.first() {
                let own = [
                    "success",
                    "found",
                    "count",
                    "result",
                    alias.unwrap_or("result"),
                ];
                add_members(&mut set, first, &own, dialect);
            }
            if let Some(alias) = alias {
                set.push((alias, value.clone()));
            }
        }
        Value::Null => {
            set.push(("result", Value::from("")));
            return set;
        }
        Value::String(_) | Value::Bool(_) | Value::Number(_) => {}
    }
    set.push(("result", value.clone()));
    set
}

fn add_members<'value>(
    set: &mut Vec<(&'value str, Value)>,
    members: &'value Map<String, Value>,
    own: &[&str],
    dialect: Dialect,
) {
    let members = members
        .iter()
        .filter(|(key, _)| dialect != Dialect::Strict || !own.contains(&key.as_str()));
    set.extend(members.map(|(key, value)| (key.as_str(), value.clone())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_folded_letter_by_letter() {
        for (name, folded) in [
            ("Find Text", "find_text"),
            ("Click (Login)", "click__login_"),
            ("Press Größe", "press_größe"),
            ("İ", "i_"),
            ("", ""),
        ] {
            assert_eq!(fold(name), folded, "{name}");
        }
    }

    #[test]
    fn a_list_gives_its_first_member_and_an_alias() {
        let value = json!([{"count": 9, "x": 1}, {"x": 2}]);
        let names: Vec<_> = variables_of(&value, Some(ArrayAlias::Matches), Dialect::Seed)
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let list = value.to_string();
        let expected = [
            "success=true",
            "found=true",
            "count=2",
            "count=9",
            "x=1",
            &format!("matches={list}"),
            &format!("result={list}"),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn nothing_is_an_empty_text() {
        let expected = [("success", json!(true)), ("result", json!(""))];
        assert_eq!(variables_of(&Value::Null, None, Dialect::Seed), expected);
    }
}
