//! The search for a chain of people between two public figures.
pub mod asked;
pub mod carried;
pub mod machine;
pub mod offered;
pub mod recorded;
mod served;
pub mod stored;
pub mod told;
