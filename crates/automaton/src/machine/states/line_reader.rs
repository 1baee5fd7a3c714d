//! Reads an action of a state.

use serde_json::Value;

use crate::machine::actions::Step;
use crate::machine::grammar::{CallError, Cause, read_call};

use super::state::{Line, Unread};
use super::structured::structured_line;

/// Reads an action in either format. What cannot be read is kept as what it is, so that whoever checks
/// the automaton can say where it stands.
pub(super) fn line(json: &Value) -> Line {
    let Value::String(source) = json else {
        return structured_line(json);
    };
    match read_call(source) {
        Ok(call) => {
            let step = Step::of(&call);
            Line::Call { call, step }
        }
        Err(error) if is_terminate(source, &error) => Line::Terminate { is_call: true },
        Err(error) => Line::Unread(Unread::new(error, json.clone())),
    }
}

/// Returns whether a string is a call of `terminate`, which older files have.
fn is_terminate(source: &str, error: &CallError) -> bool {
    let name = source.split('(').next().unwrap_or_default();
    error.cause == Cause::UnknownName && error.byte == 0 && name.trim_end() == "terminate"
}
