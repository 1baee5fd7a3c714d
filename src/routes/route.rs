//! Maps a method and a path to a route.

use domain::{RunToken, Sha256Digest, stored_name};
use engine::Problem;
use percent_encoding::percent_decode_str;

use crate::engines::EnginePaths;
use crate::problems::no_such_address;

/// The routes of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// `GET /`, and all static files.
    Page,
    /// `POST /runs`.
    Create,
    /// `GET /investigate`: creates a run and streams it, or resumes.
    Investigate,
    /// `POST /investigate`.
    InvestigateByBody,
    /// `GET /runs/{run}`.
    Record(RunToken),
    /// `DELETE /runs/{run}`.
    Delete(RunToken),
    /// `GET /runs/{run}/events`.
    Events(RunToken),
    /// `POST /runs/{run}/stop`.
    Stop(RunToken),
    /// `GET /runs/{run}/sealed`.
    Sealed(RunToken),
    /// `POST /runs/{run}/publish`.
    Publish(RunToken),
    /// `GET /chains/{digest}`.
    Chain(Sha256Digest),
    /// `DELETE /chains/{digest}`.
    DeleteChain(Sha256Digest),
    /// `GET /runs/{run}/trace`.
    Trace(RunToken),
    /// `GET /runs/{run}/{document}`: a document that the engine makes of the run.
    RunDocument(RunToken, &'static str),
    /// `GET /runs/{run}/artifacts/{digest}`: bytes stored with the run.
    Artifact(RunToken, Sha256Digest),
    /// An address of documents that the operator stores.
    Stored {
        /// The first segment of the address.
        path: &'static str,
        /// The operation on these documents.
        call: StoredCall,
    },
    /// `POST /replay`.
    Replay,
    /// `POST /mcp`: a message to the MCP server.
    PostMessage,
    /// `GET /mcp`: resumes the response to a call.
    ResumeCall,
    /// `DELETE /mcp`: ends a session.
    EndSession,
    /// `GET /health`.
    Health,
    /// `GET /people`.
    People,
    /// `/atlas`, and everything below it.
    Atlas(AtlasCall),
    /// `GET /openapi.json`.
    Description,
}

/// An operation on documents that the operator stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredCall {
    /// `GET /{documents}`.
    List,
    /// `GET /{documents}/{name}`.
    Show(String),
    /// `PUT /{documents}/{name}`.
    Store(String),
    /// `DELETE /{documents}/{name}`.
    Remove(String),
}

/// The methods of `/mcp`.
const TOOLS_METHODS: &str = "GET, POST, DELETE";

impl Route {
    /// Returns the route for a method and a path. `HEAD` counts as `GET`.
    pub fn of(method: &str, path: &str, engines: &EnginePaths) -> Result<Self, Problem> {
        let reads = matches!(method, "GET" | "HEAD");
        let writes = method == "POST";
        let segments: Vec<&str> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let documents = segments.first().and_then(|first| {
            let mut stored = engines.stored.iter().copied();
            stored.find(|path| path == first)
        });
        if let Some(documents) = documents {
            return stored_route(method, documents, path, &segments);
        }
        let (route, allowed) = match segments.as_slice() {
            ["runs"] => (Some(Self::Create).filter(|_| writes), "POST"),
            ["investigate"] if reads => (Some(Self::Investigate), "GET, POST"),
            ["investigate"] => (
                Some(Self::InvestigateByBody).filter(|_| writes),
                "GET, POST",
            ),
            ["runs", run] if method == "DELETE" => (Some(Self::Delete(token(run)?)), "GET, DELETE"),
            ["runs", run] => (
                Some(Self::Record(token(run)?)).filter(|_| reads),
                "GET, DELETE",
            ),
            ["runs", run, "events"] => (Some(Self::Events(token(run)?)).filter(|_| reads), "GET"),
            ["runs", run, "stop"] => (Some(Self::Stop(token(run)?)).filter(|_| writes), "POST"),
            ["runs", run, "sealed"] => (Some(Self::Sealed(token(run)?)).filter(|_| reads), "GET"),
            ["runs", run, "trace"] => (Some(Self::Trace(token(run)?)).filter(|_| reads), "GET"),
            ["runs", run, "artifacts", artifact] => {
                let route = Self::Artifact(token(run)?, digest(artifact)?);
                (Some(route).filter(|_| reads), "GET")
            }
            ["runs", run, "publish"] => {
                (Some(Self::Publish(token(run)?)).filter(|_| writes), "POST")
            }
            ["runs", run, last] if engines.run_documents.iter().any(|name| name == last) => {
                let mut names = engines.run_documents.iter().copied();
                let name = names.find(|name| name == last).unwrap_or_default();
                let route = Self::RunDocument(token(run)?, name);
                (Some(route).filter(|_| reads), "GET")
            }
            ["chains", chain] if method == "DELETE" => {
                (Some(Self::DeleteChain(digest(chain)?)), "GET, DELETE")
            }
            ["chains", chain] => (
                Some(Self::Chain(digest(chain)?)).filter(|_| reads),
                "GET, DELETE",
            ),
            ["mcp"] => {
                let route = match method {
                    "POST" => Some(Self::PostMessage),
                    "GET" => Some(Self::ResumeCall),
                    "DELETE" => Some(Self::EndSession),
                    _ => None,
                };
                (route, TOOLS_METHODS)
            }
            ["atlas", rest @ ..] => {
                let (call, allowed) = AtlasCall::of(method, rest)?;
                (call.map(Self::Atlas), allowed)
            }
            ["replay"] => (Some(Self::Replay).filter(|_| writes), "POST"),
            ["runs" | "chains" | "investigate" | "replay" | "mcp", ..] => {
                return Err(no_such_address());
            }
            ["health"] => (Some(Self::Health).filter(|_| reads), "GET"),
            ["people"] => (Some(Self::People).filter(|_| reads), "GET"),
            ["openapi.json"] => (Some(Self::Description).filter(|_| reads), "GET"),
            _ => (Some(Self::Page).filter(|_| reads), "GET"),
        };
        route.ok_or_else(|| wrong_method(allowed))
    }
}

