//! A connection to a browser: what it needs from the platform, the messages of the protocol, and numbered commands
//! whose answers may arrive in any order.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, LocalBoxFuture, select};
use serde_json::{Value, json};

/// The most commands that may wait for an answer at once.
const PENDING_MAX: usize = 256;
/// How long a command is delayed if other commands should precede it, in milliseconds.
const LATER_MS: u64 = 1_000;
const SESSION_ENDED: &str = "the tab or frame was closed";
const CLOSED: &str = "the connection to the browser was closed";
/// The longest message that is read, in bytes. The values that commands request are far shorter, but a page can make
/// the browser report long addresses and texts.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The most memory that a parsed message may take, in bytes.
const MESSAGE_WEIGHT_MAX: usize = MESSAGE_BYTES_MAX;
/// The most characters that are read from a refusal's text. Users see less of it, after secrets are removed.
const WORDS_CHARS_MAX: usize = 2_000;

/// Whether a session's browser is shared with other runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// The browser belongs to this run alone. It ends with the run, and requests nothing that the run's guard refuses.
    Own,
    /// The browser serves many runs and outlives this one. A new target in it waits for the guard of the run that it
    /// belongs to.
    Shared,
}

/// The platform's access to browsers that speak the `DevTools` protocol, and its clock.
///
/// Everything happens on one thread. Failures are sentences without a full stop, and are shown to users.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/>
pub trait DevTools: 'static {
    /// A connection to a browser.
    type Socket: DevToolsSocket + 'static;
    /// A slot among the browsers that may be open at once; dropping it frees the slot.
    type Turn: 'static;

    /// Returns the time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Waits for a number of milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Runs a task concurrently with the caller, for as long as the process lives.
    fn spawn(&self, task: LocalBoxFuture<'static, ()>);

    /// Returns whether a session's browser is shared with other runs.
    fn sharing(&self) -> Sharing;

    /// Waits until one more browser may be opened.
    fn take_turn(&self) -> impl Future<Output = Self::Turn>;

    /// Starts a session, and returns its id.
    fn begin_session(&self) -> impl Future<Output = Result<String, String>>;

    /// Connects to a session that was started by this process or by another one.
    fn connect(&self, session: &str) -> impl Future<Output = Result<Self::Socket, String>>;

    /// Ends a session if its browser belongs to this run alone.
    fn end_session(&self, session: &str) -> impl Future<Output = ()>;
}

/// The error if a message cannot be sent because the connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SocketClosed;

/// A connection to a browser, which carries text messages in both directions.
pub trait DevToolsSocket {
    /// Sends a message.
    fn send(&self, message: &str) -> Result<(), SocketClosed>;

    /// Waits for the next message; `None` once either side has closed the connection.
    fn next(&self) -> impl Future<Output = Option<String>>;

    /// Closes the connection.
    fn close(&self);
}

/// The reason why a command has no result. The texts are shown to users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The command was not sent, so it had no effect.
    Unsent(String),
    /// The command was sent, but no answer arrived, so its effect is unknown.
    Unanswered(String),
    /// The browser refused the command.
    Refused(String),
}

impl CallError {
    /// Returns the reason's text.
    pub(crate) fn into_words(self) -> String {
        match self {
            Self::Unsent(words) | Self::Unanswered(words) | Self::Refused(words) => words,
        }
    }
}

/// What a connection does in response to an event.
#[derive(Debug, Default)]
pub(crate) struct Reaction {
    /// The commands to send at once, in order. Their answers are ignored.
    pub commands: Vec<Command>,
    /// The commands to send [`LATER_MS`] later. Their answers are ignored.
    pub later: Vec<Command>,
    /// Why the page has become unusable, in words; `None` if it has not.
    pub gone: Option<String>,
    /// A session that has ended, so that its commands are not answered any more.
    pub ended: Option<String>,
}

/// A function that handles the events of a connection.
type Listener = Box<dyn Fn(Event) -> Reaction>;

