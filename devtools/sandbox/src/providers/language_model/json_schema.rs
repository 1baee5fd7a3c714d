//! Changes answers so that they fit the JSON Schema of a request.

use serde_json::{Map, Value, json};

/// The greatest depth at which a schema is applied. Deeper values stay as they are, so that the recursion ends.
const DEPTH_MAX: usize = 16;

/// Returns the value changed to fit the schema: unknown members are dropped, required ones added, lists truncated, and
/// texts outside an enumeration replaced.
pub(in crate::providers) fn conform(value: Option<&Value>, schema: &Value) -> Value {
    fit(value, schema, 0)
}

fn fit(value: Option<&Value>, schema: &Value, depth: usize) -> Value {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .map(str::to_ascii_lowercase);
    if depth > DEPTH_MAX {
        return value.cloned().unwrap_or(Value::Null);
    }
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return match value {
            Some(value) if choices.contains(value) => value.clone(),
            _ => choices.first().cloned().unwrap_or(Value::Null),
        };
    }
    match kind.as_deref() {
        Some("object") => object(value, schema, depth),
        Some("array") => array(value, schema, depth),
        Some("string") => value
            .filter(|value| value.is_string())
            .cloned()
            .unwrap_or(json!("")),
        Some("integer") => value
            .filter(|value| value.is_i64())
            .cloned()
            .unwrap_or(minimum(schema)),
        Some("number") => value
            .filter(|value| value.is_number())
            .cloned()
            .unwrap_or(minimum(schema)),
        Some("boolean") => value
            .filter(|value| value.is_boolean())
            .cloned()
            .unwrap_or(json!(false)),
        _ => value.cloned().unwrap_or(Value::Null),
    }
}

fn minimum(schema: &Value) -> Value {
    schema.get("minimum").cloned().unwrap_or(json!(0))
}

fn object(value: Option<&Value>, schema: &Value, depth: usize) -> Value {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return value
            .filter(|value| value.is_object())
            .cloned()
            .unwrap_or_else(|| json!({}));
    };
    let required = schema.get("required").and_then(Value::as_array);
    let needed = |name: &str| required.is_some_and(|list| list.iter().any(|item| item == name));
    let members: Map<String, Value> = properties
        .iter()
        .filter_map(|(name, schema)| {
            let member = value.and_then(|value| value.get(name));
            (member.is_some() || needed(name))
                .then(|| (name.clone(), fit(member, schema, depth + 1)))
        })
        .collect();
    Value::Object(members)
}

fn array(value: Option<&Value>, schema: &Value, depth: usize) -> Value {
    let number = |name: &str| {
        schema
            .get(name)
            .and_then(Value::as_u64)
            .and_then(|number| usize::try_from(number).ok())
    };
    let given = value
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let anything = json!({});
    let items = schema.get("items").unwrap_or(&anything);
    // In a list, a text outside the enumeration is dropped rather than replaced.
    let allowed = |item: &&Value| {
        let choices = items.get("enum").and_then(Value::as_array);
        choices.is_none_or(|choices| choices.contains(item))
    };
    let most = number("maxItems").unwrap_or(usize::MAX);
    let mut list: Vec<Value> = given
        .iter()
        .filter(allowed)
        .take(most)
        .map(|item| fit(Some(item), items, depth + 1))
        .collect();
    // No planner's schema requires more than 64 items, and a larger number would only cost memory.
    let least = number("minItems").unwrap_or(0).min(64);
    while list.len() < least {
        list.push(fit(None, items, depth + 1));
    }
    Value::Array(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_fit_their_schema() {
        let value = json!({"next": ["A", "B", "C"], "extra": 1});
        let schema = json!({"type": "object", "required": ["next", "why", "sure"], "properties": {
            "next": {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["B", "C", "D"]}},
            "why": {"type": "string"}, "sure": {"type": "boolean"}, "optional": {"type": "integer"}}});
        let expect = json!({"next": ["B", "C"], "why": "", "sure": false});
        assert_eq!(conform(Some(&value), &schema), expect);
    }

    #[test]
    fn shortest_lists_are_filled() {
        let schema =
            json!({"type": "ARRAY", "minItems": 2, "items": {"type": "INTEGER", "minimum": 3}});
        assert_eq!(conform(None, &schema), json!([3, 3]));
    }
}