fn stored_route(
    method: &str,
    documents: &'static str,
    path: &str,
    segments: &[&str],
) -> Result<Route, Problem> {
    let reads = matches!(method, "GET" | "HEAD");
    let (call, allowed) = match segments {
        // A path that ends with `/` would name a document with an empty name, which cannot exist.
        [_] if path.ends_with('/') => return Err(no_such_address()),
        [_] => (Some(StoredCall::List).filter(|_| reads), "GET"),
        [_, name] => {
            let name = stored_name(name).ok_or_else(no_such_address)?.to_owned();
            let call = match method {
                "PUT" => Some(StoredCall::Store(name)),
                "DELETE" => Some(StoredCall::Remove(name)),
                _ => Some(StoredCall::Show(name)).filter(|_| reads),
            };
            (call, "GET, PUT, DELETE")
        }
        _ => return Err(no_such_address()),
    };
    let call = call.ok_or_else(|| wrong_method(allowed))?;
    Ok(Route::Stored {
        path: documents,
        call,
    })
}

fn wrong_method(allowed: &str) -> Problem {
    let problem = Problem::new(405, format!("This address takes {allowed} only."));
    problem.with_header("allow", allowed_methods(allowed))
}

/// Returns the value of the `Allow` header. HEAD is allowed wherever GET is, and OPTIONS everywhere.
fn allowed_methods(allowed: &str) -> String {
    format!("{}, OPTIONS", allowed.replace("GET", "GET, HEAD"))
}

fn token(text: &str) -> Result<RunToken, Problem> {
    RunToken::parse(text).map_err(|_| no_such_address())
}

impl Route {
    /// Returns whether every page may read the response. Every page may read runs and chains, whose names cannot be
    /// guessed, and data that is the same on every server.
    #[must_use]
    pub fn is_everybodys(&self) -> bool {
        match self {
            Self::Page
            | Self::Description
            | Self::Record(_)
            | Self::Events(_)
            | Self::Sealed(_)
            | Self::Trace(_)
            | Self::RunDocument(..)
            | Self::Artifact(..)
            | Self::Chain(_) => true,
            Self::Create
            | Self::Investigate
            | Self::InvestigateByBody
            | Self::Delete(_)
            | Self::Stop(_)
            | Self::Publish(_)
            | Self::DeleteChain(_)
            | Self::Stored { .. }
            | Self::Replay
            | Self::PostMessage
            | Self::ResumeCall
            | Self::EndSession
            | Self::Health
            | Self::People
            | Self::Atlas(_) => false,
        }
    }
}

/// Returns whether a request with this method and path only reads. `GET /investigate` does not only read, because it
/// starts a run and returns the run's secret.
#[must_use]
pub fn is_reading(method: &str, path: &str) -> bool {
    let first = path.split('/').find(|segment| !segment.is_empty());
    matches!(method, "GET" | "HEAD") && first != Some("investigate")
}

