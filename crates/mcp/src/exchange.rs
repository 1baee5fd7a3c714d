//! One operation on a server, from the first request to the operation's result. The crate's documentation describes how
//! to drive an exchange.

use std::collections::VecDeque;

use http::{HeaderMap, Request, StatusCode};
use serde_json::Value;

use crate::answer_body::{AnswerBody, EXCHANGE_BYTES_MAX, check_weight, messages};
use crate::connection::{
    Agreed, Connection, call_tool, cancelled, initialize, initialized, list_tools,
};
use crate::message::{Incoming, Progress, RpcError, answer};
use crate::refusal::{self, CallFailure, Meaning, Sent};
use crate::tool::{CallResult, Listing};

/// The most handshakes in one exchange. A second one is needed if the session is lost during the exchange.
const HANDSHAKES_MAX: u32 = 2;
/// The most times that a broken stream is requested again.
const RESUMPTIONS_MAX: u32 = 5;
/// The default pause before a broken stream is requested again, in milliseconds.
const PAUSE_MS: u64 = 1_000;
/// The longest pause before a broken stream is requested again, in milliseconds.
const PAUSE_MS_MAX: u64 = 30_000;
/// The most requests from the server in one exchange. Each answer counts towards the platform's limit of requests per
/// run. A server that pings every fifteen seconds stays below this even in the longest call.
const REQUESTS_MAX: u32 = 60;
/// The most progress reports that may be queued, and also the most queued answers to the server's requests.
const WAITING_MAX: usize = 100;

/// One operation on a server.
#[derive(Debug)]
pub struct Exchange {
    connection: Connection,
    operation: Operation,
    sent: Sent,
    /// The id of the last request that was sent.
    id: u64,
    /// Whether the last request that was sent asked for the list of tools.
    is_listing: bool,
    body: AnswerBody,
    /// The total length of all bodies received so far, in bytes.
    bytes: usize,
    sidelines: Sidelines,
    listing: Listing,
    resumption: Resumption,
    handshakes: u32,
    has_repeated: bool,
}

impl Exchange {
    /// Makes an exchange for an operation.
    #[must_use]
    pub fn new(connection: Connection, operation: Operation) -> Self {
        Self {
            connection,
            operation,
            sent: Sent::Probe,
            id: 0,
            is_listing: false,
            body: AnswerBody::None,
            bytes: 0,
            sidelines: Sidelines::default(),
            listing: Listing::default(),
            resumption: Resumption::default(),
            handshakes: 0,
            has_repeated: false,
        }
    }

    /// Makes an exchange that resumes a call which another process has sent.
    #[must_use]
    pub fn resumed(connection: Connection, operation: Operation, point: ResumePoint) -> Self {
        Self {
            id: point.request,
            sent: Sent::Resumption,
            resumption: Resumption::after(point.last_event_id),
            ..Self::new(connection, operation)
        }
    }

    /// Returns what the exchange knows about the server.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Ends the exchange, and returns what it knows about the server, for use in the next one.
    #[must_use]
    pub fn into_connection(self) -> Connection {
        self.connection
    }

    /// Returns the id of the last request.
    #[must_use]
    pub fn request_id(&self) -> u64 {
        self.id
    }

    /// Returns whether the call itself was sent. False if only requests that precede it were.
    #[must_use]
    pub fn has_sent_call(&self) -> bool {
        (self.sent.is_in_session() || self.sent == Sent::Modern) && !self.is_listing
    }

    /// Returns where another process can resume the call; `None` if it cannot be resumed.
    #[must_use]
    pub fn resume_point(&self) -> Option<ResumePoint> {
        let last_event_id = self
            .resumption
            .last_event_id()
            .filter(|_| self.sent.is_in_session())?;
        Some(ResumePoint {
            request: self.id,
            last_event_id: last_event_id.to_owned(),
        })
    }

    /// Returns whether the exchange is reading the rest of a broken stream.
    #[must_use]
    pub fn is_taken_up(&self) -> bool {
        self.sent == Sent::Resumption
    }

    /// Takes the next queued answer to a request from the server; `None` if there is none. The caller sends it as a
    /// request and ignores the response.
    pub fn aside(&mut self) -> Option<Request<Vec<u8>>> {
        self.sidelines.aside()
    }

    /// Takes the progress reports of the call received since the last time, oldest first.
    pub fn take_progress(&mut self) -> Vec<Progress> {
        self.sidelines.take_progress()
    }

