//! Parses a request: its address, host, parameters and route.

use http::{HeaderMap, Method, Request};
use percent_encoding::percent_decode_str;
use url::form_urlencoded;

use super::images;
use super::provider::SandboxProvider;

/// The path at which Turnstile verifies a token.
pub(super) const TURNSTILE_SITEVERIFY: &str = "/turnstile/v0/siteverify";
/// The path at which a test, which has no widget, gets a token. The parameters are `hostname` and `action`.
pub(super) const TURNSTILE_TOKEN: &str = "/turnstile/token";

/// The path of the MCP servers. The name of a server follows it.
pub(crate) const TOOL_SERVERS: &str = "/mcp/";

/// A request with its address, host and parameters parsed.
#[derive(Debug)]
pub(crate) struct ParsedRequest {
    pub method: Method,
    pub path: String,
    pub query: Option<String>,
    pub parameters: Vec<(String, String)>,
    pub headers: HeaderMap,
    /// The host in the `Host` header, or else the host in the address.
    pub host: String,
    pub body: Vec<u8>,
}

/// The path of the web site.
pub(crate) const SITE: &str = "/site";

const SERPER: &str = "/serper/images";
const COMMONS_PAGES: &str = "/commons/wiki/File:";

fn is_site(path: &str) -> bool {
    let rest = path.strip_prefix(SITE);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_image(path: &str) -> bool {
    let folders = ["/photos/", "/thumbnails/", "/portraits/", "/commons/files/"];
    folders.iter().any(|folder| path.starts_with(folder)) || images::is_proxied(path)
}

/// The part of the sandbox that responds to a request, found by its path and method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SandboxRoute {
    Provider(SandboxProvider),
    Page(usize),
    /// Turnstile.
    Turnstile,
    /// An MCP server.
    Tools,
    /// The web site.
    Site,
    Calls,
    Health,
    Preflight,
    Unknown,
}

impl From<Request<Vec<u8>>> for ParsedRequest {
    fn from(request: Request<Vec<u8>>) -> Self {
        let (head, body) = request.into_parts();
        let named = head
            .headers
            .get(http::header::HOST)
            .and_then(|host| host.to_str().ok());
        let addressed = head.uri.authority().map(http::uri::Authority::as_str);
        let host = named.or(addressed).unwrap_or_default().to_owned();
        let query = head.uri.query().map(str::to_owned);
        let parameters = form_urlencoded::parse(query.as_deref().unwrap_or_default().as_bytes())
            .into_owned()
            .collect();
        let path = head.uri.path().to_owned();
        Self {
            method: head.method,
            path,
            query,
            parameters,
            headers: head.headers,
            host,
            body,
        }
    }
}

