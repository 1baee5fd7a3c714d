//! What of a server's setting nobody else may see, so that it is hidden where the server repeats it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use domain::Secret;
use mask::can_be_hidden;

use crate::mcp_servers::McpServer;

/// The fewest characters of what is taken for a secret although its header's name does not say so.
const OTHER_CHARS_MIN: usize = 16;
/// The fewest characters of a segment of an address's path that is taken for a secret.
const SEGMENT_CHARS_MIN: usize = 20;
/// Headers whose values are no secrets.
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
/// Words in the names of headers and of an address's arguments whose values are secrets, however short.
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

impl McpServer {
    /// Returns the secrets with which the server is asked: the values of headers, the tokens and passwords in them, the
    /// values of the address's query, and the long segments of its path. What can be hidden of none is left out.
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
        let segments = address.path().split('/');
        // Words with signs between them are no key.
        let segments = segments.filter(|segment| segment.bytes().any(|byte| byte.is_ascii_digit()));
        found.extend(segments.map(|segment| (segment.to_owned(), SEGMENT_CHARS_MIN)));
        let is_long = |(text, chars_min): &(String, usize)| text.chars().count() >= *chars_min;
        let found = found.into_iter().filter(is_long).map(|(text, _)| text);
        let found = found.filter(|text| can_be_hidden(text));
        found.map(Secret::from).collect()
    }
}

/// Returns whether a header or an argument is one for a secret, by the words of its name.
fn is_of_secret(name: &str) -> bool {
    let words = name.split(|character: char| !character.is_alphanumeric());
    let mut words = words.map(str::to_lowercase);
    words.any(|word| SECRET_WORDS.contains(&word.as_str()))
}

/// Returns the credentials in a header's value: what follows its scheme, the password where that is one of
/// `Authorization: Basic`, and the values in a list of them.
fn credentials(value: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    if let Some((scheme, rest)) = value.trim().split_once(' ') {
        found.push((rest.trim().to_owned(), 0));
        let decoded = STANDARD.decode(rest.trim());
        let decoded = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok());
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
    use crate::bindings::Bindings;
    use crate::reader::SettingsReader;

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
