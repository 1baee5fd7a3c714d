//! The servers whose tools a workflow may call: `MCP_SERVERS`.

use http::header::{HeaderName, HeaderValue};
use serde_json::Value;
use url::Url;

use domain::stored_name;
use mcp::{Era, Server};

use crate::reader::SettingsReader;

/// The most servers of one operator.
const SERVERS_MAX: usize = 20;
/// The most headers that one server may want.
const HEADERS_MAX: usize = 10;

/// A server of tools, under the name that workflows give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The name that workflows give it.
    pub name: String,
    /// The server's address, and what it is told about the one who asks.
    pub server: Server,
    /// Whether the server is believed in what it says of its own tools: that a tool changes
    /// nothing, or may be called twice.
    pub is_trusted: bool,
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads `MCP_SERVERS`: a JSON object from names to addresses, or to objects with `url`,
    /// `headers`, `trusted` and `version`.
    pub(crate) fn mcp_servers(&mut self) -> Vec<McpServer> {
        let Some(text) = self.text("MCP_SERVERS") else {
            return Vec::new();
        };
        match servers(&text) {
            Ok(servers) => servers,
            Err(what) => {
                self.note_wrong("MCP_SERVERS", &what);
                Vec::new()
            }
        }
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

/// Reads the address of a server. The operator who sets it answers for it, but no secret is sent
/// where others could listen: the address is https, or http on this machine.
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
        // A sensitive value is shown in no log.
        value.set_sensitive(true);
        Some((name, value))
    });
    let headers: Option<Vec<_>> = headers.collect();
    headers.ok_or("has a header that cannot be sent")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;

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
}
