//! The calls to a run's object: each is the JSON in the body of an inner request.

use domain::Sha256Digest;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::auth::{KeyRecord, KeyUse, Requester};
use crate::mcp_server::WatchedCall;

use super::creation::ChildDeletion;

/// A call to the object of a run, or of an idempotency key. A creation may hold secrets: nothing shows it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunObjectCall {
    /// Begins the run of a [`super::Creation`], or finds it begun.
    Create(Box<RawValue>),
    /// Gives the [`crate::auth::KeyAnswer`] of an idempotency key: this use, or an earlier one. Stores nothing.
    FindKey(KeyUse),
    /// Stores the record for a run that begins now, unless the key is taken; gives the
    /// [`crate::auth::KeyAnswer`] that holds.
    ClaimKey(KeyRecord),
    /// Drops what an idempotency key was used for: its run was deleted.
    DropKey,
    /// Removes a run, also one that has not begun yet; gives a [`super::DeletionCount`].
    DeleteChild(ChildDeletion),
    /// Gives a [`engine::budget::RunAccount`], also where there is no run.
    Account,
    /// Does something with a session of an assistant. The answer is 404 where the session is not open, else the run
    /// that was asked for, as [`super::noted_run`] writes it.
    Session(SessionCall),
    /// Streams the answer to a call of a tool.
    Watch(WatchedCall),
    /// A call to a run that is there.
    Live(LiveRunCall),
}

/// A call to the object of a run that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LiveRunCall {
    /// Streams the events after this one; 0 streams all.
    Events {
        /// The number of an event, from 1.
        after: u32,
        /// Whether the stream goes on with the events to come, or ends after those that there are.
        waits: bool,
    },
    /// Gives the last event's JSON, once it is there.
    Last,
    /// Gives whether the run goes on, or has ended by itself within the last minute: a call that is sent
    /// again means such a run.
    IsRecent,
    /// Ends the run within one provider call, where the requester may.
    Stop(Requester),
    /// Gives what the run's last event so far tells of the run.
    Outline,
    /// Gives the ended run as a sealed file.
    Sealed,
    /// Gives a [`super::ForkSource`], for a fork of the run, where the requester may.
    Answers {
        /// The one who asks.
        by: Requester,
        /// The point from which the fork does everything anew.
        before: Option<String>,
    },
    /// Gives what the run has told, as one archive.
    Trace,
    /// Gives the document of this name that the run's engine makes of the run.
    Document(String),
    /// Gives the bytes of this digest that are kept beside the run.
    Artifact(Sha256Digest),
    /// Gives the object of a fork the pictures that tools gave, as [`super::ArtifactFrame`]s.
    Artifacts,
    /// Removes everything of the run, where the requester may.
    Delete(Requester),
    /// Gives the run's chain an address of its own, where the requester may.
    Publish(Requester),
}

/// The most requests of one session whose runs are known. The oldest are forgotten.
const CALLS_MAX: usize = 50;

/// A call to the object of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
