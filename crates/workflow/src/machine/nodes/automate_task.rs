//! The task of executing an automaton, by a run of another engine.

use serde_json::{Value, json};

use crate::machine::graph::{AUTOMATE_NOUN, ChildKind};
use crate::machine::interface::{Action, AutomateCall, Outcome};
use crate::machine::notice::NoticeKind;

use super::context::{Fault, Step, TaskContext};

/// Begins the automaton.
pub(super) fn begin(call: &AutomateCall, context: &mut TaskContext<'_>) -> Step {
    let message = match call.request.get(AUTOMATE_NOUN).and_then(Value::as_str) {
        Some(name) => format!("Begins the {AUTOMATE_NOUN} {name}."),
        None => format!("Begins an {AUTOMATE_NOUN}."),
    };
    tell(context, None, message);
    Step::Do(Action::Automate(call.clone()))
}

/// Takes in how the automaton ended: its end, and what it read, are the node's value.
pub(super) fn resume(outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
    let Outcome::Automated(end) = outcome else {
        return Step::misfit();
    };
    match end {
        Ok(end) => {
            let member = |name| end.value.get(name).cloned().unwrap_or_default();
            let value = json!({
                "end_state": member("endState"),
                "url": member("url"),
                "title": member("title"),
                "texts": member("texts"),
                "run": end.run,
                "message": end.message,
            });
            tell(context, Some(end.run), end.message);
            Step::Done(value)
        }
        Err(failure) => {
            tell(context, failure.run, failure.message.clone());
            Step::Failed(Fault {
                error: failure.message,
                is_unknown: failure.is_unknown,
            })
        }
    }
}

fn tell(context: &mut TaskContext<'_>, run: Option<String>, message: String) {
    context.told.push(NoticeKind::Child {
        kind: ChildKind::Automate,
        run,
        message,
    });
}
