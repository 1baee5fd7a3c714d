//! Scratch.
pub mod actions;
mod dialect;
pub mod grammar;
pub mod page;
pub use dialect::Dialect;
