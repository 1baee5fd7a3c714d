//! Finds which address a request is for, and in which form it wants its answer.

use crate::domain::{RunToken, Sha256Digest, stored_name};

use super::absence::no_such_address;
use super::problem::Problem;

/// The addresses of the API, each with its method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// `GET /`, and everything that is a static file.
    Page,
    /// `POST /runs`.
    Create,
    /// `GET /investigate`: creates and streams, or goes on.
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
    /// An address of documents that the operator stores.
    Stored {
        /// The first part of the address.
        path: &'static str,
        /// The call for these documents.
        call: StoredCall,
    },
    /// `POST /replay`.
    Replay,
    /// `GET /health`.
    Health,
    /// `GET /people`.
    People,
    /// `GET /openapi.json`.
    Description,
}

/// A call for documents that the operator stores.
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

impl Route {
    /// Returns the route of a method (`HEAD` counts as `GET`) and a path. `stored` are the first parts of
    /// the addresses of documents that the operator stores.
    pub fn of(
        method: &str,
        path: &str,
        stored: impl IntoIterator<Item = &'static str>,
    ) -> Result<Self, Problem> {
        let reads = matches!(method, "GET" | "HEAD");
        let writes = method == "POST";
        let segments: Vec<&str> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let documents = segments.first().and_then(|first| {
            let mut stored = stored.into_iter();
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
            ["runs", run, "publish"] => {
                (Some(Self::Publish(token(run)?)).filter(|_| writes), "POST")
            }
            ["chains", chain] if method == "DELETE" => {
                (Some(Self::DeleteChain(digest(chain)?)), "GET, DELETE")
            }
            ["chains", chain] => (
                Some(Self::Chain(digest(chain)?)).filter(|_| reads),
                "GET, DELETE",
            ),
            ["replay"] => (Some(Self::Replay).filter(|_| writes), "POST"),
            ["runs" | "chains" | "investigate" | "replay", ..] => return Err(no_such_address()),
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
        // An empty name is no name.
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

/// Returns the methods of the header `Allow`: where GET is allowed HEAD is, too, and OPTIONS is
/// allowed everywhere.
fn allowed_methods(allowed: &str) -> String {
    format!("{}, OPTIONS", allowed.replace("GET", "GET, HEAD"))
}

fn token(text: &str) -> Result<RunToken, Problem> {
    RunToken::parse(text).map_err(|_| no_such_address())
}

/// Returns whether a request of this method and path reads and does nothing else. `GET
/// /investigate` starts a run, and its answer has the run's secret.
#[must_use]
pub fn is_reading(method: &str, path: &str) -> bool {
    let first = path.split('/').find(|segment| !segment.is_empty());
    matches!(method, "GET" | "HEAD") && first != Some("investigate")
}

/// Reads the name of a published chain, which is its digest as it is told, so that it has one
/// address only.
fn digest(text: &str) -> Result<Sha256Digest, Problem> {
    Sha256Digest::parse(text).ok_or_else(no_such_address)
}

/// The form of an answer, where an address has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseFormat {
    /// The page, for a browser's address bar.
    Html,
    /// One JSON document: the last event, or the record.
    Json,
    /// Server-sent events, also where the client names none of these forms.
    Stream,
}

impl ResponseFormat {
    /// Returns the form that an `Accept` header asks for: the first of the kinds that it names.
    #[must_use]
    pub fn of(accept: Option<&str>) -> Self {
        for part in accept.unwrap_or_default().split(',') {
            match part.split(';').next().unwrap_or_default().trim() {
                "text/html" => return Self::Html,
                "application/json" => return Self::Json,
                "text/event-stream" => return Self::Stream,
                _ => {}
            }
        }
        Self::Stream
    }
}

/// Returns whether a `Content-Type` is JSON's, whatever its parameters are.
#[must_use]
pub fn is_json(content_type: Option<&str>) -> bool {
    let kind = content_type.unwrap_or_default().split(';').next();
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Returns whether a browser only fetches ahead what its user may never look at.
#[must_use]
pub fn is_prefetch(header: impl Fn(&str) -> Option<String>) -> bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"]
        .iter()
        .any(|name| {
            header(name).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                value.contains("prefetch") || value.contains("preview")
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

    #[track_caller]
    fn check(method: &str, path: &str, expected: Result<Route, u16>) {
        let route = Route::of(method, path, ["documents"]).map_err(|problem| problem.status());
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
        check("GET", "/people", Ok(Route::People));
        check("POST", "/people", Err(405));
        check("GET", "/openapi.json", Ok(Route::Description));
        check("POST", "/", Err(405));
        check("GET", "/app.js", Ok(Route::Page));
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
            let problem = Route::of(method, path, ["documents"]).unwrap_err();
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

    #[test]
    fn accept_headers_of_browsers_and_tools() {
        let chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        assert_eq!(ResponseFormat::of(Some(chromium)), ResponseFormat::Html);
        assert_eq!(ResponseFormat::of(Some("*/*")), ResponseFormat::Stream);
        assert_eq!(ResponseFormat::of(None), ResponseFormat::Stream);
        assert_eq!(
            ResponseFormat::of(Some("text/event-stream")),
            ResponseFormat::Stream
        );
        assert_eq!(
            ResponseFormat::of(Some("application/json; charset=utf-8")),
            ResponseFormat::Json
        );
    }

    #[test]
    fn json_is_known_by_its_media_type() {
        for json in ["application/json", "Application/JSON ; charset=utf-8"] {
            assert!(is_json(Some(json)), "{json}");
        }
        for other in [
            "",
            "application/jsonx",
            "application/json-seq",
            "text/plain",
        ] {
            assert!(!is_json(Some(other)), "{other}");
        }
        assert!(!is_json(None));
    }

    #[test]
    fn prefetches_are_seen() {
        let sent = |name: &'static str, value: &'static str| {
            is_prefetch(move |asked| (asked == name).then(|| value.to_owned()))
        };
        assert!(sent("sec-purpose", "prefetch;prerender"));
        assert!(sent("purpose", "prefetch"));
        assert!(sent("x-moz", "prefetch"));
        assert!(!sent("sec-purpose", ""));
        assert!(!sent("accept", "prefetch"));
    }
}
