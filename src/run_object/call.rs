//! The calls to a run's object. Each is an inner HTTP request; its address says which call it is.

use url::{Url, form_urlencoded};

use domain::Sha256Digest;

use crate::door::Requester;

use super::session::SessionCall;

/// A call to the object of a run, or of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunObjectCall {
    /// Begins the run of the [`super::Creation`] in the body, or finds it begun.
    Create,
    /// Gives the [`crate::door::KeyAnswer`] of an idempotency key: the
    /// [`crate::door::KeyUse`] in the body, or an earlier one. Stores nothing.
    FindKey,
    /// Stores the [`crate::door::KeyRecord`] in the body for a run that begins now, unless the key
    /// is taken; gives the [`crate::door::KeyAnswer`] that holds.
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
    /// Streams the answer to the [`crate::watched_call::WatchedCall`] in the body, one line for each member.
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

#[cfg(test)]
mod tests {
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