    /// Returns the request that cancels the call; `None` if closing the connection suffices.
    #[must_use]
    pub fn cancellation(&self) -> Option<Request<Vec<u8>>> {
        self.sent
            .is_in_session()
            .then(|| cancelled(&self.connection, self.id))
    }

    /// Begins the exchange, and returns its first step.
    pub fn begin(&mut self) -> Step {
        if self.sent == Sent::Resumption {
            return self.go_on();
        }
        self.ask()
    }

    /// Continues after the pause that the last step requested.
    pub fn go_on(&mut self) -> Step {
        match self.resumption.last_event_id() {
            Some(id) => {
                self.sent = Sent::Resumption;
                Step::Send(self.connection.get(id))
            }
            None => self.lost("there is nothing to resume from"),
        }
    }

    /// Sends the operation's request, or the handshake or listing that must come first.
    fn ask(&mut self) -> Step {
        self.resumption = Resumption::default();
        match &self.connection.agreed {
            None if self.connection.is_pinned_to_legacy() => return self.shake_hands(),
            None => self.sent = Sent::Probe,
            Some(Agreed::Modern) => self.sent = Sent::Modern,
            Some(Agreed::Legacy { .. }) => self.sent = Sent::Legacy,
        }
        let is_modern = self.sent != Sent::Legacy;
        // The server's revision is detected with a listing, since a call might have effects.
        self.is_listing = self.operation == Operation::ListTools
            || self.connection.tools.is_none()
            || self.sent == Sent::Probe;
        self.id = self.connection.next_id();
        Step::Send(match &self.operation {
            Operation::CallTool { tool, arguments } if !self.is_listing => call_tool(
                &self.connection,
                self.id,
                tool,
                arguments.as_ref(),
                is_modern,
            ),
            _ => {
                let cursor = self.listing.cursor();
                list_tools(&self.connection, self.id, cursor, is_modern)
            }
        })
    }

    fn shake_hands(&mut self) -> Step {
        if self.handshakes == HANDSHAKES_MAX {
            return Step::Done(Err(CallFailure::Unusable(
                "the server opens sessions and does not keep them".to_owned(),
            )));
        }
        self.handshakes += 1;
        self.connection.agreed = None;
        self.sent = Sent::Handshake;
        self.id = self.connection.next_id();
        Step::Send(initialize(&self.connection, self.id))
    }

    /// Takes the status and headers of an answer, and returns the next step.
    pub fn take_head(&mut self, status: StatusCode, headers: &HeaderMap) -> Step {
        if !status.is_success() {
            self.body = AnswerBody::refusal(status, headers);
            return Step::Read;
        }
        if self.sent == Sent::Handshake {
            let header = headers.get("mcp-session-id");
            let session = header.and_then(|id| id.to_str().ok().filter(|id| !id.is_empty()));
            self.connection.agreed = Some(Agreed::Legacy {
                version: self.connection.proposed(),
                session: session.map(str::to_owned),
            });
        }
        if self.sent == Sent::Ready {
            return self.ask();
        }
        match AnswerBody::of_answer(headers) {
            Some(body) => {
                self.body = body;
                Step::Read
            }
            None => self.unreadable("its answer is neither JSON nor a stream of events"),
        }
    }

    /// Notes that the request got no answer, and returns the next step.
    pub fn take_nothing(&mut self) -> Step {
        if self.sent == Sent::Resumption {
            return self.pause(None);
        }
        self.lost("the server could not be reached, or broke off")
    }

    /// Takes a chunk of an answer's body, and returns the next step.
    pub fn take_bytes(&mut self, bytes: &[u8]) -> Step {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > EXCHANGE_BYTES_MAX {
            let says = format!("the server sends without end: over {EXCHANGE_BYTES_MAX} bytes");
            return self.lost(&says);
        }
        let (messages, last_event_id) = match self.body.take(bytes) {
            Ok(taken) => taken,
            Err(says) => return self.unreadable(&says),
        };
        self.resumption.note(last_event_id);
        self.take_messages(messages).unwrap_or(Step::Read)
    }

