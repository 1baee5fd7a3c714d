//! The protocol from 2025-03-26 to 2025-11-25, in which a handshake begins a session, and requests belong to a session.
//!
//! //= MCP 2025-11-25, basic/transports, Streamable HTTP

use http::Method;
use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply};

use super::entrance::{
    EVENTS, SERVER_ERROR, accepts, refusal, refused_origin, refused_post, wrong_method,
};
use super::event_stream::EventStream;
use super::fault_replies::NEVER_MS;
use super::faults::McpFault;
use super::legacy_calls::{sent, tool_call};
use super::messages::{
    INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, RpcError, RpcRequest, id_of,
    parsed, read,
};
use super::plan::ServerPlan;
use super::sessions::{Session, Sessions, StoredEvent};
use super::tool_list::page;
use super::versions::{LEGACY, SESSION_NOT_FOUND};
use super::workbench::Workbench;

const SESSION_HEADER: &str = "mcp-session-id";
const VERSION_HEADER: &str = "mcp-protocol-version";

/// A server with sessions while it handles one request, and the state that the request may change.
pub(super) struct LegacyServer<'server> {
    pub(super) name: &'server str,
    pub(super) bench: &'server mut Workbench,
    pub(super) sessions: &'server mut Sessions,
    pub(super) plan: &'server ServerPlan,
}

