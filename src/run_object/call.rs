//! The calls to a run's object. Each is an inner HTTP request; its address says which call it is.

use domain::Sha256Digest;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use crate::auth::Requester;

/// A call to the object of a run, or of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunObjectCall {
    /// Begins the run of the [`super::Creation`] in the body, or finds it begun.
    Create,
    /// Gives the [`crate::auth::KeyAnswer`] of an idempotency key: the
    /// [`crate::auth::KeyUse`] in the body, or an earlier one. Stores nothing.
    FindKey,
    /// Stores the [`crate::auth::KeyRecord`] in the body for a run that begins now, unless the key
    /// is taken; gives the [`crate::auth::KeyAnswer`] that holds.
    ClaimKey,
    /// Drops what an idempotency key was used for: its run was deleted.
    DropKey,
    /// Removes the run of the [`super::ChildDeletion`] in the body, also one that has not begun yet;
    /// gives a [`super::DeletionCount`].
    DeleteChild,
    /// Gives a [`engine::budget::RunAccount`], also where there is no run.
    Account,
    /// Does something with a session of an assistant. The answer is 404 where the session is not open, else the run
    /// that was asked for, as [`super::noted_run`] writes it.
    Session(SessionCall),
    /// Streams the answer to the [`crate::tools::answers::WatchedCall`] in the body, one line for each member.
    Watch,
    /// A call to a run that is there. It has no body.
    Live(LiveRunCall),
}

/// A call to the object of a run that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
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
        /// The point from which the fork does everything anew, as [`fork_point`] takes it.
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

/// The beginning of every address. Only the path and the query are read, since the object is addressed by
/// its name.
const BASE: &str = "https://run";

impl RunObjectCall {
    /// Returns the address of the call's inner request.
    #[must_use]
    pub fn address(&self) -> String {
        match self {
            Self::Create => format!("{BASE}/create"),
            Self::FindKey => format!("{BASE}/find-key"),
            Self::ClaimKey => format!("{BASE}/claim-key"),
            Self::DropKey => format!("{BASE}/drop-key"),
            Self::DeleteChild => format!("{BASE}/delete-child"),
            Self::Account => format!("{BASE}/account"),
            Self::Session(SessionCall::Open) => format!("{BASE}/session-open"),
            Self::Session(SessionCall::Check) => format!("{BASE}/session-check"),
            Self::Session(SessionCall::Note { request, run }) => {
                with_texts("session-note", &[("request", request), ("run", run)])
            }
            Self::Session(SessionCall::Find(request)) => {
                with_texts("session-find", &[("request", request)])
            }
            Self::Session(SessionCall::FindRun(run)) => {
                with_texts("session-find-run", &[("run", run)])
            }
            Self::Session(SessionCall::Close) => format!("{BASE}/session-close"),
            Self::Watch => format!("{BASE}/watch"),
            Self::Live(LiveRunCall::Events { after, waits }) => {
                format!("{BASE}/events?after={after}&waits={waits}")
            }
            Self::Live(LiveRunCall::Last) => format!("{BASE}/last"),
            Self::Live(LiveRunCall::IsRecent) => format!("{BASE}/is-recent"),
            Self::Live(LiveRunCall::Stop(by)) => format!("{BASE}/stop?by={by}"),
            Self::Live(LiveRunCall::Outline) => format!("{BASE}/outline"),
            Self::Live(LiveRunCall::Sealed) => format!("{BASE}/sealed"),
            Self::Live(LiveRunCall::Answers { by, before: None }) => {
                format!("{BASE}/answers?by={by}")
            }
            Self::Live(LiveRunCall::Answers {
                by,
                before: Some(node),
            }) => format!("{BASE}/answers?by={by}&before={node}"),
            Self::Live(LiveRunCall::Trace) => format!("{BASE}/trace"),
            Self::Live(LiveRunCall::Document(name)) => format!("{BASE}/document?name={name}"),
            Self::Live(LiveRunCall::Artifact(digest)) => format!("{BASE}/artifact?digest={digest}"),
            Self::Live(LiveRunCall::Artifacts) => format!("{BASE}/artifacts"),
            Self::Live(LiveRunCall::Delete(by)) => format!("{BASE}/delete?by={by}"),
            Self::Live(LiveRunCall::Publish(by)) => format!("{BASE}/publish?by={by}"),
        }
    }

