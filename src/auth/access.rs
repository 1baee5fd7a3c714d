//! Access rules that decide which callers and which web pages may start runs or read answers.

use std::collections::BTreeMap;

use engine::Problem;
use settings::{Access, AtlasAccess, Settings};
use url::Url;

/// The headers that identify the sender of a request.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The `Origin` header.
    pub origin: Option<String>,
    /// The `Sec-Fetch-Site` header.
    pub fetch_site: Option<String>,
    /// The `Referer` header.
    pub referrer: Option<String>,
    /// The `CF-Worker` header, which Cloudflare adds to every request that a Worker sends.
    pub worker: Option<String>,
    /// The origin at which this server received the request.
    pub own_origin: String,
}

impl Caller {
    /// Returns the origin of the page that the `Referer` header names, if any.
    pub(super) fn referring_origin(&self) -> Option<String> {
        let url = Url::parse(self.referrer.as_deref()?).ok()?;
        let is_page = matches!(url.scheme(), "http" | "https");
        is_page.then(|| url.origin().ascii_serialization())
    }
}

/// Checks that the request's host name is one of this server's names. Otherwise a page loaded under a foreign name
/// that resolves to this server (DNS rebinding) could read answers.
pub fn may_ask(settings: &Settings, url: &Url) -> Result<(), Problem> {
    if settings.own_names.answer_to(url) {
        return Ok(());
    }
    let name = url.host_str().unwrap_or_default();
    Err(Problem::new(
        403,
        format!(
            "This server answers on this machine only, as localhost or 127.0.0.1, and not as {name}. If that \
             is one of its names, set OWN_HOSTS={name}."
        ),
    ))
}

/// Checks whether this caller may start a run. Reading and streaming a run needs no such check, only the run's token.
pub fn may_start(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    check_no_worker(caller)?;
    check_origin(settings, caller)?;
    match &settings.access {
        Access::Public => Ok(()),
        Access::Token(token) => check_token(token.reveal(), caller),
        Access::Closed => Err(Problem::missing_settings(&settings.missing())),
    }
}

/// Checks whether the page that sent the request may call this server's tools. A browser lets a malicious page send
/// such a request, too.
pub fn may_call_tools(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    check_origin(settings, caller)
}

/// Checks whether this caller may have a sealed file replayed. A replay costs computing time but no provider call. It
/// is allowed for everyone who may start runs, and with `REPLAY=open` for everybody.
pub fn may_replay(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    if settings.is_replay_open {
        return Ok(());
    }
    may_start(settings, caller)
}

/// Refuses a request sent by a Worker. A stranger can make a Worker request any address, as this server's Worker
/// requests the addresses of photos. Requests made in this way must not start anything.
fn check_no_worker(caller: &Caller) -> Result<(), Problem> {
    match &caller.worker {
        None => Ok(()),
        Some(_) => Err(Problem::new(
            403,
            "A request that a Cloudflare Worker makes can't start anything here; send it from a \
             browser or from a server of your own.",
        )),
    }
}

/// Checks the page that sent a request. A page of another origin may spend money only if the operator listed its
/// origin. The check also refuses requests that a page of another origin triggers with an image or a frame.
fn check_origin(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    let is_allowed = match &caller.origin {
        Some(origin) => *origin == caller.own_origin || allows(settings, origin),
        None => is_from_own_page(settings, caller) || allows(settings, ""),
    };
    if is_allowed {
        return Ok(());
    }
    let origin = caller.origin.as_deref().unwrap_or("that page");
    Err(Problem::new(
        403,
        format!("Runs can't be started from {origin}; its origin is not in ALLOWED_ORIGINS."),
    ))
}

/// Returns whether no header of a request without an `Origin` shows that a page of another, unlisted origin sent it.
/// Browsers report another port of this host as `same-site`, so `same-site` is refused too. A browser that sends no
/// `Sec-Fetch-Site` may still send a `Referer`, which is checked.
fn is_from_own_page(settings: &Settings, caller: &Caller) -> bool {
    let is_elsewhere = matches!(
        caller.fetch_site.as_deref(),
        Some("cross-site" | "same-site")
    );
    let referring = caller.referring_origin();
    !is_elsewhere
        && referring.is_none_or(|origin| origin == caller.own_origin || allows(settings, &origin))
}

