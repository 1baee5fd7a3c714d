//! A run's connections to its MCP servers, with what earlier processes learned, and the exchange of messages over a
//! connection.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kernel::CommandId;
use mcp::{Agreed, CallFailure, Connection, Era, Exchange, Reply, ResumePoint, Step};
use platform::{IncomingBody as _, Network, WriteError, timeout};
use settings::McpServer;

use crate::wire::WorkflowNote;

/// The longest wait for the response to an auxiliary request, such as a cancellation, in milliseconds.
pub(super) const ASIDE_MS_MAX: u64 = 5_000;
/// The longest silence of a resumed stream before it is requested again, in milliseconds. Some servers send later
/// events to the stream that broke, and deliver them only on a new request.
const SILENCE_MS_MAX: u64 = 15_000;

/// The connections of one run to its servers.
#[derive(Debug)]
pub struct Connections {
    servers: Vec<McpServer>,
    open: RefCell<BTreeMap<String, Connection>>,
    /// The protocol that was negotiated with each server, as journaled, by the server's name.
    noted: RefCell<BTreeMap<String, Agreed>>,
    /// The last event received for each call that an earlier process awaited, by the id of its command.
    heard: BTreeMap<CommandId, ResumePoint>,
}

impl Connections {
    /// Restores the connections to the operator's servers from the notes that earlier processes have journaled.
    #[must_use]
    pub fn restored(servers: &[McpServer], notes: &[WorkflowNote]) -> Self {
        let mut agreements = BTreeMap::new();
        let mut heard = BTreeMap::new();
        for note in notes {
            match note {
                WorkflowNote::Connected {
                    server,
                    version,
                    session,
                } => {
                    if let Some(agreed) = agreed(version, session.as_deref()) {
                        agreements.insert(server.clone(), agreed);
                    }
                }
                WorkflowNote::Heard {
                    command,
                    request,
                    event,
                } => {
                    let point = ResumePoint {
                        request: *request,
                        last_event_id: event.clone(),
                    };
                    heard.insert(CommandId(*command), point);
                }
                WorkflowNote::Child { .. } => {}
            }
        }
        Self {
            servers: servers.to_vec(),
            open: RefCell::default(),
            noted: RefCell::new(agreements),
            heard,
        }
    }

    /// Returns the operator's server with this name.
    pub(super) fn server(&self, name: &str) -> Option<&McpServer> {
        self.servers.iter().find(|server| server.name == name)
    }

    /// Takes the connection to a server, or makes one; [`Self::put`] puts it back. Ids of requests start at the current
    /// time in milliseconds, so that two processes never use the same id in a session.
    pub(super) fn take(&self, server: &McpServer, now_ms: u64) -> Connection {
        if let Some(open) = self.open.borrow_mut().remove(&server.name) {
            return open;
        }
        match self.noted.borrow().get(&server.name) {
            Some(agreed) => Connection::resumed(server.server.clone(), agreed.clone(), now_ms),
            None => Connection::new(server.server.clone(), now_ms),
        }
    }

    /// Puts a connection back, so that the next call to the server uses it.
    pub(super) fn put(&self, server: &McpServer, connection: Connection) {
        let mut open = self.open.borrow_mut();
        open.insert(server.name.clone(), connection);
    }

    /// Takes all open connections, in order to close their sessions.
    pub(super) fn take_all(&self) -> Vec<Connection> {
        let open = std::mem::take(&mut *self.open.borrow_mut());
        open.into_values().collect()
    }

    /// Returns the event after which a call of an earlier process can be resumed; `None` if there is none.
    pub(super) fn resume_point(&self, command: CommandId) -> Option<&ResumePoint> {
        self.heard.get(&command)
    }

