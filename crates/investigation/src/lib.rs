//! The search for a chain of people between two public figures.

pub mod effects;
pub mod events;
mod judgement;
pub mod machine;
pub mod record;
pub mod requests;
pub mod tools;
pub mod wire;
