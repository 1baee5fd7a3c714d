//! Google's field masks, for partial responses:
//! `fields=items(link,image/height),searchInformation/totalResults`.

use serde_json::{Map, Value};

/// A mask: the names to keep, each with the mask of its members; an empty mask keeps everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldMask {
    names: Vec<(String, FieldMask)>,
}

impl FieldMask {
    /// Parses a mask. Returns `None` if brackets or names are wrong.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let mask = list(&mut rest, 0)?;
        rest.is_empty().then_some(mask)
    }

    /// Returns the names that the mask keeps at the top level.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the value without the members that the mask does not name. An empty mask keeps the whole value.
    pub(super) fn apply(&self, value: Value) -> Value {
        if self.names.is_empty() {
            return value;
        }
        match value {
            Value::Object(members) => Value::Object(self.kept(members)),
            Value::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.apply(item)).collect())
            }
            other => other,
        }
    }

    fn kept(&self, members: Map<String, Value>) -> Map<String, Value> {
        let rule = |name: &str| {
            self.names
                .iter()
                .find(|(known, _)| known == name || known == "*")
                .map(|(_, mask)| mask)
        };
        members
            .into_iter()
            .filter_map(|(name, value)| {
                let mask = rule(&name)?;
                Some((name, mask.apply(value)))
            })
            .collect()
    }
}

/// The most levels of a mask. No reply is as deep, and the limit keeps the recursion from exhausting the stack.
const DEPTH_MAX: usize = 8;

fn list(rest: &mut &str, depth: usize) -> Option<FieldMask> {
    let mut names = Vec::new();
    loop {
        names.push(entry(rest, depth)?);
        match rest.strip_prefix(',') {
            Some(after) => *rest = after,
            None => return Some(FieldMask { names }),
        }
    }
}

fn entry(rest: &mut &str, depth: usize) -> Option<(String, FieldMask)> {
    if depth > DEPTH_MAX {
        return None;
    }
    let end = rest.find([',', '/', '(', ')']).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end)?;
    *rest = after;
    let valid = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '*';
    if name.is_empty() || !name.chars().all(valid) {
        return None;
    }
    let below = if let Some(after) = rest.strip_prefix('/') {
        *rest = after;
        FieldMask {
            names: vec![entry(rest, depth + 1)?],
        }
    } else if let Some(after) = rest.strip_prefix('(') {
        *rest = after;
        let mask = list(rest, depth + 1)?;
        *rest = rest.strip_prefix(')')?;
        mask
    } else {
        FieldMask::default()
    };
    Some((name.to_owned(), below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(mask: &str, expect: &Value) {
        let value = json!({"kind": "k", "items": [{"link": "l", "image": {"height": 1, "width": 2}}],
            "searchInformation": {"totalResults": "1", "searchTime": 0.1}});
        assert_eq!(
            FieldMask::parse(mask).unwrap().apply(value),
            *expect,
            "{mask}"
        );
    }

    #[test]
    fn masks_keep_what_they_name() {
        check("kind", &json!({"kind": "k"}));
        check("nothing", &json!({}));
        check(
            "items(link),searchInformation/totalResults",
            &json!({"items": [{"link": "l"}], "searchInformation": {"totalResults": "1"}}),
        );
        check(
            "items/image/height",
            &json!({"items": [{"image": {"height": 1}}]}),
        );
        check(
            "items(link,image(width))",
            &json!({"items": [{"link": "l", "image": {"width": 2}}]}),
        );
        check(
            "items/*",
            &json!({"items": [{"link": "l", "image": {"height": 1, "width": 2}}]}),
        );
    }

    #[test]
    fn broken_masks_are_refused() {
        let deep = "a/".repeat(40) + "a";
        for mask in [
            "",
            ",",
            "a,",
            "a(",
            "a(b",
            "a)b",
            "a()",
            "a b",
            "/a",
            deep.as_str(),
        ] {
            assert_eq!(FieldMask::parse(mask), None, "{mask}");
        }
    }
}
