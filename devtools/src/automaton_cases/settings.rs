//! The settings of a case.

use serde_json::Value;

use automaton::machine::Settings;

/// Reads the settings of a case. Missing settings have the defaults of the recorded program. The error is a part of a
/// sentence.
pub(super) fn settings(config: &Value) -> Result<Settings, String> {
    let mut settings = Settings {
        transition_period_ms: 3_000,
        action_period_ms: 1_000,
        recursion_limit: 10,
        ..Settings::default()
    };
    let Some(config) = config.as_object() else {
        return Ok(settings);
    };
    for (name, value) in config {
        match name.as_str() {
            "transition_period" => settings.transition_period_ms = ms(name, value)?,
            "action_period" => settings.action_period_ms = ms(name, value)?,
            "state_timeout" => settings.state_timeout_ms = limit_ms(name, value)?,
            "no_states_timeout" if value.is_null() => settings.no_states_timeout_ms = 0,
            "no_states_timeout" => settings.no_states_timeout_ms = limit_ms(name, value)?,
            "allow_multiple_states" => settings.allows_multiple_states = is_true(value),
            "recursion_limit" => {
                let limit = number(name, value)?.ceil().clamp(0.0, 1e9);
                // The clamp leaves an integer from 0 to 10^9, so the cast is exact.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let limit = limit as u32;
                settings.recursion_limit = limit;
            }
            _ => {}
        }
    }
    Ok(settings)
}

fn number(name: &str, value: &Value) -> Result<f64, String> {
    let number = value.as_f64();
    number.ok_or_else(|| format!("`{name}` must be a number"))
}

fn ms(name: &str, value: &Value) -> Result<u64, String> {
    let number = number(name, value)?;
    to_ms(number).ok_or_else(|| format!("`{name}` must be a number from 0 to 10^9"))
}

fn limit_ms(name: &str, value: &Value) -> Result<i64, String> {
    let number = number(name, value)?.clamp(-1e9, 1e9) * 1_000.0;
    // The clamp leaves a number between -10^12 and 10^12, which fits an `i64`. Positive values stay positive.
    #[allow(clippy::cast_possible_truncation)]
    let ms = number.round() as i64;
    Ok(if number > 0.0 { ms.max(1) } else { ms })
}

/// Returns whether Python would consider a value true, as the recorded program did.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// Converts seconds to milliseconds. Returns `None` if the result is out of range.
pub(super) fn to_ms(seconds: f64) -> Option<u64> {
    // Every number that is returned is from 0 to 10^12, which fits a `u64`.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = (seconds * 1_000.0).round() as u64;
    (0.0..=1e9).contains(&seconds).then_some(ms)
}
