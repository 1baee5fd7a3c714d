//! A session of an assistant, by the revisions of the Model Context Protocol that have sessions: which run each of its
//! requests waits for, so that a request can be cancelled.
//!
//! //= MCP 2025-11-25, basic/transports, Session Management

use serde_json::{Value, json};

/// The most requests of one session whose runs are known. The oldest are forgotten.
const CALLS_MAX: usize = 50;

/// A call to the object of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionCall {
    /// Begins the session.
    Open,
    /// Asks whether the session is open.
    Check,
    /// Notes that a request, by the JSON of its id, waits for the run that `run` names as [`noted_run`] writes it.
    Note {
        /// The JSON of the request's id.
        request: String,
        /// The run, and who may stop it.
        run: String,
    },
    /// Asks which run a request waits for, by the JSON of its id.
    Find(String),
    /// Asks for what was noted of the run of this token: whether a request of the session has begun it.
    FindRun(String),
    /// Ends the session.
    Close,
}

/// Returns the text of a run and of the requester that may stop it.
#[must_use]
pub fn noted_run(run: &str, by: &str) -> String {
    format!("{run} {by}")
}

/// Notes which run a request waits for, in the list of a session: `[[REQUEST, RUN], ...]`, the newest last.
pub fn note_call(session: &mut Value, request: &str, run: &str) {
    let Some(calls) = session.as_array_mut() else {
        return;
    };
    let is_other = |call: &Value| call.get(0).and_then(Value::as_str) != Some(request);
    calls.retain(is_other);
    let too_many = calls.len().saturating_sub(CALLS_MAX - 1);
    calls.drain(..too_many);
    calls.push(json!([request, run]));
}

/// Returns the run that a request waits for, as it was noted.
#[must_use]
pub fn find_call<'session>(session: &'session Value, request: &str) -> Option<&'session str> {
    let mut calls = session.as_array()?.iter();
    let call = calls.find(|call| call.get(0).and_then(Value::as_str) == Some(request))?;
    call.get(1)?.as_str()
}

/// Returns what was noted of the run of this token.
#[must_use]
pub fn find_run<'session>(session: &'session Value, run: &str) -> Option<&'session str> {
    let mut noted = session
        .as_array()?
        .iter()
        .filter_map(|call| call.get(1)?.as_str());
    noted.find(|noted| noted.split_once(' ').is_some_and(|(of, _)| of == run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_knows_its_newest_requests() {
        let mut session = json!([]);
        for request in 0..CALLS_MAX + 3 {
            note_call(&mut session, &request.to_string(), "a operator");
        }
        assert_eq!(find_call(&session, "2"), None);
        assert_eq!(find_call(&session, "3"), Some("a operator"));
        note_call(&mut session, "3", &noted_run("b", "watcher"));
        assert_eq!(find_call(&session, "3"), Some("b watcher"));
        assert_eq!(find_call(&session, "\"3\""), None);
        assert_eq!(session.as_array().unwrap().len(), CALLS_MAX);
        assert_eq!(find_call(&Value::Null, "3"), None);
    }

    #[test]
    fn a_session_knows_the_runs_that_it_has_begun() {
        let mut session = json!([]);
        note_call(&mut session, "1", &noted_run("s1.run", "digest"));
        note_call(&mut session, "2", &noted_run("s1.other", "operator"));
        assert_eq!(find_run(&session, "s1.run"), Some("s1.run digest"));
        for unknown in ["s1.ru", "s1.run digest", "digest", ""] {
            assert_eq!(find_run(&session, unknown), None, "{unknown}");
        }
    }
}
