//! The calls to a run's object. Each is sent as the JSON body of an internal request.

use domain::Sha256Digest;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::auth::{KeyRecord, KeyUse, Requester};
use crate::mcp_server::WatchedCall;

use super::creation::ChildDeletion;

/// A call to the object of a run, an idempotency key or a session. It has no `Debug`, because it may contain secrets.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunObjectCall {
    /// Begins the run of a [`super::Creation`] unless it was begun before.
    Create(Box<RawValue>),
    /// Returns the [`crate::auth::KeyAnswer`] about an idempotency key with this intended use. Stores nothing.
    FindKey(KeyUse),
    /// Claims the key for a run that begins now, unless it is taken; returns the resulting [`crate::auth::KeyAnswer`].
    ClaimKey(KeyRecord),
    /// Drops the use of an idempotency key whose run was deleted.
    DropKey,
    /// Deletes a run, even one that has not begun yet; returns a [`super::DeletionCount`].
    DeleteChild(ChildDeletion),
    /// Returns the [`engine::budget::RunAccount`] of the object's run, which is `Unknown` if there is no run.
    Account,
    /// Executes a call on an MCP session. The response is a 404 if the session is not open. Otherwise it is the
    /// recorded run that the call looks for, in the form of [`super::noted_run`], or empty.
    Session(SessionCall),
    /// Streams the response to a tool call that watches the run.
    Watch(WatchedCall),
    /// A call to an existing run.
    Live(LiveRunCall),
}

/// A call to the object of an existing run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LiveRunCall {
    /// Streams the events after number `after`; 0 streams all.
    Events {
        /// The number of an event, from 1.
        after: u32,
        /// Whether the stream waits for the events to come, or ends after the existing ones.
        waits: bool,
    },
    /// Returns the last event's JSON, waiting for it if necessary.
    Last,
    /// Returns whether a repeated call finds the run. It does if the run is in progress, or ended without a stop in
    /// the last minute.
    IsRecent,
    /// Stops the run, if the requester may. The run stops within the duration of one provider call.
    Stop(Requester),
    /// Returns the run's outline, made from its newest event.
    Outline,
    /// Returns the ended run as a sealed file.
    Sealed,
    /// Returns a [`super::ForkSource`] for forking the run, if the requester may.
    Answers {
        /// The sender of the request.
        by: Requester,
        /// The point from which the fork makes all calls again; `None` if it reuses all answers.
        before: Option<String>,
    },
    /// Returns the run's archive.
    Trace,
    /// Returns the run's document of this name, which its engine makes.
    Document(String),
    /// Returns the bytes with this digest that are stored with the run.
    Artifact(Sha256Digest),
    /// Returns all bytes that tools returned to the run, as [`super::ArtifactFrame`]s, for the object of a fork.
    Artifacts,
    /// Deletes the run, if the requester may.
    Delete(Requester),
    /// Publishes the run's chain, if the requester may.
    Publish(Requester),
}

/// The most requests whose runs a session remembers. The oldest are forgotten.
const CALLS_MAX: usize = 50;

/// A call to the object of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SessionCall {
    /// Begins the session.
    Open,
    /// Checks whether the session is open.
    Check,
    /// Records which run a request waits for.
    Note {
        /// The JSON of the request's id.
        request: String,
        /// The run and who may stop it, in the form of [`noted_run`].
        run: String,
    },
    /// Returns the run that the request with this id waits for. The id is given as JSON.
    Find(String),
    /// Returns the recorded run with this token, if a request of this session began it.
    FindRun(String),
    /// Ends the session.
    Close,
}

/// Returns a run and the requester who may stop it, as text.
#[must_use]
pub fn noted_run(run: &str, by: &str) -> String {
    format!("{run} {by}")
}

/// Records which run a request waits for in a session's list `[[REQUEST, RUN], ...]`. The newest entry is the last.
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

/// Returns the recorded run that a request waits for.
#[must_use]
pub fn find_call<'session>(session: &'session Value, request: &str) -> Option<&'session str> {
    let mut calls = session.as_array()?.iter();
    let call = calls.find(|call| call.get(0).and_then(Value::as_str) == Some(request))?;
    call.get(1)?.as_str()
}

/// Returns the record of the run with this token.
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
    fn a_call_is_read_back_from_its_json() {
        let digest = Sha256Digest::new([7; 32]);
        for call in [
            RunObjectCall::DropKey,
            RunObjectCall::Create(RawValue::from_string(r#"{"run":"s1.run"}"#.into()).unwrap()),
            RunObjectCall::Session(SessionCall::Find("7".into())),
            RunObjectCall::Live(LiveRunCall::Stop(Requester::Operator)),
            RunObjectCall::Live(LiveRunCall::Delete(Requester::Holder(digest.clone()))),
            RunObjectCall::Live(LiveRunCall::Artifact(digest)),
        ] {
            let json = serde_json::to_string(&call).unwrap();
            let read: RunObjectCall = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), json);
        }
        for wrong in [
            "",
            r#"{"live":{"stop":"a secret"}}"#,
            r#"{"live":{"artifact":"ab"}}"#,
        ] {
            assert!(
                serde_json::from_str::<RunObjectCall>(wrong).is_err(),
                "{wrong}"
            );
        }
    }

    mod session {
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
}
