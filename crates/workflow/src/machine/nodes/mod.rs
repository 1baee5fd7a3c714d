//! The tasks of the types of nodes: each asks for one thing after the other.
//!
//! A task is begun, then resumed with what came of each thing that it asked for, until it is done or
//! has failed. It knows nothing of edges, retries and variables.

mod ai_prompt;
mod ai_task;
mod app_task;
mod automate_task;
mod caches;
mod child_task;
mod click_task;
mod context;
mod find_task;
mod invocation;
mod resolution;
mod task;
mod tool_task;

pub(super) use caches::{Caches, evict};
pub(super) use context::{Fault, Step, TaskContext, warnings};
pub(super) use task::Task;
