//! Reads `MCP_SERVERS`: the MCP servers whose tools workflows may call. The secrets in that setting are collected too,
//! since they are masked if a server repeats them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{HeaderName, HeaderValue};
use serde_json::Value;
use url::Url;

use domain::{Secret, stored_name};
use mask::can_be_hidden;
use mcp::{Era, Server};

use crate::reader::SettingsReader;

/// The most MCP servers.
const SERVERS_MAX: usize = 20;
/// The most headers of one server.
const HEADERS_MAX: usize = 10;

/// The fewest characters of a header's value that counts as a secret although the header's name does not suggest one.
const OTHER_CHARS_MIN: usize = 16;
/// The fewest characters of a path segment that counts as a secret.
const SEGMENT_CHARS_MIN: usize = 20;
/// Headers whose values are not secrets.
const PLAIN_HEADERS: [&str; 9] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "content-type",
    "mcp-protocol-version",
    "origin",
    "referer",
    "user-agent",
];
/// Words in the names of headers and query parameters whose values are secrets, however short.
const SECRET_WORDS: [&str; 17] = [
    "apikey",
    "auth",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "jwt",
    "key",
    "pass",
    "password",
    "pwd",
    "secret",
    "session",
    "sessionid",
    "sig",
    "signature",
    "token",
];

/// An MCP server, and the name by which workflows refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The name by which workflows refer to the server.
    pub name: String,
    /// The server's address, and the headers that are sent to it.
    pub server: Server,
    /// Whether the server's claims that a tool is read-only or idempotent are trusted.
    pub is_trusted: bool,
}

impl McpServer {
    /// Returns the secrets that are sent to the server: the values of headers, the tokens and passwords in them, the
    /// values in the address's query, and the long segments of its path. Those too short to be masked are omitted.
    #[must_use]
    pub fn secrets(&self) -> Vec<Secret> {
        let mut found: Vec<(String, usize)> = Vec::new();
        for (name, value) in &self.server.headers {
            let name = name.as_str();
            if PLAIN_HEADERS.contains(&name) {
                continue;
            }
            let value = String::from_utf8_lossy(value.as_bytes());
            if is_of_secret(name) {
                found.push((value.to_string(), 0));
                found.extend(credentials(&value));
            } else {
                found.push((value.to_string(), OTHER_CHARS_MIN));
            }
        }
        let address = &self.server.address;
        let query = url::form_urlencoded::parse(address.query().unwrap_or_default().as_bytes());
        found.extend(query.map(|(name, value)| {
            let is_secret = is_of_secret(&name);
            let chars_min = if is_secret { 0 } else { OTHER_CHARS_MIN };
            (value.into_owned(), chars_min)
        }));
        // A long segment without digits is probably words joined by punctuation, which are not a secret.
        let has_digit = |segment: &&str| segment.bytes().any(|byte| byte.is_ascii_digit());
        let segments = address.path().split('/').filter(has_digit);
        found.extend(segments.map(|segment| (segment.to_owned(), SEGMENT_CHARS_MIN)));
        let is_long = |(text, chars_min): &(String, usize)| text.chars().count() >= *chars_min;
        let found = found
            .into_iter()
            .filter(is_long)
            .map(|(text, _)| text)
            .filter(|text| can_be_hidden(text));
        found.map(Secret::from).collect()
    }
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads `MCP_SERVERS`: a JSON object from names to addresses, or to objects with `url`,
    /// `headers`, `trusted` and `version`.
    pub(crate) fn mcp_servers(&mut self) -> Vec<McpServer> {
        self.parsed("MCP_SERVERS", Vec::new(), servers)
    }
}

fn servers(text: &str) -> Result<Vec<McpServer>, String> {
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    let members = json.as_object().ok_or(
        "must be a JSON object from names to addresses, like {\"desk\": \"https://desk.example.org/mcp\"}",
    )?;
    if members.len() > SERVERS_MAX {
        return Err(format!("may name {SERVERS_MAX} servers at most"));
    }
    let servers = members.iter().map(|(name, json)| {
        server(name, json).map_err(|what| format!("has a server \"{name}\" that {what}"))
    });
    servers.collect()
}