    /// Returns the journal note about a server's negotiated protocol; `None` if it was already journaled.
    pub(super) fn note_of(&self, server: &McpServer, agreed: &Agreed) -> Option<WorkflowNote> {
        let mut noted = self.noted.borrow_mut();
        if noted.get(&server.name) == Some(agreed) {
            return None;
        }
        noted.insert(server.name.clone(), agreed.clone());
        let (version, session) = match agreed {
            Agreed::Modern => (mcp::MODERN.to_owned(), None),
            Agreed::Legacy { version, session } => (version.clone(), session.clone()),
        };
        Some(WorkflowNote::Connected {
            server: server.name.clone(),
            version,
            session,
        })
    }
}

fn agreed(version: &str, session: Option<&str>) -> Option<Agreed> {
    Some(match Era::of(version)? {
        Era::Modern => Agreed::Modern,
        Era::Legacy => Agreed::Legacy {
            version: version.to_owned(),
            session: session.map(str::to_owned),
        },
    })
}

/// Exchanges messages with a server until its answer has arrived or none can come. Dropping the future ends the
/// exchange and closes its connection.
///
/// `note` is called before each request and after each piece of a response, to journal the state of the exchange first.
/// If it fails, nothing more is sent.
pub async fn converse<N: Network>(
    network: &N,
    exchange: &mut Exchange,
    mut note: impl AsyncFnMut(&mut Exchange) -> Result<(), WriteError>,
) -> Result<Result<Reply, CallFailure>, WriteError> {
    let mut step = exchange.begin();
    let mut body: Option<N::Body> = None;
    loop {
        if let Step::Done(result) = step {
            return Ok(result);
        }
        note(exchange).await?;
        while let Some(aside) = exchange.aside() {
            // A failure of the auxiliary request is ignored, since only the main answer matters.
            let _ = timeout(network, ASIDE_MS_MAX, network.open(aside)).await;
        }
        step = match step {
            Step::Done(result) => return Ok(result),
            Step::Pause(ms) => {
                network.sleep(ms).await;
                exchange.go_on()
            }
            Step::Send(request) => {
                // A new request follows, so the rest of the previous response is no longer read.
                body = None;
                match network.open(request).await {
                    Err(_) => exchange.take_nothing(),
                    Ok(answer) => {
                        let (head, coming) = answer.into_parts();
                        body = Some(coming);
                        exchange.take_head(head.status, &head.headers)
                    }
                }
            }
            Step::Read => match body.as_mut() {
                None => exchange.take_end(false),
                Some(coming) => read_on(network, exchange, coming).await,
            },
        };
    }
}

/// Reads the next piece of a response, and returns the exchange's next step.
async fn read_on<N: Network>(network: &N, exchange: &mut Exchange, body: &mut N::Body) -> Step {
    let coming = body.next();
    let next = if exchange.is_taken_up() {
        let Some(next) = timeout(network, SILENCE_MS_MAX, coming).await else {
            return exchange.go_on();
        };
        next
    } else {
        coming.await
    };
    match next {
        Some(Ok(piece)) => exchange.take_bytes(&piece),
        Some(Err(_)) => exchange.take_end(false),
        None => exchange.take_end(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp::Server;

    fn desk() -> McpServer {
        McpServer {
            name: "desk".into(),
            server: Server {
                address: http::Uri::from_static("https://desk.example.org/mcp"),
                headers: Vec::new(),
                version: None,
            },
            is_trusted: false,
        }
    }

    #[test]
    fn what_was_noted_is_known_again() {
        let session = Agreed::Legacy {
            version: "2025-11-25".into(),
            session: Some("s".into()),
        };
        let first = Connections::restored(&[desk()], &[]);
        let note = first.note_of(&desk(), &session).unwrap();
        assert_eq!(first.note_of(&desk(), &session), None);
        let heard = WorkflowNote::Heard {
            command: 3,
            request: 7,
            event: "e".into(),
        };
        let again = Connections::restored(&[desk()], &[note, heard]);
        assert_eq!(again.take(&desk(), 5).agreed(), Some(&session));
        assert_eq!(again.resume_point(CommandId(3)).unwrap().request, 7);
        assert_eq!(again.note_of(&desk(), &session), None);
    }
}
