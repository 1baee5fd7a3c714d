//! Finite-state machines that drive a real browser.
#[cfg(feature = "sandbox")]
pub mod cases;
pub mod machine;