/// Parses the digest that identifies a published chain. Only the canonical spelling is accepted, so that a chain has
/// only one address.
fn digest(text: &str) -> Result<Sha256Digest, Problem> {
    Sha256Digest::parse(text).ok_or_else(no_such_address)
}

/// The longest id of a person in an address, in bytes.
const ID_BYTES_MAX: usize = 400;

/// A call of the atlas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtlasCall {
    /// `GET /atlas`: the totals.
    Size,
    /// `GET /atlas/people?q=`.
    People,
    /// `GET /atlas/people/{id}?offset=&threshold=`.
    Person(String),
    /// `GET /atlas/path?a=&b=&threshold=`.
    Path,
    /// `DELETE /atlas/people/{id}`.
    ForgetPerson(String),
    /// `DELETE /atlas/photos/{digest}`.
    ForgetPhoto(Sha256Digest),
}

impl AtlasCall {
    /// Returns the call for a method and the segments after `atlas`, and the methods that the address allows. The call
    /// is `None` if the method is not among these.
    pub(super) fn of(
        method: &str,
        segments: &[&str],
    ) -> Result<(Option<Self>, &'static str), Problem> {
        let reads = matches!(method, "GET" | "HEAD");
        let deletes = method == "DELETE";
        Ok(match segments {
            [] => (reads.then_some(Self::Size), "GET"),
            ["people"] => (reads.then_some(Self::People), "GET"),
            ["path"] => (reads.then_some(Self::Path), "GET"),
            ["people", id] => {
                let id = id_of(id)?;
                let call = if deletes {
                    Some(Self::ForgetPerson(id))
                } else {
                    reads.then_some(Self::Person(id))
                };
                (call, "GET, DELETE")
            }
            ["photos", digest] => {
                let digest = Sha256Digest::parse(digest).ok_or_else(no_such_address)?;
                (deletes.then_some(Self::ForgetPhoto(digest)), "DELETE")
            }
            _ => return Err(no_such_address()),
        })
    }
}

fn id_of(segment: &str) -> Result<String, Problem> {
    let id = percent_decode_str(segment).decode_utf8();
    let id = id
        .ok()
        .filter(|id| id.len() <= ID_BYTES_MAX && !id.chars().any(char::is_control));
    id.map(String::from).ok_or_else(no_such_address)
}

#[cfg(test)]
mod tests {
    use super::*;
    mod route {
        use super::*;

        const TOKEN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

        fn paths() -> EnginePaths {
            EnginePaths {
                stored: vec!["documents"],
                run_documents: vec!["summary"],
            }
        }

        #[track_caller]
        fn check(method: &str, path: &str, expected: Result<Route, u16>) {
            let route = Route::of(method, path, &paths()).map_err(|problem| problem.status());
            assert_eq!(route, expected, "{method} {path}");
        }

        #[test]
        fn every_route_has_its_method() {
            let token = RunToken::parse(TOKEN).unwrap();
            check("GET", "/", Ok(Route::Page));
            check("POST", "/runs", Ok(Route::Create));
            check("GET", "/runs", Err(405));
            check("GET", "/investigate", Ok(Route::Investigate));
            check("HEAD", "/investigate", Ok(Route::Investigate));
            check("POST", "/investigate", Ok(Route::InvestigateByBody));
            check("DELETE", "/investigate", Err(405));
            check(
                "GET",
                &format!("/runs/{TOKEN}"),
                Ok(Route::Record(token.clone())),
            );
            check(
                "GET",
                &format!("/runs/{TOKEN}/events"),
                Ok(Route::Events(token.clone())),
            );
            check(
                "POST",
                &format!("/runs/{TOKEN}/stop"),
                Ok(Route::Stop(token.clone())),
            );
            check("GET", &format!("/runs/{TOKEN}/stop"), Err(405));
            check("GET", "/runs/nothing", Err(404));
            let publish = format!("/runs/{TOKEN}/publish");
            check("POST", &publish, Ok(Route::Publish(token)));
            check("GET", &publish, Err(405));
            check("GET", "/health", Ok(Route::Health));
            check("POST", "/mcp", Ok(Route::PostMessage));
            check("GET", "/mcp", Ok(Route::ResumeCall));
            check("DELETE", "/mcp", Ok(Route::EndSession));
            check("PUT", "/mcp", Err(405));
            check("POST", "/mcp/x", Err(404));
            check("GET", "/people", Ok(Route::People));
            check("POST", "/people", Err(405));
            check("GET", "/atlas", Ok(Route::Atlas(AtlasCall::Size)));
            check("POST", "/atlas/path", Err(405));
            check("GET", "/atlas/x", Err(404));
            check("GET", "/openapi.json", Ok(Route::Description));
            check("POST", "/", Err(405));
            check("GET", "/app.js", Ok(Route::Page));
        }

