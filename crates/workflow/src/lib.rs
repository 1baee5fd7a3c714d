//! A graph of nodes that call tools.

pub mod effects;
pub mod events;
pub mod machine;
pub mod requests;
pub mod tools;
pub mod wire;
