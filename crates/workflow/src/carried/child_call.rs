//! The runs that a workflow begins, as a carrier hands them on.

use serde_json::{Map, Value};

use engine::child_run::EndedRun;
use engine::{ChildOutput, ChildResult, NoResult};

use crate::machine::{AutomateEnd, ChildEnd, ChildFailure, InvestigateCall};

/// Returns the request for the run that finds a chain, as `POST /runs` takes it.
pub(super) fn request_of(call: &InvestigateCall) -> Value {
    let mut members = Map::new();
    members.insert("personA".into(), call.person_a.as_str().into());
    members.insert("personB".into(), call.person_b.as_str().into());
    if !call.options.is_null() {
        members.insert("options".into(), call.options.clone());
    }
    Value::Object(members)
}

/// Returns how a run ended that was to find a chain.
pub(super) fn end_of(ended: EndedRun) -> Result<ChildEnd, ChildFailure> {
    let run = ended.run.map(|run| run.to_string());
    let result: ChildResult = ended.result;
    match (result, run) {
        (Ok(ChildOutput { value, message }), Some(run)) => Ok(ChildEnd {
            run,
            path: path_of(&value),
            message,
        }),
        (Ok(ChildOutput { message, .. }), None) => Err(failed(None, message.as_str().into())),
        (Err(why), run) => Err(failed(run, why)),
    }
}

/// Returns how an automaton ended.
pub(super) fn automate_end_of(ended: EndedRun) -> Result<AutomateEnd, ChildFailure> {
    let run = ended.run.map(|run| run.to_string());
    match (ended.result, run) {
        (Ok(ChildOutput { value, message }), Some(run)) => Ok(AutomateEnd {
            run,
            value,
            message,
        }),
        (Ok(ChildOutput { message, .. }), None) => Err(failed(None, message.as_str().into())),
        (Err(why), run) => Err(failed(run, why)),
    }
}

fn failed(run: Option<String>, why: NoResult) -> ChildFailure {
    ChildFailure {
        run,
        message: why.message,
        is_unknown: why.is_unknown,
    }
}

fn path_of(value: &Value) -> Vec<String> {
    let names = value.get("path").and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}
