//! What another process needs to go on with a workflow's calls.

use serde::{Deserialize, Serialize};

/// Something that is written down before anything is sent by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkflowNote {
    /// How a server was found to speak.
    Connected {
        /// Its alias.
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
    /// A run of the other engine is about to be begun.
    Child {
        /// The number of the command that asked.
        command: u32,
        /// The token that it has.
        run: String,
    },
}
