//! A workflow as it is written: nodes, edges, conditions, and the reader of its JSON.
//!
//! //= seed 002, Clickweave's `Workflow`

mod child_words;
mod condition;
mod condition_reader;
mod edge;
mod members;
mod node;
mod node_id;
mod node_kind;
mod node_reader;
mod reader;
mod routes;

pub use child_words::{AUTOMATE_NODE, AUTOMATE_NOUN, CHAIN_NODE, CHILD_RUNS, ChildKind};
pub use condition::{Condition, Operator, ValueRef};
pub use edge::{Edge, Output};
pub use members::ReadError;
pub use node::{Check, CheckKind, Node, OnCheckFail, Position, TraceLevel};
pub use node_id::NodeId;
pub use node_kind::{AiStep, Case, Click, FocusMethod, MouseButton, NodeKind, ScreenshotMode};
pub use reader::{NODES_MAX, WORKFLOW_BYTES_MAX, WORKFLOW_WEIGHT_MAX, Workflow};
pub use routes::Routes;
