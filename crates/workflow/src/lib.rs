//! Workflows: graphs of nodes that call tools, ask language models, and begin child runs.

pub mod effects;
pub mod events;
pub mod machine;
pub mod requests;
pub mod tools;
pub mod wire;
