//! A server, what is known about it, the protocol revision that it speaks, and the requests to it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{HeaderName, HeaderValue};
use http::{Method, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::message::{add_meta, notification, program_info, request};
use crate::tool::Tool;

/// The header that marks requests from runs of this program. A server that is itself an instance of this program offers
/// such a caller none of its stored documents as tools. Otherwise runs could start each other without end.
pub const CALLER_HEADER: &str = "visual-degrees-caller";
/// The newest revision, which is stateless: each request is complete in itself.
pub const MODERN: &str = "2026-07-28";
/// The revisions that begin with a handshake, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// A server as the operator configured it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The server's address.
    pub address: http::Uri,
    /// The headers that are sent with each request, such as credentials.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The protocol revision that the operator configured; `None` to detect it.
    pub version: Option<String>,
}

/// The mode in which a server was found to work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreed {
    /// Requests are independent of each other.
    Modern,
    /// Requests belong to a session if the server has assigned an id to it.
    Legacy {
        /// The revision of the protocol.
        version: String,
        /// The session's id; `None` if the server assigned none.
        session: Option<String>,
    },
}

/// What is known about one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    server: Server,
    pub(crate) agreed: Option<Agreed>,
    pub(crate) tools: Option<Vec<Tool>>,
    last_id: u64,
}

impl Connection {
    /// Makes a connection to a server about which nothing is known. Its request ids start after `last_id`, since they
    /// must be unique in a session.
    #[must_use]
    pub fn new(server: Server, last_id: u64) -> Self {
        let is_modern = server.version.as_deref() == Some(MODERN);
        Self {
            server,
            agreed: is_modern.then_some(Agreed::Modern),
            tools: None,
            last_id,
        }
    }

    /// Makes a connection that continues a session of an earlier connection.
    #[must_use]
    pub fn resumed(server: Server, agreed: Agreed, last_id: u64) -> Self {
        Self {
            agreed: Some(agreed),
            ..Self::new(server, last_id)
        }
    }

    /// Returns the server's mode; `None` if it is not detected yet.
    #[must_use]
    pub fn agreed(&self) -> Option<&Agreed> {
        self.agreed.as_ref()
    }

    /// Returns the server's tools; `None` if they are not listed yet.
    #[must_use]
    pub fn tools(&self) -> Option<&[Tool]> {
        self.tools.as_deref()
    }

    /// Returns the tool with this name; `None` if it is unknown.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        let mut tools = self.tools.iter().flatten();
        tools.find(|tool| tool.name == name)
    }

    /// Returns the request that ends the session; `None` if there is no session. Its answer can be ignored.
    #[must_use]
    pub fn ending(&self) -> Option<Request<Vec<u8>>> {
        self.has_session()
            .then(|| self.request(Method::DELETE, Vec::new(), Vec::new()))
    }

    pub(crate) fn has_session(&self) -> bool {
        matches!(&self.agreed, Some(Agreed::Legacy { session, .. }) if session.is_some())
    }

    pub(crate) fn is_pinned_to_legacy(&self) -> bool {
        let version = self.server.version.as_deref();
        version.is_some_and(|version| version != MODERN)
    }

    /// Returns the protocol revision to propose in a handshake.
    pub(crate) fn proposed(&self) -> String {
        let [newest, ..] = LEGACY;
        let pinned = self.server.version.as_deref();
        let spoken = pinned.filter(|version| LEGACY.contains(version));
        spoken.unwrap_or(newest).to_owned()
    }

    /// Records the revision that the server named in its answer to a handshake. Returns false if the revision is
    /// unknown or has no sessions.
    pub(crate) fn settle_version(&mut self, named: Option<&str>) -> bool {
        let named = named.filter(|version| Era::of(version) == Some(Era::Legacy));
        if let (Some(named), Some(Agreed::Legacy { version, .. })) = (named, &mut self.agreed) {
            named.clone_into(version);
            return true;
        }
        self.agreed = None;
        false
    }

    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id = self.last_id.saturating_add(1);
        self.last_id
    }

    /// Makes the request that sends a message. `name` names the tool or other object that the message addresses, if
    /// any. `arguments` are the arguments if the message calls a tool.
    pub(crate) fn post(
        &self,
        message: &Value,
        is_modern: bool,
        name: Option<&str>,
        arguments: Option<&Value>,
    ) -> Request<Vec<u8>> {
        let mut headers = Vec::new();
        let mut add = |name: &str, value: &str| {
            let name = HeaderName::try_from(name.to_ascii_lowercase());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(value)) {
                headers.push((name, value));
            }
        };
        add("content-type", "application/json");
        add("accept", "application/json, text/event-stream");
        add(CALLER_HEADER, "1");
        if is_modern {
            add("mcp-protocol-version", MODERN);
            let method = message.get("method").and_then(Value::as_str);
            add("mcp-method", method.unwrap_or_default());
            if let Some(name) = name {
                add("mcp-name", &encoded(name));
            }
            let tool = name.and_then(|name| self.tool(name));
            if let (Some(tool), Some(arguments)) = (tool, arguments) {
                for (header, value) in tool.mirrored(arguments) {
                    if let Some(value) = encoded_argument(value) {
                        add(&format!("mcp-param-{header}"), &value);
                    }
                }
            }
        }
        let is_handshake = message.get("method").and_then(Value::as_str) == Some("initialize");
        let body = message.to_string().into_bytes();
        if is_handshake || is_modern {
            return self.plain(Method::POST, headers, body);
        }
        self.request(Method::POST, headers, body)
    }

    /// Makes the request for the events of a stream that follow the event with this id.
    pub(crate) fn get(&self, last_event_id: &str) -> Request<Vec<u8>> {
        let mut headers = vec![(
            http::header::ACCEPT,
            HeaderValue::from_static("text/event-stream"),
        )];
        if let Ok(id) = HeaderValue::try_from(last_event_id) {
            headers.push((HeaderName::from_static("last-event-id"), id));
        }
        self.request(Method::GET, headers, Vec::new())
    }

    /// Makes a request with the session's headers, if there is a session.
    fn request(
        &self,
        method: Method,
        mut headers: Vec<(HeaderName, HeaderValue)>,
        body: Vec<u8>,
    ) -> Request<Vec<u8>> {
        if let Some(Agreed::Legacy { version, session }) = &self.agreed {
            // Revisions before 2025-06-18 do not have the header `mcp-protocol-version`.
            let tells = version.as_str() >= "2025-06-18";
            let version = tells.then_some(("mcp-protocol-version", version));
            let session = session.as_ref().map(|session| ("mcp-session-id", session));
            for (name, value) in version.into_iter().chain(session) {
                if let Ok(value) = HeaderValue::try_from(value) {
                    headers.push((HeaderName::from_static(name), value));
                }
            }
        }
        self.plain(method, headers, body)
    }

    fn plain(
        &self,
        method: Method,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: Vec<u8>,
    ) -> Request<Vec<u8>> {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = self.server.address.clone();
        for (name, value) in self.server.headers.iter().cloned().chain(headers) {
            request.headers_mut().append(name, value);
        }
        request
    }
}