    /// Returns the call of an inner request's address. Returns `None` where the address is not one that
    /// [`Self::address`] gives.
    #[must_use]
    pub fn parse(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        let parameter = |name: &str| {
            let (_, value) = url.query_pairs().find(|(key, _)| key == name)?;
            Some(value.into_owned())
        };
        let requester = || Requester::parse(&parameter("by")?);
        Some(Self::Live(match url.path() {
            "/create" => return Some(Self::Create),
            "/find-key" => return Some(Self::FindKey),
            "/claim-key" => return Some(Self::ClaimKey),
            "/drop-key" => return Some(Self::DropKey),
            "/delete-child" => return Some(Self::DeleteChild),
            "/account" => return Some(Self::Account),
            "/session-open" => return Some(Self::Session(SessionCall::Open)),
            "/session-check" => return Some(Self::Session(SessionCall::Check)),
            "/session-note" => {
                let (request, run) = (parameter("request")?, parameter("run")?);
                return Some(Self::Session(SessionCall::Note { request, run }));
            }
            "/session-find" => {
                return Some(Self::Session(SessionCall::Find(parameter("request")?)));
            }
            "/session-find-run" => {
                return Some(Self::Session(SessionCall::FindRun(parameter("run")?)));
            }
            "/session-close" => return Some(Self::Session(SessionCall::Close)),
            "/watch" => return Some(Self::Watch),
            "/events" => LiveRunCall::Events {
                after: parameter("after")?.parse().ok()?,
                waits: parameter("waits")?.parse().ok()?,
            },
            "/last" => LiveRunCall::Last,
            "/is-recent" => LiveRunCall::IsRecent,
            "/stop" => LiveRunCall::Stop(requester()?),
            "/outline" => LiveRunCall::Outline,
            "/sealed" => LiveRunCall::Sealed,
            "/answers" => LiveRunCall::Answers {
                by: requester()?,
                before: match parameter("before") {
                    Some(point) => Some(fork_point(&point)?),
                    None => None,
                },
            },
            "/trace" => LiveRunCall::Trace,
            "/document" => LiveRunCall::Document(parameter("name")?),
            "/artifact" => LiveRunCall::Artifact(Sha256Digest::parse(&parameter("digest")?)?),
            "/artifacts" => LiveRunCall::Artifacts,
            "/delete" => LiveRunCall::Delete(requester()?),
            "/publish" => LiveRunCall::Publish(requester()?),
            _ => return None,
        }))
    }
}

/// Returns the address of a call with texts of any kind.
fn with_texts(call: &str, texts: &[(&str, &String)]) -> String {
    let mut query = form_urlencoded::Serializer::new(format!("{BASE}/{call}?"));
    for (name, text) in texts {
        query.append_pair(name, text);
    }
    query.finish()
}

/// The longest name of a point from which a fork begins, in characters.
const POINT_BYTES_MAX: usize = 64;

