//! What the engine wants done.

use serde_json::Value;

use crate::kernel;

use crate::chat::ChatQuestion;

/// Something to be carried out; its answer carries the id.
pub type Command = kernel::Command<Action>;

/// The things that a workflow does outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Call a tool. Whoever carries it out sends it again only where it was not done, or where the
    /// server's operator says that its hints are true; else the node's retries decide.
    CallTool(ToolCall),
    /// Learn which tools a server has.
    ListTools {
        /// Its alias; none for the only one that there is.
        server: Option<String>,
    },
    /// Ask a language model.
    Chat(ChatQuestion),
    /// Find a chain between two people: a run of the other engine.
    Investigate(InvestigateCall),
    /// Let so many milliseconds pass.
    Wait {
        /// How long, in milliseconds.
        ms: u64,
    },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The alias of its server; none for the only one that there is.
    pub server: Option<String>,
    /// Its name.
    pub tool: String,
    /// Its arguments; none are sent where there are none.
    pub arguments: Option<Value>,
}

/// A run of the other engine.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// Where the chain starts.
    pub person_a: String,
    /// Where it ends.
    pub person_b: String,
    /// Its options, as `POST /runs` takes them.
    pub options: Value,
    /// What it may cost at most, in billionths of a dollar; none where nobody limits it.
    pub nano_usd_max: Option<u64>,
}