type Answer = oneshot::Receiver<Outcome>;

/// The outcome of waiting for a command that was sent.
enum Outcome {
    Answered(Result<Value, String>),
    /// The wait was abandoned for this reason, before an answer arrived.
    GivenUp(String),
}

/// A connection to a browser. Dropping it closes the socket.
pub(crate) struct Connection<D: DevTools> {
    devtools: Rc<D>,
    link: Rc<Link<D::Socket>>,
}

/// The part of a connection that the reading task shares with the callers.
struct Link<S> {
    socket: S,
    last_id: Cell<u64>,
    pending: RefCell<BTreeMap<u64, Waiting>>,
    /// Why the connection has become unusable; `None` while it is usable.
    end: RefCell<Option<String>>,
    /// Why the page has become unusable; `None` while it is usable.
    page_end: RefCell<Option<String>>,
}

/// A command that was sent and waits for its answer.
struct Waiting {
    /// The session to which it was sent; `None` for the browser itself.
    session: Option<String>,
    sender: oneshot::Sender<Outcome>,
}

impl<D: DevTools> Connection<D> {
    /// Opens a connection over a socket, and spawns the task that reads its messages.
    pub(crate) fn open(devtools: Rc<D>, socket: D::Socket, listener: Listener) -> Self {
        let link = Rc::new(Link {
            socket,
            last_id: Cell::new(0),
            pending: RefCell::default(),
            end: RefCell::default(),
            page_end: RefCell::default(),
        });
        devtools.spawn(Box::pin(read_on(devtools.clone(), link.clone(), listener)));
        Self { devtools, link }
    }

    /// Returns the platform.
    pub(crate) fn devtools(&self) -> &D {
        &self.devtools
    }

    /// Closes the socket. Pending and delayed commands fail.
    pub(crate) fn close(&self) {
        self.link.socket.close();
    }

    /// Returns whether neither the connection nor the page has become unusable.
    pub(crate) fn is_open(&self) -> bool {
        self.link.end.borrow().is_none() && self.link.page_end.borrow().is_none()
    }

    /// Returns why the page has become unusable; `None` if the browser has not reported that.
    pub(crate) fn page_end(&self) -> Option<String> {
        self.link.page_end.borrow().clone()
    }

    /// Sends a command, and waits for its result at most until `until_ms`.
    pub(crate) async fn call(&self, command: Command, until_ms: u64) -> Result<Value, CallError> {
        let method = command.method;
        let answer = self.link.send(&command)?;
        self.result(method, answer, until_ms).await
    }

    /// Sends a command whose answer is ignored.
    pub(crate) fn post(&self, command: &Command) {
        self.link.post(command);
    }

    /// Sends all commands at once, and waits for each result at most until `until_ms`. If a command cannot be sent, the
    /// commands after it are not sent either.
    pub(crate) async fn call_all(
        &self,
        commands: Vec<Command>,
        until_ms: u64,
    ) -> Vec<Result<Value, CallError>> {
        let mut sent = Vec::new();
        for command in &commands {
            let answer = self.link.send(command);
            let is_sent = answer.is_ok();
            sent.push((command.method, answer));
            if !is_sent {
                break;
            }
        }
        let mut results = Vec::new();
        for (method, answer) in sent {
            results.push(match answer {
                Ok(answer) => self.result(method, answer, until_ms).await,
                Err(error) => Err(error),
            });
        }
        results
    }

