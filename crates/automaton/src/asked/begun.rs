//! The automata that other runs begin.

use serde_json::{Value, json};

use engine::budget::Amount;
use engine::{Begun, ChildOutput, ChildResult, NoResult, ParentLimits};

use crate::stored::{AutomatonEngine, AutomatonOrder};

use super::options::RUNTIME_MS_MIN;

impl Begun for AutomatonEngine {
    const NOUN: &'static str = "automaton";

    fn limited(order: AutomatonOrder, left: &ParentLimits<'_>) -> Result<AutomatonOrder, String> {
        if left.runtime_ms_max < RUNTIME_MS_MIN {
            let noun = left.noun;
            return Err(format!("The {noun}'s time does not last for an automaton."));
        }
        Ok(order.within(left.runtime_ms_max, left.nano_usd_max))
    }

    fn nano_usd_max(order: &AutomatonOrder) -> u64 {
        order.nano_usd_max().unwrap_or_default()
    }

    /// Returns `{"endState", "url", "title", "texts"}`: the words of the state with which the run ended, and
    /// the page that it saw last. A run that ended where nobody knows what came of an action is not begun
    /// again.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let usd = last_event.pointer("/payload/spent/usd");
        let usd = usd.and_then(Value::as_f64).unwrap_or_default();
        let text = |member| last_event.pointer(member).and_then(Value::as_str);
        let read = |member: &str| last_event.pointer(&format!("/payload/read/{member}"));
        let says = text("/payload/message").filter(|says| !says.is_empty());
        let result = match text("/type") {
            Some("completed") => {
                let words = says.unwrap_or_default();
                Ok(ChildOutput {
                    value: json!({
                        "endState": words,
                        "url": read("url"),
                        "title": read("title"),
                        "texts": read("texts"),
                    }),
                    message: format!("The automaton was completed: {words}"),
                })
            }
            Some("stopped") => Err("The automaton was stopped.".into()),
            _ => Err(NoResult {
                is_unknown: text("/payload/reason") == Some("unknown_outcome"),
                ..says
                    .unwrap_or("The automaton ended without a result.")
                    .into()
            }),
        };
        (result, Amount::nano_usd_of(usd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_is_read() {
        let end = |event: Value| AutomatonEngine::end(&event);
        let read = json!({"url": "https://shop.example/", "title": "Shop", "texts": ["Thanks"]});
        let payload = json!({"message": "Ordered", "read": &read, "spent": {"usd": 0.5}});
        let (completed, nano_usd) = end(json!({"type": "completed", "payload": payload}));
        let value = completed.unwrap().value;
        assert_eq!(value["endState"], "Ordered");
        assert_eq!(value["texts"], read["texts"]);
        assert_eq!(nano_usd, 500_000_000);
        let stopped = end(json!({"type": "stopped"})).0.unwrap_err();
        assert_eq!(stopped.message, "The automaton was stopped.");
        let failed = json!({"type": "failed", "payload": {"message": "No state passes."}});
        let failed = end(failed).0.unwrap_err();
        assert_eq!(
            (&*failed.message, failed.is_unknown),
            ("No state passes.", false)
        );
        let unknown = json!({"message": "Nobody knows.", "reason": "unknown_outcome"});
        let unknown = end(json!({"type": "failed", "payload": unknown}));
        assert!(unknown.0.unwrap_err().is_unknown);
        assert!(end(Value::Null).0.is_err());
    }
}
