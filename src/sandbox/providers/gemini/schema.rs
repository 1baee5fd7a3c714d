//! The part of JSON Schema that an answer may be bound to.
//!
//! After python-genai 2.19, which names the keywords that the API knows.

use serde_json::Value;

const KEYWORDS: [&str; 21] = [
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
];

/// The first keyword that the API does not know.
pub(super) fn unknown_keyword(schema: &Value) -> Option<&str> {
    // `true` and `false` are schemas, too.
    let keywords = schema.as_object()?;
    let unknown = keywords
        .keys()
        .find(|keyword| !KEYWORDS.contains(&keyword.as_str()));
    if let Some(unknown) = unknown {
        return Some(unknown);
    }
    keywords
        .iter()
        .find_map(|(keyword, value)| match keyword.as_str() {
            "properties" | "$defs" => value.as_object()?.values().find_map(unknown_keyword),
            "prefixItems" | "anyOf" | "oneOf" => value.as_array()?.iter().find_map(unknown_keyword),
            "items" | "additionalProperties" => unknown_keyword(value),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keywords_are_found_at_any_depth_and_names_are_none() {
        let known = json!({"type": "object", "additionalProperties": false, "required": ["not"],
            "properties": {"not": {"type": "array", "items": {"type": "string"}, "maxItems": 2}}});
        assert_eq!(unknown_keyword(&known), None);
        for (place, keyword) in [
            ("", "not"),
            ("/properties/not", "uniqueItems"),
            ("/properties/not/items", "pattern"),
        ] {
            let mut schema = known.clone();
            schema.pointer_mut(place).unwrap()[keyword] = json!({});
            assert_eq!(unknown_keyword(&schema), Some(keyword), "{place}");
        }
        let inside = json!({"anyOf": [{"type": "string"}, {"$defs": {"a": {"minLength": 1}}}]});
        assert_eq!(unknown_keyword(&inside), Some("minLength"));
    }
}
