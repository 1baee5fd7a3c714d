//! The answers of the tools that are of no engine.

use serde_json::Value;

use engine::Problem;
use engine::assistant::Answer;
use engine::assistant::Members;
use engine::assistant::quoted;

/// Returns the answer about people whom a name may mean, by what `GET /people` answers.
#[must_use]
pub fn people_answer(found: &Value) -> Answer {
    let people = found.get("people").and_then(Value::as_array);
    let mut told = Vec::new();
    let mut text = String::new();
    for person in people.into_iter().flatten() {
        let mut members = Members::default();
        for member in ["number", "label", "description", "alias"] {
            members.add_of(member, person, member);
            if let Some(words) = person.get(member).and_then(Value::as_str) {
                text.push_str(&quoted(words));
                text.push(' ');
            }
        }
        text.push('\n');
        told.push(members.into_value());
    }
    if told.is_empty() {
        text.push_str("Wikidata knows nobody of this name.");
    }
    let mut members = Members::default();
    members.add("people", told.into());
    Answer::new(members, text)
}

/// Returns the refusal of a run that there is not, in the words of the tools.
#[must_use]
pub fn no_run_of_tools() -> Problem {
    Problem::new(
        404,
        "There is no such run here, or not any more: a run is kept for some minutes after its end. Give the run as a \
         tool's answer named it, or call that tool again.",
    )
}

/// Returns the refusal of an end that the caller may not bring about, in the words of the tools.
#[must_use]
pub fn only_its_beginner() -> Problem {
    Problem::new(
        403,
        "Only whoever began this run may stop it: give the argument secret, with the secret in the answer to the call \
         that began it. Everybody else may wait for its end with get_run.",
    )
}

/// Returns the refusal of a stored document's run whose call is as its tool describes it. A member of the request that is
/// named there is the document's, and none of the call's arguments.
#[must_use]
pub fn not_by_arguments(problem: &Problem) -> Problem {
    if problem.named_field().is_none() {
        return problem.clone();
    }
    let detail = format!(
        "This tool cannot be begun as this server's operator has stored it, whatever its arguments: {}",
        problem.detail()
    );
    Problem::new(problem.status(), detail)
}

/// Returns the answer about a run that is being stopped.
#[must_use]
pub fn stopping(run: &str) -> Answer {
    let mut members = Members::default();
    members.add_text("run", run);
    members.add_text("state", "stopping");
    let text = format!("The run is being stopped. get_run with run {run} tells what it found.");
    Answer::new(members, text)
}