    async fn result(
        &self,
        method: &str,
        answer: Answer,
        until_ms: u64,
    ) -> Result<Value, CallError> {
        let left_ms = until_ms.saturating_sub(self.devtools.now_ms());
        let sleep = std::pin::pin!(self.devtools.sleep(left_ms));
        match select(answer, sleep).await {
            Either::Left((Ok(Outcome::Answered(Ok(result))), _)) => Ok(result),
            Either::Left((Ok(Outcome::GivenUp(words)), _)) => Err(CallError::Unanswered(words)),
            Either::Left((Ok(Outcome::Answered(Err(words))), _)) => {
                let words = format!("the browser refused {method}: {words}");
                Err(CallError::Refused(words))
            }
            Either::Left((Err(oneshot::Canceled), _)) => {
                Err(CallError::Unanswered(CLOSED.to_owned()))
            }
            Either::Right(_) => {
                let words = format!("the browser did not answer {method} in time");
                Err(CallError::Unanswered(words))
            }
        }
    }
}

impl<D: DevTools> Drop for Connection<D> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<S: DevToolsSocket> Link<S> {
    fn send(&self, command: &Command) -> Result<Answer, CallError> {
        let is_for_page = command.session.is_some();
        let ends = [&self.end, &self.page_end];
        for end in ends.iter().take(if is_for_page { 2 } else { 1 }) {
            if let Some(words) = &*end.borrow() {
                return Err(CallError::Unsent(words.clone()));
            }
        }
        let mut pending = self.pending.borrow_mut();
        // Callers who gave up waiting have dropped their receivers, so their commands need not be kept.
        if pending.len() >= PENDING_MAX {
            pending.retain(|_, waiting| !waiting.sender.is_canceled());
        }
        if pending.len() >= PENDING_MAX {
            let words = "too many commands wait for the browser's answers";
            return Err(CallError::Unsent(words.to_owned()));
        }
        let id = self.last_id.get().saturating_add(1);
        self.last_id.set(id);
        let (sender, answer) = oneshot::channel();
        if self.socket.send(&command.message(id)).is_err() {
            return Err(CallError::Unsent(CLOSED.to_owned()));
        }
        pending.insert(
            id,
            Waiting {
                session: command.session.clone(),
                sender,
            },
        );
        Ok(answer)
    }

    /// Sends a command whose answer is ignored. A closed socket is no error here, since the reading task reports it.
    fn post(&self, command: &Command) {
        let id = self.last_id.get().saturating_add(1);
        self.last_id.set(id);
        let _ = self.socket.send(&command.message(id));
    }

    fn answer(&self, id: u64, outcome: Result<Value, String>) {
        let waiting = self.pending.borrow_mut().remove(&id);
        if let Some(waiting) = waiting {
            // Sending fails if the caller has given up waiting, which is no error.
            let _ = waiting.sender.send(Outcome::Answered(outcome));
        }
    }

    /// Marks the page, or the whole connection, as unusable. Pending and delayed commands then fail with these words.
    fn give_up(&self, is_page_alone: bool, words: &str) {
        let end = if is_page_alone {
            &self.page_end
        } else {
            &self.end
        };
        end.borrow_mut().get_or_insert_with(|| words.to_owned());
        self.give_up_those(words, |waiting| waiting.session.is_some() || !is_page_alone);
    }

    /// Ends the wait for answers from a session that has ended, which never come.
    fn end_session(&self, session: &str) {
        self.give_up_those(SESSION_ENDED, |waiting| {
            waiting.session.as_deref() == Some(session)
        });
    }

    fn give_up_those(&self, words: &str, is_meant: impl Fn(&Waiting) -> bool) {
        let mut given_up = Vec::new();
        let mut pending = self.pending.borrow_mut();
        let ids: Vec<u64> = pending.keys().copied().collect();
        for id in ids {
            if pending.get(&id).is_some_and(&is_meant) {
                given_up.extend(pending.remove(&id));
            }
        }
        drop(pending);
        for waiting in given_up {
            let _ = waiting.sender.send(Outcome::GivenUp(words.to_owned()));
        }
    }
}

