//! The part of JSON Schema that can constrain an answer.
//!
//! It follows python-genai 2.19, which names the keywords that the API knows.

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

/// The keywords of the older form of a schema, that of `OpenAPI`.
const OPENAPI_KEYWORDS: [&str; 22] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "minimum",
    "maximum",
];

/// Returns the first keyword that the API does not know, or `None` if it knows all of them.
pub(super) fn unknown_keyword(schema: &Value) -> Option<&str> {
    unknown(schema, &KEYWORDS)
}

/// Returns the first keyword that the older form of a schema does not have, or `None` if it has all of them.
pub(super) fn unknown_openapi_keyword(schema: &Value) -> Option<&str> {
    unknown(schema, &OPENAPI_KEYWORDS)
}

fn unknown<'schema>(schema: &'schema Value, known: &[&str]) -> Option<&'schema str> {
    // A schema may also be `true` or `false`, which have no keywords.
    let keywords = schema.as_object()?;
    let first = keywords
        .keys()
        .find(|keyword| !known.contains(&keyword.as_str()));
    if let Some(first) = first {
        return Some(first);
    }
    let inner = |schema| unknown(schema, known);
    keywords
        .iter()
        .find_map(|(keyword, value)| match keyword.as_str() {
            "properties" | "$defs" => value.as_object()?.values().find_map(inner),
            "prefixItems" | "anyOf" | "oneOf" => value.as_array()?.iter().find_map(inner),
            "items" | "additionalProperties" => inner(value),
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
        assert_eq!(
            unknown_openapi_keyword(&known),
            Some("additionalProperties")
        );
        let inside = json!({"anyOf": [{"type": "string"}, {"$defs": {"a": {"minLength": 1}}}]});
        assert_eq!(unknown_keyword(&inside), Some("minLength"));
    }
}
