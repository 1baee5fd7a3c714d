//! The investigations that other runs begin.

use serde_json::{Value, json};

use engine::budget::Amount;
use engine::{Begun, ChildOutput, ChildResult, ParentLimits};

use crate::stored::{InvestigationEngine, Order};

/// The shortest run that makes sense, in milliseconds.
const RUNTIME_MS_MIN: u64 = 1_000;

impl Begun for InvestigationEngine {
    const NOUN: &'static str = "investigation";

    fn limited(order: Order, left: &ParentLimits<'_>) -> Result<Order, String> {
        if left.runtime_ms_max < RUNTIME_MS_MIN {
            let noun = left.noun;
            return Err(format!(
                "The {noun}'s time does not last for an investigation."
            ));
        }
        let request = order.request();
        let mut request = request.map_err(|error| format!("The order does not hold: {error}."))?;
        let limits = &mut request.limits;
        if let Some(left) = left.nano_usd_max {
            limits.nano_usd_max = Some(limits.nano_usd_max.unwrap_or(left).min(left));
        }
        limits.runtime_ms_max = limits.runtime_ms_max.min(left.runtime_ms_max);
        Ok(Order::new(&request))
    }

    fn nano_usd_max(order: &Order) -> u64 {
        let limits = order.request().map(|request| request.limits.nano_usd_max);
        limits.ok().flatten().unwrap_or_default()
    }

    /// Returns `{"path": [NAME, ...]}`, whose path is empty where there is no chain.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let usd = last_event.pointer("/spent/usd").and_then(Value::as_f64);
        let nano_usd = Amount::nano_usd_of(usd.unwrap_or_default());
        let message = text_of(last_event, "message");
        let result = match text_of(last_event, "type") {
            "final" => {
                let path = path_of(last_event);
                let hops = path.len().saturating_sub(1);
                Ok(output(&path, format!("A chain of {hops} hops was found.")))
            }
            "no_path" => Ok(output(&[], message.to_owned())),
            _ if message.is_empty() => Err("The investigation ended without a result.".into()),
            _ => Err(message.into()),
        };
        (result, nano_usd)
    }
}

fn output(path: &[&str], message: String) -> ChildOutput {
    ChildOutput {
        value: json!({"path": path}),
        message,
    }
}

/// Returns the names along a chain.
fn path_of(event: &Value) -> Vec<&str> {
    let people = event.get("path").and_then(Value::as_array);
    let people = people.into_iter().flatten();
    people.map(|person| text_of(person, "name")).collect()
}

/// Returns the text of an object's member, or an empty text where the member is no text.
fn text_of<'json>(json: &'json Value, member: &str) -> &'json str {
    json.get(member).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(event: &Value) -> (ChildResult, u64) {
        InvestigationEngine::end(event)
    }

    #[test]
    fn each_end_is_read() {
        let people = json!([{"name": "Cosette"}, {"name": "Javert"}]);
        let found = json!({"type": "final", "path": people, "spent": {"usd": 0.002}});
        let (found, nano_usd) = end(&found);
        assert_eq!(found.unwrap().value, json!({"path": ["Cosette", "Javert"]}));
        assert_eq!(nano_usd, 2_000_000);
        let none = json!({"type": "no_path", "message": "None.", "spent": {"usd": 0}});
        let none = end(&none).0.unwrap();
        assert_eq!((none.value, &*none.message), (json!({"path": []}), "None."));
        let failed = end(&json!({"type": "error", "message": "Down."})).0;
        assert_eq!(failed.unwrap_err().message, "Down.");
        assert!(end(&Value::Null).0.is_err());
    }
}