fn server(name: &str, json: &Value) -> Result<McpServer, &'static str> {
    if stored_name(name).is_none() {
        return Err("needs a name of letters, digits, -, _ and .");
    }
    let member = |member: &str| json.get(member).filter(|value| !value.is_null());
    let address = json.as_str().or_else(|| member("url")?.as_str());
    let version = member("version").map(|version| version.as_str().unwrap_or_default());
    if version.is_some_and(|version| Era::of(version).is_none()) {
        return Err("names a version of the protocol that is not known");
    }
    Ok(McpServer {
        name: name.to_owned(),
        server: Server {
            address: address_of(address.ok_or("needs a url")?)?,
            headers: headers(member("headers"))?,
            version: version.map(str::to_owned),
        },
        is_trusted: member("trusted").and_then(Value::as_bool) == Some(true),
    })
}

/// Reads the address of a server. The operator is responsible for the host, but no secret is sent unencrypted, so the
/// address must be https, or http on this machine.
fn address_of(text: &str) -> Result<http::Uri, &'static str> {
    let url = Url::parse(text).map_err(|_| "needs an address as its url")?;
    let is_local = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    if url.scheme() != "https" && !(url.scheme() == "http" && is_local) {
        return Err("needs an https address; http is for this machine alone");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("has a password in its address; put it into headers");
    }
    let address = url.as_str().split('#').next().unwrap_or_default();
    address.parse().map_err(|_| "needs an address as its url")
}

fn headers(json: Option<&Value>) -> Result<Vec<(HeaderName, HeaderValue)>, &'static str> {
    let Some(json) = json else {
        return Ok(Vec::new());
    };
    let members = json
        .as_object()
        .ok_or("needs headers as an object of texts")?;
    if members.len() > HEADERS_MAX {
        return Err("has more than 10 headers");
    }
    let headers = members.iter().map(|(name, value)| {
        let name = HeaderName::try_from(name).ok()?;
        let mut value = HeaderValue::try_from(value.as_str()?).ok()?;
        // A header marked as sensitive is hidden in logs.
        value.set_sensitive(true);
        Some((name, value))
    });
    let headers: Option<Vec<_>> = headers.collect();
    headers.ok_or("has a header that cannot be sent")
}

/// Returns whether a header or query parameter carries a secret, judging by the words of its name.
fn is_of_secret(name: &str) -> bool {
    let mut words = name
        .split(|character: char| !character.is_alphanumeric())
        .map(str::to_lowercase);
    words.any(|word| SECRET_WORDS.contains(&word.as_str()))
}

