//! What another process needs to go on with a workflow's calls.

use serde::{Deserialize, Serialize};

/// A note that is written down before anything is sent by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkflowNote {
    /// The way in which a server was found to speak.
    Connected {
        /// The server's alias.
        server: String,
        /// The revision of the protocol.
        version: String,
        /// The id of the session that it gave, if it gave one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// A part of a call's answer came: what follows it can be asked for.
    Heard {
        /// The number of the command that asked.
        command: u32,
        /// The number of the request in its session.
        request: u64,
        /// The id of the event.
        event: String,
    },
    /// A run that this run begins is about to be begun.
    Child {
        /// The number of the command that asked.
        command: u32,
        /// The token of that run.
        run: String,
    },
}
