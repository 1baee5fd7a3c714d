//! The connections of a run to its servers of tools, also with what earlier processes learned.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kernel::CommandId;
use mcp::{Agreed, Connection, Era, ResumePoint};
use settings::McpServer;

use crate::stored::WorkflowNote;

/// The connections of one run, by their servers' names.
#[derive(Debug)]
pub struct Connections {
    servers: Vec<McpServer>,
    open: RefCell<BTreeMap<String, Connection>>,
    /// The way in which each server was found to speak, as far as the journal tells.
    noted: RefCell<BTreeMap<String, Agreed>>,
    /// The points to which the answers of calls had come when an earlier process ended.
    heard: BTreeMap<CommandId, ResumePoint>,
}

impl Connections {
    /// Returns the connections to the operator's servers, with what earlier processes noted.
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

    /// Returns the operator's server of this name.
    pub(super) fn server(&self, name: &str) -> Option<&McpServer> {
        self.servers.iter().find(|server| server.name == name)
    }

    /// Takes the connection to a server, which must be given back. Its requests are numbered from
    /// now on, in milliseconds, so that no process gives a session two requests of one number.
    pub(super) fn take(&self, server: &McpServer, now_ms: u64) -> Connection {
        if let Some(open) = self.open.borrow_mut().remove(&server.name) {
            return open;
        }
        match self.noted.borrow().get(&server.name) {
            Some(agreed) => Connection::resumed(server.server.clone(), agreed.clone(), now_ms),
            None => Connection::new(server.server.clone(), now_ms),
        }
    }

    /// Gives a connection back.
    pub(super) fn put(&self, server: &McpServer, connection: Connection) {
        let mut open = self.open.borrow_mut();
        open.insert(server.name.clone(), connection);
    }

    /// Takes all connections that are open; afterwards none is left here.
    pub(super) fn take_all(&self) -> Vec<Connection> {
        let open = std::mem::take(&mut *self.open.borrow_mut());
        open.into_values().collect()
    }

    /// Returns where the answer to a call that an earlier process waited for can be taken up.
    pub(super) fn resume_point(&self, command: CommandId) -> Option<&ResumePoint> {
        self.heard.get(&command)
    }

    /// Returns the note of how a server speaks. Returns `None` where that is noted already.
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