/// A group of protocol revisions with which servers are addressed in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Era {
    /// Requests are independent of each other.
    Modern,
    /// A handshake comes first, and the following requests belong to a session.
    Legacy,
}

impl Era {
    /// Returns the era of a revision; `None` if the revision is unknown.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        if version == MODERN {
            return Some(Self::Modern);
        }
        LEGACY.contains(&version).then_some(Self::Legacy)
    }
}

/// Encodes a text as a header's value. It stays unchanged if every server can read it, and is otherwise written in
/// base64.
///
/// //= MCP 2026-07-28, basic/transports/streamable-http, Value Encoding
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let is_trimmed = text.trim_matches([' ', '\t']).len() == text.len();
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && is_trimmed && !looks_encoded {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

/// Decodes a header's value that was made by `encoded`; `None` if its base64 is invalid.
#[must_use]
pub fn decoded(value: &str) -> Option<String> {
    let begun = value.strip_prefix("=?base64?");
    let Some(inner) = begun.and_then(|begun| begun.strip_suffix("?=")) else {
        return Some(value.to_owned());
    };
    String::from_utf8(STANDARD.decode(inner).ok()?).ok()
}

/// Returns an argument of a call as a header's value; `None` if it is absent, a list or an object.
fn encoded_argument(argument: &Value) -> Option<String> {
    match argument {
        Value::String(text) => Some(encoded(text)),
        Value::Bool(_) | Value::Number(_) => Some(argument.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Makes the request for one page of the list of tools.
pub(crate) fn list_tools(
    connection: &Connection,
    id: u64,
    cursor: Option<&str>,
    is_modern: bool,
) -> Request<Vec<u8>> {
    let mut params = match cursor {
        Some(cursor) => json!({"cursor": cursor}),
        None => json!({}),
    };
    add_meta(&mut params, None, is_modern);
    let message = request(id, "tools/list", &params);
    connection.post(&message, is_modern, None, None)
}

/// Makes the request that calls a tool.
pub(crate) fn call_tool(
    connection: &Connection,
    id: u64,
    tool: &str,
    arguments: Option<&Value>,
    is_modern: bool,
) -> Request<Vec<u8>> {
    let mut params = json!({"name": tool});
    if let (Some(arguments), Some(params)) = (arguments, params.as_object_mut()) {
        params.insert("arguments".to_owned(), arguments.clone());
    }
    add_meta(&mut params, Some(id), is_modern);
    let message = request(id, "tools/call", &params);
    connection.post(&message, is_modern, Some(tool), arguments)
}

/// Makes the request that begins a session.
pub(crate) fn initialize(connection: &Connection, id: u64) -> Request<Vec<u8>> {
    let params = json!({
        "protocolVersion": connection.proposed(),
        "capabilities": {},
        "clientInfo": program_info(),
    });
    connection.post(&request(id, "initialize", &params), false, None, None)
}

/// Makes the notification that the handshake of a session is complete.
pub(crate) fn initialized(connection: &Connection) -> Request<Vec<u8>> {
    let message = notification("notifications/initialized", &Value::Null);
    connection.post(&message, false, None, None)
}

/// Makes the notification that cancels a request of a session.
pub(crate) fn cancelled(connection: &Connection, id: u64) -> Request<Vec<u8>> {
    let params = json!({"requestId": id, "reason": "nobody waits for it any more"});
    let message = notification("notifications/cancelled", &params);
    connection.post(&message, false, None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_cannot_carry_is_encoded() {
        for (text, sent) in [
            ("us west 1", "us west 1"),
            ("", ""),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("\tx", "=?base64?CXg=?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("é", "=?base64?w6k=?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ] {
            assert_eq!(encoded(text), sent, "{text:?}");
            assert_eq!(decoded(sent).as_deref(), Some(text), "{sent:?}");
        }
        assert_eq!(decoded("=?base64?!?="), None);
        assert_eq!(encoded_argument(&Value::from(42)), Some("42".into()));
        assert_eq!(encoded_argument(&Value::Null), None);
    }
}
