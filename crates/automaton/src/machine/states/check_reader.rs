//! Reads a check of a state.

use serde_json::Value;

use domain::page::{By, Query};

use super::members::Members;
use super::read_error::ReadError;
use super::state::{Check, CheckKind};

/// The longest time that a check may wait for its element, in seconds.
const TIMEOUT_SECONDS_MAX: f64 = 60.0;
/// The time that a check waits for its element where it says nothing, in seconds.
pub(super) const TIMEOUT_SECONDS: f64 = 0.1;

/// Reads a check in either format, and whether it is written in the later one.
pub(super) fn check(json: &Value) -> Result<(Check, bool), ReadError> {
    let members = Members::of(json, "a check")?;
    let kind = members.text("type")?;
    match members.get("params") {
        Some(params) if members.get("value").is_none() => {
            let params = Members::of(params, "`params`")?;
            Ok((later(&kind, params)?, true))
        }
        _ => {
            let value = members.any("value")?;
            let value = match value {
                Value::String(_) => Some(members.text("value")?),
                _ => None,
            };
            let kind = match kind.as_str() {
                "url" => CheckKind::Url,
                "text" => CheckKind::Text,
                "element" => CheckKind::Element,
                _ => CheckKind::Unknown,
            };
            Ok((Check::Signal { kind, value }, false))
        }
    }
}

fn later(kind: &str, params: Members<'_>) -> Result<Check, ReadError> {
    match kind {
        "url" => Ok(Check::Signal {
            kind: CheckKind::Url,
            value: Some(params.text("url")?),
        }),
        "text" => {
            let text = params.text("text")?;
            if params.flag("check_visibility", true)? {
                return Ok(Check::Signal {
                    kind: CheckKind::Text,
                    value: Some(text),
                });
            }
            let selector = format!("//*[normalize-space(text())={}]", xpath_string(&text));
            query(By::XPath, selector, params)
        }
        "element" => {
            let by = By::named(&params.text("by")?);
            let by = by.ok_or_else(|| ReadError::new("`by` is no way to find an element"))?;
            query(by, params.text("selector")?, params)
        }
        _ => Ok(Check::Signal {
            kind: CheckKind::Unknown,
            value: None,
        }),
    }
}

fn query(by: By, selector: String, params: Members<'_>) -> Result<Check, ReadError> {
    let seconds = match params.optional("timeout") {
        None => TIMEOUT_SECONDS,
        Some(value) => {
            let seconds = value.as_f64();
            let seconds = seconds.filter(|seconds| (0.0..=TIMEOUT_SECONDS_MAX).contains(seconds));
            seconds.ok_or_else(|| {
                let message = format!("`timeout` must be from 0 to {TIMEOUT_SECONDS_MAX} seconds");
                ReadError::new(message)
            })?
        }
    };
    // From 0 to 60,000.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let timeout_ms = (seconds * 1_000.0 + 0.5) as u64;
    Ok(Check::Query(Query {
        by,
        selector,
        is_visible: params.flag("check_visibility", true)?,
        timeout_ms,
    }))
}

/// Returns a text as a string of `XPath`, which has no escapes: a text with both quotes is put together.
fn xpath_string(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
    format!("concat({})", parts.join(", \"'\", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_quotes_are_strings_of_xpath() {
        for (text, expected) in [
            ("a", "'a'"),
            ("it's", "\"it's\""),
            ("a\"b", "'a\"b'"),
            ("it's \"so\"", "concat('it', \"'\", 's \"so\"')"),
        ] {
            assert_eq!(xpath_string(text), expected);
        }
    }
}
