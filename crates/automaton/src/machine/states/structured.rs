//! Actions of the later format: a type and parameters instead of a call.

use serde_json::Value;

use domain::page::PIXELS_A_NOTCH;

use crate::machine::actions::Step;
use crate::machine::grammar::{self, ACTION_BYTES_MAX, CallError, Cause, Function, Text};

use super::members::Members;
use super::state::{Line, PassedOver, Unread};

/// Reads an action of the later format.
pub(super) fn structured_line(json: &Value) -> Line {
    read(json).unwrap_or_else(|error| Line::Unread(Unread::new(error, json.clone())))
}

fn read(json: &Value) -> Result<Line, CallError> {
    let bad = |cause: Cause, message: &str| CallError {
        cause,
        byte: 0,
        message: message.to_owned(),
    };
    let members = Members::of(json, "an action");
    let members = members.map_err(|error| bad(Cause::Syntax, &error.message))?;
    let Some(kind) = members.get("type").and_then(Value::as_str) else {
        return Err(bad(
            Cause::Syntax,
            "an action has a `type`, which is a text",
        ));
    };
    let function = match kind {
        "terminate" => return Ok(Line::Terminate { is_call: false }),
        "navigate" => Function::NavigateTo,
        _ => {
            if let Some(known) = PassedOver::named(kind) {
                return Ok(Line::PassedOver(known));
            }
            Function::named(kind)
                .ok_or_else(|| bad(Cause::UnknownName, "nobody knows an action of this type"))?
        }
    };
    let mut arguments = Vec::new();
    if let Some(params) = members.optional("params") {
        let params = Members::of(params, "`params`");
        let params = params.map_err(|error| bad(Cause::Syntax, &error.message))?;
        for (name, value) in params.all() {
            let value = argument(value)
                .ok_or_else(|| bad(Cause::BadArguments, "a parameter is a plain value"))?;
            arguments.extend(named(name, value));
        }
    }
    let call = grammar::Call::with_names(function, arguments)?;
    let step = Step::of(&call);
    Ok(Line::Call { call, step })
}

/// Returns a parameter under the name that the calls have for it. A place becomes the box of the
/// fallback: a point.
fn named(name: &str, value: grammar::Value) -> Vec<(String, grammar::Value)> {
    let with_size = |place: &str, size: &str| {
        let nothing = grammar::Value::Whole(0);
        vec![
            (place.to_owned(), value.clone()),
            (size.to_owned(), nothing),
        ]
    };
    match name {
        "x" => with_size("fallback_x", "fallback_width"),
        "y" => with_size("fallback_y", "fallback_height"),
        "pixels" => {
            let notches = value.as_number().map(|pixels| pixels / PIXELS_A_NOTCH);
            let notches = notches.map_or(value, grammar::Value::Float);
            vec![("scroll_amount".to_owned(), notches)]
        }
        _ => vec![(name.to_owned(), value)],
    }
}

fn argument(value: &Value) -> Option<grammar::Value> {
    Some(match value {
        Value::Null => grammar::Value::Nothing,
        Value::Bool(flag) => grammar::Value::Flag(*flag),
        Value::String(text) if text.len() > ACTION_BYTES_MAX => return None,
        Value::String(text) => grammar::Value::Text(Text::literal(text.as_str())),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => grammar::Value::Whole(whole),
            None => grammar::Value::Float(number.as_f64().filter(|float| float.is_finite())?),
        },
        Value::Array(_) | Value::Object(_) => return None,
    })
}
