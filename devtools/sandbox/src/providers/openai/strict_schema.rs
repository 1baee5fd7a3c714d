//! The rules for a schema in strict mode. The source is OpenAI's guide to structured outputs, "Supported schemas".

use serde_json::Value;

/// The depth of nesting, counted from 0, beyond which schemas are refused.
const DEPTH_MAX: usize = 10;
const UNSUPPORTED: [&str; 7] = [
    "allOf",
    "not",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "then",
    "else",
];

/// Returns the first mistake in a schema, in the words of the API's refusal. Returns `None` if there is no mistake.
pub(super) fn mistake(schema: &Value) -> Option<String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Some("schema must be a JSON Schema of 'type: \"object\"'".to_owned());
    }
    mistake_at(schema, "()", 0)
}

fn mistake_at(schema: &Value, context: &str, depth: usize) -> Option<String> {
    if depth > DEPTH_MAX {
        return Some(format!(
            "In context={context}, the schema is nested too deeply."
        ));
    }
    let Some(members) = schema.as_object() else {
        return Some(format!("In context={context}, the schema is no object."));
    };
    if let Some(name) = UNSUPPORTED.iter().find(|name| members.contains_key(**name)) {
        return Some(format!("In context={context}, '{name}' is not permitted."));
    }
    if let Some(items) = members.get("items") {
        return mistake_at(items, &format!("{context}.items"), depth + 1);
    }
    if members.get("type").and_then(Value::as_str) != Some("object") {
        return None;
    }
    if members.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Some(format!(
            "In context={context}, 'additionalProperties' is required to be supplied and to be false."
        ));
    }
    let properties = members.get("properties").and_then(Value::as_object);
    let required = members.get("required").and_then(Value::as_array);
    properties.into_iter().flatten().find_map(|(name, schema)| {
        if !required.is_some_and(|list| list.iter().any(|item| item == name.as_str())) {
            return Some(format!(
                "In context={context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '{name}'."
            ));
        }
        mistake_at(schema, &format!("{context}.properties.{name}"), depth + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_object_names_all_its_members_and_allows_no_other() {
        let good = json!({"type": "object", "additionalProperties": false, "required": ["a"],
            "properties": {"a": {"type": "array", "items": {"type": "string"}}}});
        assert_eq!(mistake(&good), None);
        for (name, value, says) in [
            ("additionalProperties", json!(true), "additionalProperties"),
            ("required", json!([]), "Missing 'a'"),
            ("type", json!("array"), "must be a JSON Schema"),
            ("not", json!({}), "'not' is not permitted"),
            (
                "properties",
                json!({"a": {"type": "object"}}),
                "properties.a",
            ),
            (
                "properties",
                json!({"a": {"type": "array", "items": {"type": "object"}}}),
                "a.items",
            ),
        ] {
            let mut wrong = good.clone();
            wrong[name] = value;
            let mistake = mistake(&wrong).unwrap();
            assert!(mistake.contains(says), "{mistake}");
        }
    }
}
