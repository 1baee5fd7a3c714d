//! A server, what is known of it, and the requests that are sent to it.

use http::header::{HeaderName, HeaderValue};
use http::{Method, Request};
use serde_json::Value;

use crate::header_value::{encoded, encoded_argument};
use crate::tool::Tool;
use crate::version::{Era, LEGACY, MODERN};

/// The header that says that a request comes from a run of this program. A server that is this program, too, lets such a
/// caller begin no run that might call it again.
pub const CALLER_HEADER: &str = "visual-degrees-caller";

/// A server as its operator names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The server's address.
    pub address: http::Uri,
    /// The headers that each request to the server has, by which it knows who asks.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The revision in which the server is spoken to; it is found out where none is given.
    pub version: Option<String>,
}

/// The way in which a server was found to speak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreed {
    /// Each request stands for itself.
    Modern,
    /// Requests belong to a session, if the server gives an id for one.
    Legacy {
        /// The revision of the protocol.
        version: String,
        /// The session's id.
        session: Option<String>,
    },
}

/// The knowledge about one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    server: Server,
    pub(crate) agreed: Option<Agreed>,
    pub(crate) tools: Option<Vec<Tool>>,
    last_id: u64,
}

impl Connection {
    /// Returns a connection of which nothing is known yet. Its requests are numbered from after
    /// `last_id`, since no two requests of a session may have one number.
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

    /// Returns a connection that goes on with an earlier session.
    #[must_use]
    pub fn resumed(server: Server, agreed: Agreed, last_id: u64) -> Self {
        Self {
            agreed: Some(agreed),
            ..Self::new(server, last_id)
        }
    }

    /// Returns how the server was found to speak, if it was.
    #[must_use]
    pub fn agreed(&self) -> Option<&Agreed> {
        self.agreed.as_ref()
    }

    /// Returns the server's tools, if they were asked for.
    #[must_use]
    pub fn tools(&self) -> Option<&[Tool]> {
        self.tools.as_deref()
    }

    /// Returns the tool of this name, if it is known.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        let mut tools = self.tools.iter().flatten();
        tools.find(|tool| tool.name == name)
    }

    /// Returns the request that ends the session. Returns `None` where there is no session. The answer
    /// to the request changes nothing.
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

    /// Returns the revision that a handshake proposes.
    pub(crate) fn proposed(&self) -> String {
        let [newest, ..] = LEGACY;
        let pinned = self.server.version.as_deref();
        let pinned = pinned.filter(|version| LEGACY.contains(version));
        pinned.unwrap_or(newest).to_owned()
    }

    /// Notes the revision that the server's answer to a handshake names. Returns false where it is none
    /// that is spoken in sessions.
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

    /// Returns the request that sends a message. `name` is what the message is about, for those that
    /// name something; `arguments` are those of the tool of that name.
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

    /// Returns the request for what came after this event.
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

    /// Returns a request of the session.
    fn request(
        &self,
        method: Method,
        mut headers: Vec<(HeaderName, HeaderValue)>,
        body: Vec<u8>,
    ) -> Request<Vec<u8>> {
        if let Some(Agreed::Legacy { version, session }) = &self.agreed {
            // The first two revisions do not know this header.
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
