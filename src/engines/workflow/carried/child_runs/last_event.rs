//! The last event of a run that a workflow began.

use serde_json::Value;

use crate::engines::workflow::machine::{ChildEnd, ChildFailure};

use super::child_order::text_of;

/// Reads how the run ended, and what it cost in billionths of a dollar.
pub(super) fn read(run: &str, event: &str) -> (Result<ChildEnd, ChildFailure>, u64) {
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    let usd = event.pointer("/spent/usd").and_then(Value::as_f64);
    // A run may cost at most 1e13 billionths of a dollar.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let nano_usd = (usd.unwrap_or_default().max(0.0) * 1e9).round() as u64;
    let end = |path: Vec<String>, message: String| ChildEnd {
        run: run.to_owned(),
        path,
        message,
    };
    let message = text_of(&event, "message").to_owned();
    let outcome = match text_of(&event, "type") {
        "final" => {
            let people = event.get("path").and_then(Value::as_array);
            let names = people
                .into_iter()
                .flatten()
                .map(|person| text_of(person, "name").to_owned());
            let path: Vec<String> = names.collect();
            let hops = path.len().saturating_sub(1);
            Ok(end(path, format!("A chain of {hops} hops was found.")))
        }
        "no_path" => Ok(end(Vec::new(), message)),
        _ => Err(ChildFailure {
            run: Some(run.to_owned()),
            message: if message.is_empty() {
                "The investigation ended without a result.".to_owned()
            } else {
                message
            },
        }),
    };
    (outcome, nano_usd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_is_read() {
        let found = r#"{"type":"final","path":[{"name":"Cosette"},{"name":"Javert"}],"spent":{"usd":0.002}}"#;
        let (end, nano_usd) = read("s.r", found);
        assert_eq!(end.unwrap().path, ["Cosette", "Javert"]);
        assert_eq!(nano_usd, 2_000_000);
        let none = r#"{"type":"no_path","message":"None.","spent":{"usd":0}}"#;
        let end = read("s.r", none).0.unwrap();
        assert_eq!((end.path.len(), &*end.message), (0, "None."));
        let failed = read("s.r", r#"{"type":"error","message":"Down."}"#)
            .0
            .unwrap_err();
        assert_eq!(failed.message, "Down.");
        assert!(read("s.r", "{").0.is_err());
    }
}
