//! The stored forms of a workflow run: its order, its questions and its answers.

mod engine;
mod key;
mod note;
mod order;
mod outcome_form;
mod tool_form;

pub use engine::WorkflowEngine;
pub use key::WorkflowKey;
pub use note::WorkflowNote;
pub use order::{WORKFLOW_ENGINE, WorkflowOrder};