        #[test]
        fn engines_have_addresses_of_their_own() {
            let token = RunToken::parse(TOKEN).unwrap();
            let summary = format!("/runs/{TOKEN}/summary");
            check(
                "GET",
                &summary,
                Ok(Route::RunDocument(token.clone(), "summary")),
            );
            check("POST", &summary, Err(405));
            check("GET", &format!("/runs/{TOKEN}/sum"), Err(404));
            let digest = Sha256Digest::new([0xAB; 32]);
            let artifact = format!("/runs/{TOKEN}/artifacts/{digest}");
            check("GET", &artifact, Ok(Route::Artifact(token, digest)));
            check("DELETE", &artifact, Err(405));
            check("GET", &format!("/runs/{TOKEN}/artifacts/x"), Err(404));
        }

        #[test]
        fn a_published_chain_has_one_address() {
            let digest = Sha256Digest::new([0xAB; 32]);
            let path = format!("/chains/{digest}");
            check("GET", &path, Ok(Route::Chain(digest.clone())));
            check("HEAD", &path, Ok(Route::Chain(digest.clone())));
            check("DELETE", &path, Ok(Route::DeleteChain(digest)));
            check("POST", &path, Err(405));
            for other in [
                "/chains",
                "/chains/ab",
                &path.to_uppercase(),
                &format!("{path}/x"),
            ] {
                check("GET", &other.replace("/CHAINS", "/chains"), Err(404));
            }
        }

        #[test]
        fn a_wrong_method_is_told_the_right_ones() {
            let allow = |method, path: &str| {
                let problem = Route::of(method, path, &paths()).unwrap_err();
                assert_eq!(problem.status(), 405);
                let (name, methods) = problem.header().unwrap();
                assert_eq!(name, "allow");
                methods.to_owned()
            };
            assert_eq!(allow("GET", "/runs"), "POST, OPTIONS");
            assert_eq!(allow("PUT", "/health"), "GET, HEAD, OPTIONS");
            let both = "GET, HEAD, POST, OPTIONS";
            assert_eq!(allow("DELETE", "/investigate"), both);
        }

        #[test]
        fn reading_starts_and_changes_nothing() {
            let run = format!("/runs/{TOKEN}");
            for path in ["/", "/health", "/openapi.json", "/people", "/app.js", &run] {
                assert!(
                    is_reading("GET", path) && is_reading("HEAD", path),
                    "{path}"
                );
            }
            for (method, path) in [
                ("GET", "/investigate"),
                ("HEAD", "//investigate/"),
                ("POST", "/runs"),
                ("DELETE", &run),
                ("OPTIONS", "/health"),
            ] {
                assert!(!is_reading(method, path), "{method} {path}");
            }
        }
    }

    mod atlas_call {
        use super::*;

        #[track_caller]
        fn check(method: &str, path: &str, expected: Result<AtlasCall, u16>) {
            let segments: Vec<&str> = path.split('/').filter(|one| !one.is_empty()).collect();
            let found = AtlasCall::of(method, &segments).map_err(|problem| problem.status());
            let found = found.and_then(|(call, _)| call.ok_or(405));
            assert_eq!(found, expected, "{method} {path}");
        }

        #[test]
        fn each_call_has_its_method_and_its_address() {
            let digest = Sha256Digest::new([0xAB; 32]);
            check("GET", "", Ok(AtlasCall::Size));
            check("POST", "", Err(405));
            check("HEAD", "people", Ok(AtlasCall::People));
            check("GET", "path", Ok(AtlasCall::Path));
            let id = "name:éponine thénardier";
            let path = "people/name:%C3%A9ponine%20th%C3%A9nardier";
            check("GET", path, Ok(AtlasCall::Person(id.into())));
            check("DELETE", path, Ok(AtlasCall::ForgetPerson(id.into())));
            check("PUT", path, Err(405));
            let photo = format!("photos/{digest}");
            check("DELETE", &photo, Ok(AtlasCall::ForgetPhoto(digest)));
            check("GET", &photo, Err(405));
            for wrong in ["photos/x", "people/%FF", "people/a%00b", "people/a/b", "x"] {
                check("GET", wrong, Err(404));
            }
            check("GET", &format!("people/{}", "x".repeat(401)), Err(404));
        }
    }
}
