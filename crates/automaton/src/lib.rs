//! Finite-state machines that drive a real browser.

pub mod asked;
pub mod carried;
pub mod machine;
pub mod served;
pub mod stored;
pub mod told;
