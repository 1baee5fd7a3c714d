//! Parses checks: those of the specification in both of their formats, and those that hold over redesigns.

use domain::page::{By, Condition, Query};
use serde_json::Value;

use super::reader::{Members, ReadError};
use super::{Check, CheckKind, UrlPattern};

/// The longest wait of a check for its element, in seconds.
const TIMEOUT_SECONDS_MAX: f64 = 60.0;
/// The default wait of a check for its element, in seconds.
pub(super) const TIMEOUT_SECONDS: f64 = 0.1;
/// The selector of a whole page.
pub(super) const WHOLE_PAGE: &str = "body";

/// Reads a check in either format. Also returns whether the check is in the later format.
pub(super) fn check(json: &Value) -> Result<(Check, bool), ReadError> {
    let members = Members::of(json, "a check")?;
    let kind = members.text("type")?;
    let (check, is_later) = match members.get("params") {
        Some(params) if members.get("value").is_none() => {
            let params = Members::of(params, "`params`")?;
            (later(&kind, params)?, true)
        }
        _ => {
            let value = match members.any("value")? {
                Value::String(_) => Some(members.text("value")?),
                _ => None,
            };
            (earlier(&kind, value)?, false)
        }
    };
    if members.flag("not", false)? {
        return Ok((Check::Not(Box::new(check)), is_later));
    }
    Ok((check, is_later))
}

/// Reads a check with one value. Those that compare a signal are the specification's.
fn earlier(kind: &str, value: Option<String>) -> Result<Check, ReadError> {
    let signal = |kind, value| Ok(Check::Signal { kind, value });
    let found = |by, selector, condition| {
        Ok(Check::Query(Query {
            by,
            selector,
            condition,
            timeout_ms: to_ms(TIMEOUT_SECONDS),
        }))
    };
    match (kind, value) {
        ("url", value) => signal(CheckKind::Url, value),
        ("text", value) => signal(CheckKind::Text, value),
        ("element", value) => signal(CheckKind::Element, value),
        ("role", Some(selector)) => found(By::Role, selector, Condition::Shown),
        ("page_text", Some(text)) => found(
            By::CssSelector,
            WHOLE_PAGE.to_owned(),
            Condition::Text(text),
        ),
        ("enabled", Some(selector)) => found(By::CssSelector, selector, Condition::Enabled),
        ("checked", Some(selector)) => found(By::CssSelector, selector, Condition::Checked),
        ("url_pattern", Some(pattern)) => Ok(Check::UrlPattern(UrlPattern::new(pattern))),
        ("role" | "page_text" | "enabled" | "checked" | "url_pattern", None) => {
            Err(ReadError::new("`value` must be a text"))
        }
        (_, value) => signal(CheckKind::Unknown, value),
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
            let condition = Condition::Present;
            query(By::XPath, selector, condition, params)
        }
        "element" => {
            let condition = if params.flag("check_visibility", true)? {
                Condition::Visible
            } else {
                Condition::Present
            };
            query(by(params)?, params.text("selector")?, condition, params)
        }
        "role" => {
            let role = params.text("role")?;
            let selector = match params.optional("name") {
                None => role,
                Some(_) => role_selector(&role, &params.text("name")?),
            };
            query(By::Role, selector, Condition::Shown, params)
        }
        "page_text" => {
            let condition = Condition::Text(params.text("text")?);
            let is_whole = params.optional("selector").is_none();
            let (by, selector) = if is_whole {
                (By::CssSelector, WHOLE_PAGE.to_owned())
            } else {
                (by(params)?, params.text("selector")?)
            };
            query(by, selector, condition, params)
        }
        "value" => {
            let condition = Condition::Value(params.text("value")?);
            query(by(params)?, params.text("selector")?, condition, params)
        }
        "enabled" => query(
            by(params)?,
            params.text("selector")?,
            Condition::Enabled,
            params,
        ),
        "checked" => query(
            by(params)?,
            params.text("selector")?,
            Condition::Checked,
            params,
        ),
        "url_pattern" => {
            let pattern = params.text("pattern")?;
            Ok(Check::UrlPattern(UrlPattern::new(pattern)))
        }
        _ => Ok(Check::Signal {
            kind: CheckKind::Unknown,
            value: None,
        }),
    }
}

/// Returns the selector of an element by its role and accessible name.
pub(crate) fn role_selector(role: &str, name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{role}[name=\"{name}\"]")
}

/// Reads the type of a selector.
pub(super) fn by(params: Members<'_>) -> Result<By, ReadError> {
    let by = By::named(&params.text("by")?);
    by.ok_or_else(|| ReadError::new("`by` is no way to find an element"))
}

fn query(
    by: By,
    selector: String,
    condition: Condition,
    params: Members<'_>,
) -> Result<Check, ReadError> {
    let seconds = match params.optional("timeout") {
        None => TIMEOUT_SECONDS,
        Some(value) => {
            let known = value
                .as_f64()
                .filter(|seconds| (0.0..=TIMEOUT_SECONDS_MAX).contains(seconds));
            known.ok_or_else(|| {
                let message = format!("`timeout` must be from 0 to {TIMEOUT_SECONDS_MAX} seconds");
                ReadError::new(message)
            })?
        }
    };
    Ok(Check::Query(Query {
        by,
        selector,
        condition,
        timeout_ms: to_ms(seconds),
    }))
}

/// Converts seconds, from 0 to 60, to milliseconds.
fn to_ms(seconds: f64) -> u64 {
    // The seconds are at most 60, so the conversion loses nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = (seconds * 1_000.0 + 0.5) as u64;
    ms
}

/// Returns a text as an `XPath` string. `XPath` has no escapes, so a text with both kinds of quotes becomes a `concat`
/// of its parts.
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
