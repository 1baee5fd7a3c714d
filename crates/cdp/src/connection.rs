//! A connection to a browser: commands with a number each, and the answers that come back in any order.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, select};
use serde_json::Value;

use crate::devtools::{DevTools, DevToolsSocket};
use crate::message::{Command, Event, Incoming};

/// The most commands that wait for their answers at once.
const PENDING_MAX: usize = 256;
/// How much later a command is sent that others should come before, in milliseconds.
pub(crate) const LATER_MS: u64 = 1_000;
const CLOSED: &str = "the connection to the browser was closed";

/// The reason why a command has no result, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The command was not sent.
    Unsent(String),
    /// The command was sent, and no answer came.
    Unanswered(String),
    /// The browser refused the command.
    Refused(String),
}

impl CallError {
    /// Returns the words.
    pub(crate) fn into_words(self) -> String {
        match self {
            Self::Unsent(words) | Self::Unanswered(words) | Self::Refused(words) => words,
        }
    }
}

/// What follows from an event.
#[derive(Debug, Default)]
pub(crate) struct Reaction {
    /// The commands that answer it, in order. Nobody waits for their answers.
    pub commands: Vec<Command>,
    /// The commands that are sent [`LATER_MS`] later. Nobody waits for their answers either.
    pub later: Vec<Command>,
    /// Why the page is of no use any more, in words.
    pub gone: Option<String>,
}

/// Takes the events of a connection.
pub(crate) type Listener = Box<dyn Fn(Event) -> Reaction>;

type Answer = oneshot::Receiver<Outcome>;

/// What came of a command that was sent.
enum Outcome {
    Answered(Result<Value, String>),
    /// No answer is waited for any more, for this reason.
    GivenUp(String),
}

/// A connection to a browser. Dropping it closes the socket.
pub(crate) struct Connection<D: DevTools> {
    devtools: Rc<D>,
    link: Rc<Link<D::Socket>>,
}

/// What the task that reads shares with the callers.
struct Link<S> {
    socket: S,
    last_id: Cell<u64>,
    pending: RefCell<BTreeMap<u64, Waiting>>,
    /// Why the connection is of no use any more.
    end: RefCell<Option<String>>,
    /// Why the page is of no use any more.
    page_end: RefCell<Option<String>>,
}

/// A command that waits for its answer.
struct Waiting {
    is_for_page: bool,
    sender: oneshot::Sender<Outcome>,
}

impl<D: DevTools> Connection<D> {
    /// Opens a connection over a socket, and has its messages read beside the caller.
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

    /// Closes the socket. What waits and what is sent later ends in words.
    pub(crate) fn close(&self) {
        self.link.socket.close();
    }

    /// Returns why the page is of no use any more, where the browser has said so.
    pub(crate) fn page_end(&self) -> Option<String> {
        self.link.page_end.borrow().clone()
    }

    /// Sends a command and waits for its result until `until_ms`.
    pub(crate) async fn call(&self, command: Command, until_ms: u64) -> Result<Value, CallError> {
        let method = command.method;
        let answer = self.link.send(&command)?;
        self.result(method, answer, until_ms).await
    }

    /// Sends all commands at once and waits for each result until `until_ms`. Where one of them cannot be
    /// sent, those behind it are not sent either.
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
        // Who gave up waiting has dropped its end.
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
                is_for_page,
                sender,
            },
        );
        Ok(answer)
    }

    /// Sends a command whose answer nobody waits for. Where the socket is closed, the reader says so.
    fn post(&self, command: &Command) {
        let id = self.last_id.get().saturating_add(1);
        self.last_id.set(id);
        let _ = self.socket.send(&command.message(id));
    }

    fn answer(&self, id: u64, outcome: Result<Value, String>) {
        let waiting = self.pending.borrow_mut().remove(&id);
        if let Some(waiting) = waiting {
            // Who waited may have given up.
            let _ = waiting.sender.send(Outcome::Answered(outcome));
        }
    }

    /// Gives up the page, or all that is connected: what waits and what is sent later ends with these
    /// words.
    fn give_up(&self, is_page_alone: bool, words: &str) {
        let end = if is_page_alone {
            &self.page_end
        } else {
            &self.end
        };
        end.borrow_mut().get_or_insert_with(|| words.to_owned());
        let mut given_up = Vec::new();
        let mut pending = self.pending.borrow_mut();
        let ids: Vec<u64> = pending.keys().copied().collect();
        for id in ids {
            let is_meant = |waiting: &Waiting| waiting.is_for_page || !is_page_alone;
            if pending.get(&id).is_some_and(is_meant) {
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
            }
            // What cannot be read may have been an answer: who waits for it has a deadline.
            None => {}
        }
    }
    link.give_up(false, CLOSED);
}