/// Returns the credentials in a header's value, each with the length from which it counts as a secret: the part after
/// the scheme, the password in `Authorization: Basic`, and the values in a list.
fn credentials(value: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    if let Some((scheme, rest)) = value.trim().split_once(' ') {
        found.push((rest.trim().to_owned(), 0));
        let decoded = STANDARD
            .decode(rest.trim())
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(decoded) = decoded.filter(|_| scheme.eq_ignore_ascii_case("basic")) {
            let password = decoded
                .split_once(':')
                .map(|(_, password)| password.to_owned());
            found.extend(password.map(|password| (password, 0)));
            found.push((decoded, 0));
        }
    }
    for piece in value.split([' ', ',', ';']) {
        let (_, piece) = piece.split_once('=').unwrap_or(("", piece));
        found.push((piece.trim_matches('"').to_owned(), OTHER_CHARS_MIN));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Bindings;
    use crate::reader::SettingsReader;

    fn read(text: &str) -> (Vec<McpServer>, Vec<String>) {
        let lookup = |name: &str| (name == "MCP_SERVERS").then(|| text.to_owned());
        let mut reader = SettingsReader::new(lookup, Bindings::default());
        let servers = reader.mcp_servers();
        (servers, reader.into_wrong())
    }

    #[test]
    fn servers_are_read_with_their_secrets() {
        let text = r#"{"desk": {"url": "https://desk.example.org/mcp", "headers": {"Authorization": "Bearer s3cret"},
        "trusted": true, "version": "2025-11-25"}, "near": "http://127.0.0.1:3000/mcp"}"#;
        let (servers, wrong) = read(text);
        assert_eq!(wrong, Vec::<String>::new());
        let [desk, near] = &servers[..] else {
            panic!("{servers:?}")
        };
        assert_eq!(
            desk.server.address.to_string(),
            "https://desk.example.org/mcp"
        );
        assert!(desk.is_trusted && !near.is_trusted);
        assert_eq!(desk.server.headers[0].1.to_str().unwrap(), "Bearer s3cret");
        assert!(!format!("{desk:?}").contains("s3cret"));
        assert_eq!(near.server.version, None);
        assert_eq!(read("").0, []);
    }

    #[test]
    fn what_is_wrong_is_told_by_name() {
        for (text, expected) in [
            ("[]", "must be a JSON object"),
            ("{", "must be a JSON object"),
            (
                r#"{"a b": "https://a.example.org"}"#,
                "needs a name of letters",
            ),
            (r#"{"a": 7}"#, "\"a\" that needs a url"),
            (r#"{"a": "ftp://a.example.org"}"#, "needs an https address"),
            (r#"{"a": "http://a.example.org"}"#, "needs an https address"),
            (r#"{"a": "https://u:p@a.example.org"}"#, "has a password"),
            (
                r#"{"a": {"url": "https://a.example.org", "version": "1"}}"#,
                "version",
            ),
            (
                r#"{"a": {"url": "https://a.example.org", "headers": {"x": "a\nb"}}}"#,
                "cannot be sent",
            ),
        ] {
            let (servers, wrong) = read(text);
            assert_eq!(servers, [], "{text}");
            assert!(
                wrong[0].contains("MCP_SERVERS") && wrong[0].contains(expected),
                "{wrong:?}"
            );
        }
    }

    #[track_caller]
    fn check(server: &str, expected: &[&str]) {
        let text = format!(r#"{{"desk": {server}}}"#);
        let lookup = |name: &str| (name == "MCP_SERVERS").then(|| text.clone());
        let mut reader = SettingsReader::new(lookup, Bindings::default());
        let servers = reader.mcp_servers();
        let mut secrets: Vec<String> = servers[0]
            .secrets()
            .iter()
            .map(|secret| secret.reveal().to_owned())
            .collect();
        secrets.sort();
        secrets.dedup();
        assert_eq!(secrets, expected, "{server}");
    }

    #[test]
    fn what_a_server_is_told_is_secret() {
        let with = |headers: &str| {
            format!(r#"{{"url": "https://desk.example/mcp", "headers": {headers}}}"#)
        };
        check(
            &with(r#"{"Authorization": "Bearer s3cret"}"#),
            &["Bearer s3cret", "s3cret"],
        );
        check(
            &with(r#"{"Authorization": "Basic YWRhOmxvdmVsYWNl"}"#),
            &[
                "Basic YWRhOmxvdmVsYWNl",
                "YWRhOmxvdmVsYWNl",
                "ada:lovelace",
                "lovelace",
            ],
        );
        check(
            &with(r#"{"X-Api-Key": "k3y", "X-Team": "dev", "User-Agent": "somebody at home"}"#),
            &["k3y"],
        );
        check(
            &with(r#"{"X-Custom": "abcdefgh12345678"}"#),
            &["abcdefgh12345678"],
        );
        check(
            &with(r#"{"X-Environment": "production", "X-Author": "Ada", "X-Region": "us-east-1"}"#),
            &[],
        );
        check(
            &with(r#"{"Cookie": "a=1; sid=\"0123456789abcdef\""}"#),
            &[
                "0123456789abcdef",
                "a=1; sid=\"0123456789abcdef\"",
                "sid=\"0123456789abcdef\"",
            ],
        );
        check(
            r#""https://desk.example/mcp/0123456789abcdef0123/streamable-http-v1?key=a%20long+one&v=2&region=us-east-1""#,
            &["0123456789abcdef0123", "a long one"],
        );
    }
}