impl ParsedRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the path with the query, for logs.
    pub(crate) fn address(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    pub(crate) fn route(&self) -> SandboxRoute {
        let reads = matches!(self.method, Method::GET | Method::HEAD);
        // The site gets all requests below its path with any method, because its canary must record each of them.
        if is_site(&self.path) {
            return SandboxRoute::Site;
        }
        if self.method == Method::OPTIONS {
            return SandboxRoute::Preflight;
        }
        if self.path.starts_with(TOOL_SERVERS) {
            return SandboxRoute::Tools;
        }
        if self.method == Method::POST {
            let amazon = self.path == "/" || self.headers.contains_key("x-amz-target");
            return match () {
                () if amazon => SandboxRoute::Provider(SandboxProvider::Rekognition),
                () if self.model().is_some() => SandboxRoute::Provider(SandboxProvider::Gemini),
                () if self.path.starts_with("/cloudflare/client/v4/") => {
                    SandboxRoute::Provider(SandboxProvider::WorkersAi)
                }
                () if self.path == "/openai/v1/chat/completions" => {
                    SandboxRoute::Provider(SandboxProvider::OpenAi)
                }
                () if self.path == "/references/recognise" => {
                    SandboxRoute::Provider(SandboxProvider::References)
                }
                () if self.path == TURNSTILE_SITEVERIFY => SandboxRoute::Turnstile,
                () if self.path == SERPER => SandboxRoute::Provider(SandboxProvider::Serper),
                () => SandboxRoute::Unknown,
            };
        }
        if reads && self.path == "/references/health" {
            return SandboxRoute::Provider(SandboxProvider::References);
        }
        let searching = SandboxProvider::searching_at(&self.path)
            .filter(|provider| *provider != SandboxProvider::Serper);
        if let Some(provider) = searching.filter(|_| reads) {
            return SandboxRoute::Provider(provider);
        }
        match self.path.as_str() {
            "/calls" if reads || self.method == Method::DELETE => SandboxRoute::Calls,
            "/health" if reads => SandboxRoute::Health,
            TURNSTILE_TOKEN if reads => SandboxRoute::Turnstile,
            path if reads && is_image(path) => SandboxRoute::Provider(SandboxProvider::Image),
            path if reads && path.starts_with(COMMONS_PAGES) => {
                let number = path
                    .rsplit_once('(')
                    .and_then(|(_, name)| name.split_once(')'));
                let number = number.and_then(|(number, _)| number.parse().ok());
                number.map_or(SandboxRoute::Unknown, SandboxRoute::Page)
            }
            path if reads => path
                .strip_prefix("/pages/")
                .and_then(|number| number.parse().ok())
                .map_or(SandboxRoute::Unknown, SandboxRoute::Page),
            _ => SandboxRoute::Unknown,
        }
    }

    /// Returns the model in the address of a planner. The address is `/v1beta/models/{model}:generateContent`, or
    /// `/v1/models/...` if the client is Google's own.
    pub(crate) fn model(&self) -> Option<String> {
        let mut versions = ["/v1beta/models/", "/v1/models/"].into_iter();
        let rest = versions.find_map(|version| self.path.strip_prefix(version))?;
        let decoded = percent_decode_str(rest).decode_utf8().ok()?;
        Some(decoded.strip_suffix(":generateContent")?.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &str, address: &str, expect: &SandboxRoute) {
        let request = Request::builder()
            .method(method)
            .uri(address)
            .body(Vec::new())
            .unwrap();
        assert_eq!(
            ParsedRequest::from(request).route(),
            *expect,
            "{method} {address}"
        );
    }

    #[test]
    fn googles_own_client_asks_below_another_version() {
        let gemini = SandboxRoute::Provider(SandboxProvider::Gemini);
        check("POST", "/v1/models/m:generateContent", &gemini);
        let none = SandboxRoute::Unknown;
        check("POST", "/v2/models/m:generateContent", &none);
    }

    #[test]
    fn every_route_is_found() {
        check(
            "GET",
            "/customsearch/v1?q=a",
            &SandboxRoute::Provider(SandboxProvider::Google),
        );
        check("POST", "/customsearch/v1?q=a", &SandboxRoute::Unknown);
        check(
            "POST",
            "/",
            &SandboxRoute::Provider(SandboxProvider::Rekognition),
        );
        check("GET", "/", &SandboxRoute::Unknown);
        check(
            "POST",
            "/v1beta/models/m:generateContent",
            &SandboxRoute::Provider(SandboxProvider::Gemini),
        );
        check(
            "POST",
            "/v1beta/models/m%3AgenerateContent",
            &SandboxRoute::Provider(SandboxProvider::Gemini),
        );
        check(
            "POST",
            "/cloudflare/client/v4/accounts/a/ai/run/@cf/meta/m",
            &SandboxRoute::Provider(SandboxProvider::WorkersAi),
        );
        check(
            "POST",
            "/openai/v1/chat/completions",
            &SandboxRoute::Provider(SandboxProvider::OpenAi),
        );
        check("GET", "/openai/v1/chat/completions", &SandboxRoute::Unknown);
        check(
            "POST",
            "/v1beta/models/m:countTokens",
            &SandboxRoute::Unknown,
        );
        check(
            "GET",
            "/photos/3.jpg",
            &SandboxRoute::Provider(SandboxProvider::Image),
        );
        check(
            "HEAD",
            "/thumbnails/3.jpg",
            &SandboxRoute::Provider(SandboxProvider::Image),
        );
        for (method, address, provider) in [
            (
                "GET",
                "/commons/w/api.php?action=query",
                SandboxProvider::Commons,
            ),
            (
                "GET",
                "/commons/files/a/ab/A_(3).jpg",
                SandboxProvider::Image,
            ),
            (
                "GET",
                "/wikidata/w/api.php?action=query",
                SandboxProvider::Wikidata,
            ),
            (
                "GET",
                "/brave/res/v1/images/search?q=a",
                SandboxProvider::Brave,
            ),
            (
                "GET",
                "/openverse/v1/images/?q=a",
                SandboxProvider::Openverse,
            ),
            ("GET", "/serpapi/search?q=a", SandboxProvider::SerpApi),
            ("GET", "/serpapi/search.json?q=a", SandboxProvider::SerpApi),
            ("POST", "/serper/images", SandboxProvider::Serper),
        ] {
            check(method, address, &SandboxRoute::Provider(provider));
        }
        check("GET", "/serper/images", &SandboxRoute::Unknown);
        check(
            "POST",
            "/brave/res/v1/images/search",
            &SandboxRoute::Unknown,
        );
        check(
            "GET",
            "/commons/wiki/File:A_(3).jpg",
            &SandboxRoute::Page(3),
        );
        check("GET", "/commons/wiki/File:A.jpg", &SandboxRoute::Unknown);
        check("GET", "/pages/3", &SandboxRoute::Page(3));
        check("GET", "/pages/x", &SandboxRoute::Unknown);
        check("GET", "/calls", &SandboxRoute::Calls);
        check("DELETE", "/calls", &SandboxRoute::Calls);
        check("GET", "/health", &SandboxRoute::Health);
        check("OPTIONS", "/photos/3.jpg", &SandboxRoute::Preflight);
    }

    #[test]
    fn the_check_for_humans_is_found() {
        check("POST", "/turnstile/v0/siteverify", &SandboxRoute::Turnstile);
        check("GET", "/turnstile/v0/siteverify", &SandboxRoute::Unknown);
        check("GET", "/turnstile/token", &SandboxRoute::Turnstile);
    }

    #[test]
    fn the_site_takes_every_request_below_its_path_and_no_other() {
        for method in ["GET", "POST", "DELETE", "PUT", "OPTIONS"] {
            for path in ["/site", "/site/", "/site/v0/basket", "/site/canary/x?y=1"] {
                check(method, path, &SandboxRoute::Site);
            }
        }
        check("GET", "/sitemap.xml", &SandboxRoute::Unknown);
    }

    #[test]
    fn servers_of_tools_are_found_by_any_method() {
        for method in ["GET", "POST", "DELETE", "PUT"] {
            check(method, "/mcp/desk?eras=modern", &SandboxRoute::Tools);
        }
        check("GET", "/mcp/desk/log", &SandboxRoute::Tools);
        check("GET", "/mcp", &SandboxRoute::Unknown);
    }

    #[test]
    fn the_host_may_stand_in_the_address() {
        let request = Request::post("https://rekognition.example/")
            .body(Vec::new())
            .unwrap();
        assert_eq!(ParsedRequest::from(request).host, "rekognition.example");
    }
}