/// Reads messages until the connection is closed.
async fn read_on<D: DevTools>(devtools: Rc<D>, link: Rc<Link<D::Socket>>, listener: Listener) {
    while let Some(text) = link.socket.next().await {
        match Incoming::read(&text) {
            Some(Incoming::Answer { id, outcome }) => link.answer(id, outcome),
            Some(Incoming::Event(event)) => {
                let reaction = listener(event);
                for command in &reaction.commands {
                    link.post(command);
                }
                if !reaction.later.is_empty() {
                    let (after, link) = (devtools.clone(), link.clone());
                    devtools.spawn(Box::pin(async move {
                        after.sleep(LATER_MS).await;
                        for command in &reaction.later {
                            link.post(command);
                        }
                    }));
                }
                if let Some(words) = reaction.gone {
                    link.give_up(true, &words);
                }
                if let Some(session) = reaction.ended {
                    link.end_session(&session);
                }
            }
            // An unreadable message may have been an answer. The caller of the answered command does not wait forever,
            // since each call has a deadline.
            None => {}
        }
    }
    link.give_up(false, CLOSED);
}

/// A command that is sent to the browser.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// The session of the page to which the command is addressed; `None` for the browser itself.
    pub session: Option<String>,
    /// The command's name in the protocol.
    pub method: &'static str,
    /// The command's arguments.
    pub params: Value,
}

impl Command {
    /// Makes a command to a page.
    pub(crate) fn to_page(session: &str, method: &'static str, params: Value) -> Self {
        Self {
            session: Some(session.to_owned()),
            method,
            params,
        }
    }

    /// Makes a command to the browser itself.
    pub(crate) fn to_browser(method: &'static str, params: Value) -> Self {
        Self {
            session: None,
            method,
            params,
        }
    }

    /// Makes a command to the target that sent this event.
    pub(crate) fn answering(event: &Event, method: &'static str, params: Value) -> Self {
        Self {
            session: event.session.clone(),
            method,
            params,
        }
    }

    /// Returns the message that sends this command with a number, by which its answer is found.
    fn message(&self, id: u64) -> String {
        let mut message = json!({"id": id, "method": self.method, "params": self.params});
        if let (Some(session), Some(members)) = (&self.session, message.as_object_mut()) {
            members.insert("sessionId".to_owned(), session.as_str().into());
        }
        message.to_string()
    }
}

/// A message from the browser.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// The answer to a command.
    Answer {
        /// The number with which the command was sent.
        id: u64,
        /// The result, or the text of the refusal.
        outcome: Result<Value, String>,
    },
    /// An event, which answers no command.
    Event(Event),
}

impl Incoming {
    /// Parses a message; `None` if it is invalid or too long.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > MESSAGE_BYTES_MAX || json::weight(text.as_bytes()) > MESSAGE_WEIGHT_MAX {
            return None;
        }
        let mut message: Value = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(_) => serde_json::from_str(&mended(text)?).ok()?,
        };
        let members = message.as_object_mut()?;
        let mut take = |name: &str| members.get_mut(name).map(Value::take);
        if let Some(id) = take("id") {
            let id = id.as_u64()?;
            let outcome = match take("error") {
                Some(error) => Err(words(&error)),
                None => Ok(take("result").unwrap_or_default()),
            };
            return Some(Self::Answer { id, outcome });
        }
        let method = take("method")?.as_str()?.to_owned();
        let session = take("sessionId").and_then(|session| Some(session.as_str()?.to_owned()));
        let params = take("params").unwrap_or_default();
        Some(Self::Event(Event {
            session,
            method,
            params,
        }))
    }
}

/// An event in the browser or in one of its targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The session of the target in which the event happened; `None` for the browser itself.
    pub session: Option<String>,
    /// The event's name in the protocol.
    pub method: String,
    /// The event's values.
    pub params: Value,
}

fn words(error: &Value) -> String {
    let message = error.get("message").and_then(Value::as_str);
    let words = message.unwrap_or("it gave no reason");
    words.chars().take(WORDS_CHARS_MAX).collect()
}