impl LegacyServer<'_> {
    /// Responds to a request of any method.
    pub(super) fn answer(&mut self, request: &ParsedRequest) -> Reply {
        match request.method {
            Method::POST => self.post(request),
            Method::GET => self.get(request),
            Method::DELETE => self.delete(request),
            _ => wrong_method("GET, POST, DELETE"),
        }
    }

    fn post(&mut self, request: &ParsedRequest) -> Reply {
        if let Some(refused) = refused_post(request) {
            return refused;
        }
        let body = match parsed(&request.body) {
            Ok(body) => body,
            Err(error) => return error.reply(400, &Value::Null),
        };
        let message = match read(&body) {
            Ok(message) => message,
            Err(error) => return error.reply(400, &id_of(&body)),
        };
        if let Message::Request(asked) = &message
            && asked.method == "initialize"
        {
            return self.initialize(request, asked);
        }
        let id = match self.session_id(request) {
            Ok(id) => id,
            Err(refused) => return *refused,
        };
        let Some(session) = self.sessions.get_mut(self.name, &id) else {
            return gone();
        };
        match message {
            Message::Request(asked) => {
                let answer = Self::request(session, self.bench, self.plan, request, &asked);
                if answer.ends_session {
                    self.sessions.end(self.name, &id);
                }
                answer.reply
            }
            Message::Notification => {
                let method = body.get("method").and_then(Value::as_str);
                session.is_ready |= method == Some("notifications/initialized");
                Reply::new(202, "text/plain", Vec::new())
            }
            Message::Response => Reply::new(202, "text/plain", Vec::new()),
        }
    }

    /// Returns the session id in a request. The error is the refusal if the request has no session or an expired one,
    /// or names another revision than the session has.
    fn session_id(&mut self, request: &ParsedRequest) -> Result<String, Box<Reply>> {
        let refused = |says: &str| Box::new(refusal(400, says));
        let Some(id) = request.header(SESSION_HEADER) else {
            let says = "Bad Request: Server not initialized: Mcp-Session-Id header is required";
            return Err(refused(says));
        };
        let session = self.sessions.get_mut(self.name, id);
        let version = session.ok_or_else(|| Box::new(gone()))?.version;
        match request.header(VERSION_HEADER) {
            Some(told) if told == version => Ok(id.to_owned()),
            // Revision 2025-03-26 did not have this header yet, so it may be absent.
            None if version == "2025-03-26" => Ok(id.to_owned()),
            told => {
                let told = told.unwrap_or("none");
                Err(refused(&format!(
                    "Bad Request: MCP-Protocol-Version is {told}, this session has {version}"
                )))
            }
        }
    }

    fn initialize(&mut self, request: &ParsedRequest, asked: &RpcRequest) -> Reply {
        if request.header(SESSION_HEADER).is_some() {
            let says = "Invalid Request: Server already initialized";
            return RpcError::new(INVALID_REQUEST, says).reply(400, &asked.id);
        }
        let text = |place: &str| asked.params.pointer(place).and_then(Value::as_str);
        let is_whole = text("/clientInfo/name").is_some()
            && text("/clientInfo/version").is_some()
            && asked
                .params
                .get("capabilities")
                .is_some_and(Value::is_object);
        let Some(wanted) = text("/protocolVersion").filter(|_| is_whole) else {
            let says = "Invalid params: protocolVersion, capabilities and clientInfo must be there";
            return RpcError::new(INVALID_PARAMS, says).reply(400, &asked.id);
        };
        let [newest, ..] = LEGACY;
        let version = LEGACY.into_iter().find(|known| *known == wanted);
        let version = version.unwrap_or(newest);
        let result = json!({
            "protocolVersion": version, "capabilities": {"tools": {}},
            "serverInfo": {"name": "sandbox-desk", "version": "1.0.0"},
        });
        let (id, session) = self.sessions.begin(self.name, version);
        session.note_id(&asked.id);
        let events = session.store(vec![asked.result(&result).to_string()], false);
        sent(&events, 0).with_named(SESSION_HEADER, &id)
    }

    fn request(
        session: &mut Session,
        bench: &mut Workbench,
        plan: &ServerPlan,
        request: &ParsedRequest,
        asked: &RpcRequest,
    ) -> Answer {
        if !session.note_id(&asked.id) {
            let says = "Invalid Request: a request of this session had that id before";
            return Answer::of(RpcError::new(INVALID_REQUEST, says).reply(400, &asked.id));
        }
        if !session.is_ready && asked.method != "ping" {
            let says = "Received request before initialization was complete";
            return Answer::of(RpcError::new(SERVER_ERROR, says).reply(400, &asked.id));
        }
        let message = match asked.method.as_str() {
            "ping" => asked.result(&json!({})),
            "tools/list" => match page(&asked.params) {
                Ok(list) => asked.result(&list),
                Err(error) => error.message(&asked.id),
            },
            "tools/call" => {
                let fault = bench.next_fault(plan);
                return Answer {
                    reply: tool_call(session, bench, fault, request, asked),
                    ends_session: matches!(
                        fault,
                        Some(
                            McpFault::SessionGone
                                | McpFault::SessionGoneOld
                                | McpFault::SessionGoneText
                        )
                    ),
                };
            }
            method => {
                let says = format!("Method not found: {method}");
                RpcError::new(METHOD_NOT_FOUND, &says).message(&asked.id)
            }
        };
        Answer::of(sent(&session.store(vec![message.to_string()], false), 0))
    }

    /// Responds to a GET with the rest of a broken stream. The sandbox has no other streams for GET.
    fn get(&mut self, request: &ParsedRequest) -> Reply {
        if let Some(refused) = refused_origin(request) {
            return refused;
        }
        if !accepts(request, EVENTS) {
            let says = "Not Acceptable: Client must accept text/event-stream";
            return refusal(406, says);
        }
        let id = match self.session_id(request) {
            Ok(id) => id,
            Err(refused) => return *refused,
        };
        let Some(last) = request.header("last-event-id") else {
            return wrong_method("POST, DELETE");
        };
        let session = self.sessions.get_mut(self.name, &id);
        match session.and_then(|session| session.after(last)) {
            None => refusal(400, "Bad Request: Invalid event ID"),
            Some((rest, is_endless)) => replayed(&rest, is_endless),
        }
    }

    fn delete(&mut self, request: &ParsedRequest) -> Reply {
        match self.session_id(request) {
            Ok(id) => {
                self.sessions.end(self.name, &id);
                Reply::new(200, "text/plain", Vec::new())
            }
            Err(refused) => *refused,
        }
    }
}

/// The response to a request in a session, and whether the session ends with it.
struct Answer {
    reply: Reply,
    ends_session: bool,
}

impl Answer {
    fn of(reply: Reply) -> Self {
        Self {
            reply,
            ends_session: false,
        }
    }
}

fn gone() -> Reply {
    RpcError::new(SESSION_NOT_FOUND, "Session not found").reply(404, &Value::Null)
}

fn replayed(rest: &[StoredEvent], is_endless: bool) -> Reply {
    if !is_endless {
        return sent(rest, 0);
    }
    let mut stream = EventStream::default();
    for event in rest {
        stream.event(0, Some(&event.id), &event.data);
    }
    stream.comment();
    stream.silence(NEVER_MS);
    stream.reply()
}
