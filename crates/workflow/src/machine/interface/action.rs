//! The actions that the engine wants carried out.

use serde_json::Value;

use domain::chat::ChatQuestion;

/// An action to be carried out; its answer carries the command's id.
pub type Command = kernel::Command<Action>;

/// The actions of a workflow outside the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Call a tool. The one who carries it out sends it again only where it was not done, or where
    /// the server's operator says that its hints are true; otherwise the node's retries decide.
    CallTool(ToolCall),
    /// Learn which tools a server has.
    ListTools {
        /// The server's alias; `None` for the only one that there is.
        server: Option<String>,
    },
    /// Ask a language model.
    Chat(ChatQuestion),
    /// Find a chain between two people, by a run of another engine.
    Investigate(InvestigateCall),
    /// Execute an automaton, by a run of another engine.
    Automate(AutomateCall),
    /// Let some time pass.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The alias of the tool's server; `None` for the only one that there is.
    pub server: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The call's arguments; `None` where none are sent.
    pub arguments: Option<Value>,
}

/// An automaton to be executed by a run of another engine.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomateCall {
    /// The request for the run, as `POST /runs` takes it.
    pub request: Value,
    /// The most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
}

/// An investigation to be carried out by a run of another engine.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// The person with whom the chain starts.
    pub person_a: String,
    /// The person with whom the chain ends.
    pub person_b: String,
    /// The run's options, as `POST /runs` takes them.
    pub options: Value,
    /// The most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
}