pub(super) fn allows(settings: &Settings, origin: &str) -> bool {
    settings
        .allowed_origins
        .iter()
        .any(|allowed| allowed == "*" || allowed == origin)
}

/// Checks whether this caller may request a check that calls every provider. Only the operator may, even if everybody
/// may start runs.
pub fn may_look_deep(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    match &settings.operator_token {
        Some(token) => check_token(token.reveal(), caller),
        None => Err(Problem::new(
            401,
            "Asking every provider needs the operator's token, and none is set: set OPERATOR_TOKEN.",
        )),
    }
}

/// Checks whether this caller may store documents. Only the operator may. `noun` is the word for a document in
/// refusals.
pub fn may_store(settings: &Settings, caller: &Caller, noun: &str) -> Result<(), Problem> {
    check_no_worker(caller)?;
    check_origin(settings, caller)?;
    match &settings.operator_token {
        Some(token) => check_token(token.reveal(), caller),
        None => Err(Problem::new(
            401,
            format!(
                "Storing {noun}s needs the operator's token, and none is set: set OPERATOR_TOKEN."
            ),
        )),
    }
}

/// Returns whether a request carries the operator's token.
#[must_use]
pub fn is_operator(settings: &Settings, caller: &Caller) -> bool {
    let token = settings.operator_token.as_ref();
    token.is_some_and(|token| check_token(token.reveal(), caller).is_ok())
}

fn check_token(token: &str, caller: &Caller) -> Result<(), Problem> {
    let given = caller
        .authorization
        .as_deref()
        .and_then(|value| value.strip_prefix("Bearer "));
    if given.is_some_and(|given| is_equal(given.trim().as_bytes(), token.as_bytes())) {
        return Ok(());
    }
    Err(Problem::new(
        401,
        "This costs this server's operator money and needs the operator's token: send it as \
         “Authorization: Bearer TOKEN”.",
    ))
}

/// Compares two texts in constant time. Their lengths are not secret.
fn is_equal(given: &[u8], expected: &[u8]) -> bool {
    given.len() == expected.len()
        && given
            .iter()
            .zip(expected)
            .fold(0, |different, (one, other)| different | (one ^ other))
            == 0
}

/// Checks whether this caller may read the atlas.
pub fn may_read_atlas(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    match settings.atlas {
        AtlasAccess::Everybody { .. } => Ok(()),
        AtlasAccess::Nobody => Err(Problem::new(
            404,
            "There is no atlas here; the operator may set ATLAS, with a database by the binding DB.",
        )),
        AtlasAccess::Operator if is_operator(settings, caller) => Ok(()),
        AtlasAccess::Operator => Err(Problem::new(
            401,
            "The atlas of this server is for its operator: send the operator's token as “Authorization: Bearer \
             TOKEN”, or set ATLAS=public.",
        )),
    }
}

/// Checks whether this caller may delete data from the atlas. Only the operator may.
pub fn may_forget(settings: &Settings, caller: &Caller) -> Result<(), Problem> {
    if is_operator(settings, caller) {
        return Ok(());
    }
    Err(Problem::new(
        401,
        "Only the operator can have something forgotten: send the operator's token as “Authorization: Bearer \
         TOKEN”. Where none is set, set OPERATOR_TOKEN.",
    ))
}

/// The kinds of requests, distinguished by who may read the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The request does more than read, and its answer may contain a run's secret.
    More,
    /// The request reads data that only this server has.
    OfServer,
    /// The request reads a run or a chain, whose name cannot be guessed, or data that is the same on every server.
    OfEverybody,
}

/// Returns the value of `Access-Control-Allow-Origin`; `None` if pages of this origin may not read the answer.
///
/// Every page may read the answer to a request of the kind [`Reading::OfEverybody`], because following a run needs no
/// permission. Anything else may be read only by the origins that may start runs. A server that only serves its own
/// machine needs this protection too, because any page open in a browser there could send it requests.
#[must_use]
pub fn allowed_reader(
    settings: &Settings,
    origin: Option<&str>,
    reading: Reading,
) -> Option<String> {
    let is_open = match reading {
        Reading::More => false,
        Reading::OfServer => !settings.own_names.is_loopback_only(),
        Reading::OfEverybody => true,
    };
    if is_open || settings.allowed_origins.iter().any(|o| o == "*") {
        return Some("*".to_owned());
    }
    origin
        .filter(|origin| allows(settings, origin))
        .map(str::to_owned)
}