/// Returns the text as the name of a point from which a fork does everything anew: at most 64 letters,
/// digits and `-`. Returns `None` where the text is no such name.
#[must_use]
pub fn fork_point(text: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_name = !text.is_empty() && text.len() <= POINT_BYTES_MAX && text.bytes().all(is_plain);
    is_name.then(|| text.to_owned())
}

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
    mod call {
        use super::*;

        #[test]
        fn every_call_is_read_back_from_its_address() {
            let calls = [
                RunObjectCall::Create,
                RunObjectCall::FindKey,
                RunObjectCall::ClaimKey,
                RunObjectCall::DropKey,
                RunObjectCall::DeleteChild,
                RunObjectCall::Account,
                RunObjectCall::Session(SessionCall::Open),
                RunObjectCall::Session(SessionCall::Check),
                RunObjectCall::Session(SessionCall::Note {
                    request: "\"a&b=é\"".to_owned(),
                    run: "s1.k3 operator".to_owned(),
                }),
                RunObjectCall::Session(SessionCall::Find("7".to_owned())),
                RunObjectCall::Session(SessionCall::FindRun("s1.k3".to_owned())),
                RunObjectCall::Session(SessionCall::Close),
                RunObjectCall::Watch,
                RunObjectCall::Live(LiveRunCall::Events {
                    after: 0,
                    waits: true,
                }),
                RunObjectCall::Live(LiveRunCall::Events {
                    after: u32::MAX,
                    waits: false,
                }),
                RunObjectCall::Live(LiveRunCall::Last),
                RunObjectCall::Live(LiveRunCall::IsRecent),
                RunObjectCall::Live(LiveRunCall::Stop(Requester::Operator)),
                RunObjectCall::Live(LiveRunCall::Stop(Requester::with(Some("a secret")))),
                RunObjectCall::Live(LiveRunCall::Outline),
                RunObjectCall::Live(LiveRunCall::Sealed),
                RunObjectCall::Live(LiveRunCall::Answers {
                    by: Requester::Watcher,
                    before: None,
                }),
                RunObjectCall::Live(LiveRunCall::Answers {
                    by: Requester::Operator,
                    before: Some("00000000-0000-0000-0000-00000000000a".to_owned()),
                }),
                RunObjectCall::Live(LiveRunCall::Trace),
                RunObjectCall::Live(LiveRunCall::Document("summary".to_owned())),
                RunObjectCall::Live(LiveRunCall::Artifact(Sha256Digest::new([7; 32]))),
                RunObjectCall::Live(LiveRunCall::Artifacts),
                RunObjectCall::Live(LiveRunCall::Delete(Requester::Operator)),
                RunObjectCall::Live(LiveRunCall::Publish(Requester::Operator)),
            ];
            for call in calls {
                // A new variant must be added to the list above.
                match call {
                    RunObjectCall::Create
                    | RunObjectCall::FindKey
                    | RunObjectCall::ClaimKey
                    | RunObjectCall::DropKey
                    | RunObjectCall::DeleteChild
                    | RunObjectCall::Account
                    | RunObjectCall::Session(
                        SessionCall::Open
                        | SessionCall::Check
                        | SessionCall::Note { .. }
                        | SessionCall::Find(_)
                        | SessionCall::FindRun(_)
                        | SessionCall::Close,
                    )
                    | RunObjectCall::Watch
                    | RunObjectCall::Live(
                        LiveRunCall::Events { .. }
                        | LiveRunCall::Last
                        | LiveRunCall::IsRecent
                        | LiveRunCall::Stop(_)
                        | LiveRunCall::Outline
                        | LiveRunCall::Sealed
                        | LiveRunCall::Answers { .. }
                        | LiveRunCall::Trace
                        | LiveRunCall::Document(_)
                        | LiveRunCall::Artifact(_)
                        | LiveRunCall::Artifacts
                        | LiveRunCall::Delete(_)
                        | LiveRunCall::Publish(_),
                    ) => {}
                }
                assert_eq!(RunObjectCall::parse(&call.address()), Some(call));
            }
        }

        #[test]
        fn anything_else_is_no_call() {
            for address in [
                "https://run/",
                "https://run/delete",
                "https://run/stop?by=a secret",
                "https://run/events",
                "https://run/events?after=-1&waits=true",
                "https://run/events?after=1&waits=0",
                "create",
            ] {
                assert_eq!(RunObjectCall::parse(address), None, "{address}");
            }
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