/// Replaces unpaired surrogates in the escapes of a message. Pages may contain them and the browser repeats them, but
/// JSON parsers refuse them. Returns `None` if there are none.
fn mended(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let mut has_changed = false;
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        // Of an escape that is not a surrogate, only the backslash and the next character are taken; digits after these
        // are copied like plain text.
        let (taken, replacement) = match surrogate(escape) {
            None => (escape.chars().take(2).map(char::len_utf8).sum(), None),
            Some(0xD800..0xDC00) => match escape.get(6..).and_then(surrogate) {
                Some(0xDC00..0xE000) => (12, None),
                _ => (6, Some("\\ufffd")),
            },
            Some(_) => (6, Some("\\ufffd")),
        };
        has_changed |= replacement.is_some();
        mended.push_str(
            replacement
                .or_else(|| escape.get(..taken))
                .unwrap_or_default(),
        );
        rest = escape.get(taken..)?;
    }
    mended.push_str(rest);
    has_changed.then_some(mended)
}

/// Returns the surrogate that an escape at the beginning of a text stands for, like `\ud83d`; `None` if there is none.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    (0xD800..0xE000).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_written_with_its_number_and_its_session() {
        let command = Command::to_page("S", "Page.enable", json!({}));
        let message: Value = serde_json::from_str(&command.message(7)).unwrap();
        let expected = json!({"id": 7, "method": "Page.enable", "params": {}, "sessionId": "S"});
        assert_eq!(message, expected);
        let command = Command::to_browser("Browser.getVersion", json!({}));
        assert!(!command.message(8).contains("sessionId"));
    }

    #[test]
    fn answers_refusals_and_events_are_told_apart() {
        let answer = Incoming::read(r#"{"id":1,"result":{"a":2},"sessionId":"S"}"#);
        let outcome = Ok(json!({"a": 2}));
        assert_eq!(answer, Some(Incoming::Answer { id: 1, outcome }));
        let refused = Incoming::read(r#"{"id":2,"error":{"code":-32000,"message":"No."}}"#);
        let outcome = Err("No.".to_owned());
        assert_eq!(refused, Some(Incoming::Answer { id: 2, outcome }));
        let event =
            Incoming::read(r#"{"method":"Page.loadEventFired","params":{},"sessionId":"S"}"#);
        let expected = Event {
            session: Some("S".to_owned()),
            method: "Page.loadEventFired".to_owned(),
            params: json!({}),
        };
        assert_eq!(event, Some(Incoming::Event(expected)));
    }

    #[test]
    fn what_is_no_message_is_none() {
        for text in [
            "",
            "[]",
            "{}",
            "7",
            r#"{"id":"x"}"#,
            r#"{"method":3}"#,
            "\u{1f600}",
            r#"{"id":1"#,
        ] {
            assert_eq!(Incoming::read(text), None, "{text}");
        }
        let long = format!(r#"{{"method":"{}"}}"#, "x".repeat(MESSAGE_BYTES_MAX));
        assert_eq!(Incoming::read(&long), None);
        let heavy = format!(
            r#"{{"method":"m","params":[{}0]}}"#,
            "{\"a\":0},".repeat(100_000)
        );
        assert_eq!(Incoming::read(&heavy), None);
    }

    #[track_caller]
    fn check_text(escaped: &str, expected: &str) {
        let message = format!(r#"{{"id":1,"result":"{escaped}"}}"#);
        let outcome = Ok(Value::from(expected));
        assert_eq!(
            Incoming::read(&message),
            Some(Incoming::Answer { id: 1, outcome }),
            "{escaped}"
        );
    }

    #[test]
    fn half_a_character_becomes_a_sign_for_it() {
        check_text(r"a\ud800x", "a\u{fffd}x");
        check_text(r"\udc00", "\u{fffd}");
        check_text(r"\ud83d\ude00\ud83d", "\u{1f600}\u{fffd}");
        check_text(r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}");
        check_text(r"\\ud800\ud800", "\\ud800\u{fffd}");
        check_text(r"\n\ud800\u00e9", "\n\u{fffd}\u{e9}");
    }
}