/// The length of the window in which a client's atlas queries count, in milliseconds. It begins with the client's
/// first query.
const WINDOW_MS: u64 = 60_000;
/// The points that a client may use in one window.
const POINTS_MAX: u32 = 240;
/// The most clients that are remembered. Beyond that, the client with the oldest window is forgotten.
const CLIENTS_MAX: usize = 1_000;

/// The cost of an atlas query, according to how many rows it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtlasReading {
    /// Up to a few hundred rows, for a person or a name.
    Some,
    /// Up to about ten thousand database rows, for a chain between two people.
    Many,
}

impl AtlasReading {
    fn points(self) -> u32 {
        match self {
            Self::Some => 1,
            Self::Many => 20,
        }
    }
}

/// The points that each client has used in its current window.
#[derive(Debug, Default)]
pub struct AtlasReaders {
    clients: BTreeMap<String, (u64, u32)>,
}

impl AtlasReaders {
    /// Charges a query to this client. If the client has used up its points, fails with the seconds until the next
    /// window.
    pub fn take(&mut self, client: &str, reading: AtlasReading, now_ms: u64) -> Result<(), u64> {
        let left_ms = |since_ms: u64| WINDOW_MS.saturating_sub(now_ms.saturating_sub(since_ms));
        self.clients
            .retain(|_, (since_ms, _)| left_ms(*since_ms) > 0);
        if self.clients.len() >= CLIENTS_MAX && !self.clients.contains_key(client) {
            let clients = self.clients.iter();
            let longest = clients.min_by_key(|(_, (since_ms, _))| *since_ms);
            if let Some(longest) = longest.map(|(client, _)| client.clone()) {
                self.clients.remove(&longest);
            }
        }
        let entry = self.clients.entry(client.to_owned());
        let (since_ms, points) = entry.or_insert((now_ms, 0));
        let asked = points.saturating_add(reading.points());
        if asked > POINTS_MAX {
            return Err(left_ms(*since_ms).div_ceil(1_000));
        }
        *points = asked;
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use settings::{Bindings, EngineVariables, among};

    use super::*;

    pub(in crate::auth) fn settings(pairs: &[(&str, &str)]) -> Settings {
        Settings::read(
            among(pairs),
            Bindings::default(),
            &EngineVariables::default(),
        )
    }

    mod access {
        use super::*;

        #[track_caller]
        fn check(pairs: &[(&str, &str)], caller: &Caller, expected: Result<(), u16>) {
            let result = may_start(&settings(pairs), caller).map_err(|problem| problem.status());
            assert_eq!(result, expected);
        }

        fn from(origin: Option<&str>, authorization: Option<&str>) -> Caller {
            Caller {
                authorization: authorization.map(str::to_owned),
                origin: origin.map(str::to_owned),
                fetch_site: None,
                referrer: None,
                worker: None,
                own_origin: "https://degrees.example".into(),
            }
        }

        #[test]
        fn nobody_starts_until_the_operator_says_who() {
            check(&[], &from(None, None), Err(503));
            check(&[("PUBLIC", "1")], &from(None, None), Ok(()));
            let token = [("OPERATOR_TOKEN", "a-token-of-some-length")];
            let sent = |authorization| from(None, Some(authorization));
            check(&token, &from(None, None), Err(401));
            check(&token, &sent("Bearer a-token-of-some-lengtH"), Err(401));
            check(&token, &sent("a-token-of-some-length"), Err(401));
            check(&token, &sent("Bearer a-token-of-some-length"), Ok(()));
        }

        #[test]
        fn a_name_that_was_made_to_lead_here_is_told_how_to_be_ones_own() {
            let asked = |settings: &Settings, address| {
                may_ask(settings, &Url::parse(address).unwrap()).map_err(|problem| {
                    assert_eq!(problem.status(), 403);
                    problem.detail().to_owned()
                })
            };
            let here = settings(&[("LOOPBACK_ONLY", "1")]);
            assert_eq!(asked(&here, "http://127.0.0.1:8787/runs"), Ok(()));
            let refused = asked(&here, "http://evil.example:8787/runs").unwrap_err();
            assert!(refused.contains("OWN_HOSTS=evil.example"), "{refused}");
            let elsewhere = settings(&[]);
            assert_eq!(asked(&elsewhere, "https://degrees.example/runs"), Ok(()));
        }

        #[test]
        fn a_server_of_this_machine_alone_is_said_to_be_one() {
            let answers = |pairs: &[(&str, &str)]| {
                let rebound = Url::parse("http://evil.example:8787/").unwrap();
                may_ask(&settings(pairs), &rebound).is_ok()
            };
            assert!(answers(&[("LOOPBACK_ONLY", "0")]));
            let only = ("LOOPBACK_ONLY", "1");
            assert!(!answers(&[only]));
            assert!(answers(&[only, ("OWN_HOSTS", "evil.example")]));
            // A setting that cannot be parsed must not permit anything, and the list of faulty settings must name it.
            let unreadable = [("LOOPBACK_ONLY", "yes")];
            assert!(!answers(&unreadable));
            let missing = settings(&unreadable).missing();
            assert!(missing.contains(&"LOOPBACK_ONLY (must be 1 or 0)".to_owned()));
        }

        #[test]
        fn a_workers_own_request_starts_nothing() {
            let worker = Caller {
                worker: Some("degrees.example".into()),
                ..from(None, None)
            };
            check(&[("PUBLIC", "1")], &worker, Err(403));
        }

        #[test]
        fn a_replay_needs_what_starting_needs_unless_it_is_opened() {
            let status = |pairs: &[(&str, &str)]| {
                let replayed = may_replay(&settings(pairs), &from(None, None));
                replayed.map_err(|problem| problem.status())
            };
            let token = ("OPERATOR_TOKEN", "a-token-of-some-length");
            assert_eq!(status(&[]), Err(503));
            assert_eq!(status(&[token]), Err(401));
            assert_eq!(status(&[token, ("REPLAY", "open")]), Ok(()));
            assert_eq!(status(&[("PUBLIC", "1")]), Ok(()));
        }

        #[test]
        fn the_operator_is_who_sends_the_token_also_where_everybody_may_start() {
            let public = settings(&[("PUBLIC", "1"), ("OPERATOR_TOKEN", "0123456789-secret")]);
            let is = |settings: &Settings, authorization| {
                is_operator(settings, &from(None, authorization))
            };
            assert!(is(&public, Some("Bearer 0123456789-secret")));
            assert!(!is(&public, Some("Bearer other")));
            assert!(!is(&public, None));
            assert!(!is(&settings(&[("PUBLIC", "1")]), Some("Bearer ")));
        }

        #[test]
        fn other_pages_start_only_where_their_origin_is_named() {
            let own = from(Some("https://degrees.example"), None);
            let other = from(Some("https://other.example"), None);
            check(&[("PUBLIC", "1")], &own, Ok(()));
            check(&[("PUBLIC", "1")], &other, Err(403));
            check(&[("PUBLIC", "1"), ("ALLOWED_ORIGINS", "*")], &other, Ok(()));
            let named = [
                ("PUBLIC", "1"),
                (
                    "ALLOWED_ORIGINS",
                    "https://a.example, https://other.example",
                ),
            ];
            check(&named, &other, Ok(()));
            let image = |fetch_site: &str| Caller {
                fetch_site: Some(fetch_site.into()),
                ..from(None, None)
            };
            for (fetch_site, expected) in [
                ("cross-site", Err(403)),
                ("same-site", Err(403)),
                ("same-origin", Ok(())),
                ("none", Ok(())),
            ] {
                check(&[("PUBLIC", "1")], &image(fetch_site), expected);
            }
            // An old browser that does not send `Sec-Fetch-Site` still names the page in `Referer`.
            let old = |referrer: &str| Caller {
                referrer: Some(referrer.into()),
                ..from(None, None)
            };
            for (referrer, expected) in [
                ("https://degrees.example/atlas?q=a", Ok(())),
                ("https://other.example/page", Err(403)),
                ("https://degrees.example:8443/", Err(403)),
                ("android-app://com.example.messages/", Ok(())),
                ("no address", Ok(())),
            ] {
                check(&[("PUBLIC", "1")], &old(referrer), expected);
            }
            check(&named, &old("https://other.example/page"), Ok(()));
        }
    }

    mod atlas_access {
        use super::*;
        use settings::{Binding, Bindings, EngineVariables, among};

        fn from(authorization: Option<&str>) -> Caller {
            Caller {
                authorization: authorization.map(str::to_owned),
                own_origin: "https://degrees.example".into(),
                ..Caller::default()
            }
        }

        #[test]
        fn the_atlas_is_read_by_those_whom_it_is_for() {
            let token = ("OPERATOR_TOKEN", "a-token-of-some-length");
            let status =
                |pairs: &[(&str, &str)],
                 authorization,
                 may: fn(&Settings, &Caller) -> Result<(), Problem>| {
                    let bindings = Bindings::among([(Binding::Database, true)]);
                    let settings =
                        Settings::read(among(pairs), bindings, &EngineVariables::default());
                    may(&settings, &from(authorization)).map_err(|problem| problem.status())
                };
            let right = Some("Bearer a-token-of-some-length");
            let public = [token, ("ATLAS", "public")];
            for (pairs, authorization, reads, forgets) in [
                (&[token][..], None, Err(401), Err(401)),
                (&[token], right, Ok(()), Ok(())),
                (&[], right, Err(401), Err(401)),
                (&public, None, Ok(()), Err(401)),
                (&[token, ("ATLAS", "off")], right, Err(404), Ok(())),
            ] {
                assert_eq!(
                    status(pairs, authorization, may_read_atlas),
                    reads,
                    "{pairs:?}"
                );
                assert_eq!(
                    status(pairs, authorization, may_forget),
                    forgets,
                    "{pairs:?}"
                );
            }
        }
    }

    mod readers {
        use super::*;

        #[test]
        fn reading_is_every_pages_and_the_rest_is_of_origins_that_are_named() {
            let other = Some("https://x.example");
            let reader = |loopback: &str, allowed: &str, origin, reading| {
                let settings =
                    settings(&[("ALLOWED_ORIGINS", allowed), ("LOOPBACK_ONLY", loopback)]);
                allowed_reader(&settings, origin, reading)
            };
            for allowed in ["", "https://a.example", "*"] {
                for origin in [None, other, Some("null")] {
                    for (loopback, reading) in [
                        ("0", Reading::OfServer),
                        ("0", Reading::OfEverybody),
                        ("1", Reading::OfEverybody),
                    ] {
                        let found = reader(loopback, allowed, origin, reading);
                        assert_eq!(found.as_deref(), Some("*"), "{allowed} {reading:?}");
                    }
                }
            }
            let named = "https://a.example, https://b.example";
            for (loopback, reading) in [
                ("0", Reading::More),
                ("1", Reading::More),
                ("1", Reading::OfServer),
            ] {
                let reader = |allowed, origin| reader(loopback, allowed, origin, reading);
                assert_eq!(reader("", other), None, "{reading:?}");
                assert_eq!(reader("", Some("null")), None);
                assert_eq!(reader(named, other), None);
                assert_eq!(reader(named, None), None);
                let own = reader(named, Some("https://b.example"));
                assert_eq!(own.as_deref(), Some("https://b.example"));
                assert_eq!(reader("*", other).as_deref(), Some("*"));
            }
        }
    }

    mod atlas_readers {
        use super::*;

        #[test]
        fn a_client_reads_so_much_in_a_minute_and_others_are_not_slowed() {
            let mut readers = AtlasReaders::default();
            for number in 0..12 {
                assert_eq!(readers.take("a", AtlasReading::Many, number), Ok(()));
            }
            assert_eq!(readers.take("a", AtlasReading::Many, 1_000), Err(59));
            assert_eq!(readers.take("a", AtlasReading::Some, 59_500), Err(1));
            assert_eq!(readers.take("b", AtlasReading::Many, 1_000), Ok(()));
            assert_eq!(readers.take("a", AtlasReading::Many, 60_000), Ok(()));
            let mut typed = AtlasReaders::default();
            for number in 0..240 {
                assert_eq!(
                    typed.take("a", AtlasReading::Some, number),
                    Ok(()),
                    "{number}"
                );
            }
            assert_eq!(typed.take("a", AtlasReading::Some, 240), Err(60));
        }

        #[test]
        fn what_is_remembered_is_bounded() {
            let mut readers = AtlasReaders::default();
            for number in 0..2 * CLIENTS_MAX as u64 {
                let client = format!("client {number}");
                assert_eq!(readers.take(&client, AtlasReading::Many, number), Ok(()));
            }
            assert_eq!(readers.clients.len(), CLIENTS_MAX);
        }
    }
}
