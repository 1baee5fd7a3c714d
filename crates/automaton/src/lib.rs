//! Finite-state machines that drive a real browser.

pub mod effects;
pub mod events;
pub mod machine;
pub mod requests;
pub mod tools;
pub mod wire;