    /// Takes the end of an answer's body, and returns the next step. `is_whole` states whether the body was complete.
    pub fn take_end(&mut self, is_whole: bool) -> Step {
        match std::mem::replace(&mut self.body, AnswerBody::None) {
            AnswerBody::None => self.lost("the server broke off"),
            AnswerBody::Events { reader, .. } => self.stream_ended(reader.retry_ms()),
            AnswerBody::Json { .. } if !is_whole => self.lost("the server broke off in the middle"),
            AnswerBody::Json { body, .. } => match check_weight(&body) {
                Err(says) => self.unreadable(&says),
                Ok(()) => match self.take_messages(messages(&body)) {
                    Some(step) => step,
                    None => self.unreadable("its answer does not fit the request"),
                },
            },
            AnswerBody::Refusal(refusal) => {
                let error = refusal.error();
                self.refused(refusal.status, refusal.after_ms, error.as_ref())
            }
        }
    }

    fn take_messages(&mut self, messages: Vec<Incoming>) -> Option<Step> {
        let mut messages = messages.into_iter();
        messages.find_map(|message| self.take_message(message))
    }

    /// Returns the step after a stream that ended without an answer.
    fn stream_ended(&mut self, retry_ms: Option<u64>) -> Step {
        if self.sent.is_in_session() {
            return self.pause(retry_ms);
        }
        self.lost("the server ended its answer before it was whole")
    }

    fn pause(&mut self, retry_ms: Option<u64>) -> Step {
        match self.resumption.pause_ms(retry_ms) {
            Some(ms) => Step::Pause(ms),
            None => self.lost("the server broke off, and the rest of its answer is unavailable"),
        }
    }

    /// Handles a message. Returns the next step if the message leads to one, and `None` to continue reading.
    fn take_message(&mut self, message: Incoming) -> Option<Step> {
        match message {
            Incoming::Result { id, result } if id == self.id => Some(self.take_result(&result)),
            Incoming::Error { id, error } if id.is_none_or(|id| id == self.id) => {
                Some(self.refused(StatusCode::OK, None, Some(&error)))
            }
            // Servers of the newest revision send no requests, so only requests within a session are answered.
            Incoming::Request { id, method } if self.sent.is_in_session() => {
                let is_noted = self.sidelines.note_request(&self.connection, &id, &method);
                (!is_noted).then(|| self.lost("the server sends too many requests itself: over 60"))
            }
            Incoming::Progress(progress) => {
                self.sidelines.note_progress(progress);
                None
            }
            _ => None,
        }
    }

    fn take_result(&mut self, result: &Value) -> Step {
        self.body = AnswerBody::None;
        match self.sent {
            Sent::Handshake => return self.handshake_over(result),
            Sent::Probe => self.connection.agreed = Some(Agreed::Modern),
            _ => {}
        }
        if let Some(step) = refusal::of_result(result) {
            return Step::Done(Err(step));
        }
        if self.is_listing {
            return self.take_tools(result);
        }
        Step::Done(Ok(Reply::Called(CallResult::read(result))))
    }

    fn handshake_over(&mut self, result: &Value) -> Step {
        let version = result.get("protocolVersion").and_then(Value::as_str);
        if !self.connection.settle_version(version) {
            return Step::Done(Err(CallFailure::Unusable(
                "the server speaks no revision of the protocol that this program knows".to_owned(),
            )));
        }
        self.sent = Sent::Ready;
        Step::Send(initialized(&self.connection))
    }

    fn take_tools(&mut self, result: &Value) -> Step {
        let tools = match self.listing.take(result) {
            Ok(Some(tools)) => tools,
            Ok(None) => return self.ask(),
            Err(too_much) => return Step::Done(Err(CallFailure::Unusable(too_much.to_string()))),
        };
        self.connection.tools = Some(tools);
        match self.operation {
            Operation::ListTools => Step::Done(Ok(Reply::Listed)),
            Operation::CallTool { .. } => self.ask(),
        }
    }

    /// Returns the step after the server refused a request.
    fn refused(
        &mut self,
        status: StatusCode,
        after_ms: Option<u64>,
        error: Option<&RpcError>,
    ) -> Step {
        self.body = AnswerBody::None;
        let has_session = self.connection.has_session();
        match refusal::meaning(self.sent, status, error, has_session) {
            Meaning::Lost => return self.lost("the server does not give the rest of its answer"),
            Meaning::Handshake => return self.shake_hands(),
            // A refused request had no effect, so it can be repeated, once, in a new session.
            Meaning::PerhapsHandshake if !self.has_repeated => {
                self.has_repeated = true;
                return self.shake_hands();
            }
            Meaning::Modern => self.connection.agreed = Some(Agreed::Modern),
            Meaning::Again if !self.has_repeated => {
                self.has_repeated = true;
                self.connection.agreed = Some(Agreed::Modern);
                return self.ask();
            }
            Meaning::StaleTools if !self.has_repeated && self.has_sent_call() => {
                self.has_repeated = true;
                self.connection.tools = None;
                return self.ask();
            }
            _ => {}
        }
        let is_call = self.has_sent_call();
        Step::Done(Err(refusal::failure(status, after_ms, error, is_call)))
    }

