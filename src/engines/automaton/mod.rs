//! Finite-state machines that drive a real browser.
pub mod machine;