    /// Returns the last step of an exchange whose request gets no answer.
    fn lost(&mut self, says: &str) -> Step {
        let says = says.to_owned();
        Step::Done(Err(if self.has_sent_call() || self.is_taken_up() {
            CallFailure::Unknown(says)
        } else {
            CallFailure::Down(says)
        }))
    }

    fn unreadable(&mut self, says: &str) -> Step {
        self.body = AnswerBody::None;
        if self.sent == Sent::Probe {
            // A server that answers a request of the newest revision unreadably does not know that revision.
            return self.shake_hands();
        }
        self.lost(says)
    }
}

/// An operation on a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// Lists the server's tools.
    ListTools,
    /// Calls a tool.
    CallTool {
        /// The tool's name.
        tool: String,
        /// The call's arguments; `None` if the message has no such member.
        arguments: Option<Value>,
    },
}

/// The result of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The tools were listed, and are in [`crate::Connection::tools`].
    Listed,
    /// The tool was called, and this is its result.
    Called(CallResult),
}

/// What the caller must do next.
#[derive(Debug)]
pub enum Step {
    /// Send this request, then report its answer.
    Send(Request<Vec<u8>>),
    /// Read more of the answer's body.
    Read,
    /// Wait this many milliseconds, then call [`Exchange::go_on`].
    Pause(u64),
    /// Stop, since the exchange is over.
    Done(Result<Reply, CallFailure>),
}

/// The point at which another process can resume a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumePoint {
    /// The id of the call's request.
    pub request: u64,
    /// The id of the last event that was received from the call's stream.
    pub last_event_id: String,
}

/// The last event of a stream, and how often the stream was requested again after it broke.
#[derive(Debug, Default)]
struct Resumption {
    last_event_id: Option<String>,
    count: u32,
}

impl Resumption {
    /// Makes the resumption of a stream at the event after the one with this id.
    fn after(last_event_id: String) -> Self {
        Self {
            last_event_id: Some(last_event_id),
            count: 0,
        }
    }

    /// Returns the id of the last event received; `None` if no event had one.
    fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// Records the id of an event, if it has one.
    fn note(&mut self, last_event_id: Option<String>) {
        self.last_event_id = last_event_id.or(self.last_event_id.take());
    }

    /// Returns the pause before the stream is requested again, in milliseconds; `None` if it cannot be requested again,
    /// or was requested too often.
    fn pause_ms(&mut self, retry_ms: Option<u64>) -> Option<u64> {
        let may = self.last_event_id.is_some() && self.count < RESUMPTIONS_MAX;
        self.count = self.count.saturating_add(1);
        may.then(|| retry_ms.unwrap_or(PAUSE_MS).min(PAUSE_MS_MAX))
    }
}

/// The messages that arrived besides the answer to a request.
#[derive(Debug, Default)]
struct Sidelines {
    asides: VecDeque<Request<Vec<u8>>>,
    progress: Vec<Progress>,
    requests: u32,
}

impl Sidelines {
    /// Queues the answer to a request from the server. Returns false if the server has sent too many requests.
    fn note_request(&mut self, connection: &Connection, id: &Value, method: &str) -> bool {
        self.requests = self.requests.saturating_add(1);
        if self.requests > REQUESTS_MAX {
            return false;
        }
        if self.asides.len() < WAITING_MAX {
            let message = answer(id, method);
            let post = connection.post(&message, false, None, None);
            self.asides.push_back(post);
        }
        true
    }

    /// Queues a progress report, unless the queue is full.
    fn note_progress(&mut self, progress: Progress) {
        if self.progress.len() < WAITING_MAX {
            self.progress.push(progress);
        }
    }

    /// Takes the next queued answer to a request from the server.
    fn aside(&mut self) -> Option<Request<Vec<u8>>> {
        self.asides.pop_front()
    }

    /// Takes the progress reports, oldest first.
    fn take_progress(&mut self) -> Vec<Progress> {
        std::mem::take(&mut self.progress)
    }
}
