//! The search for a chain of people between two public figures.

mod served;

pub mod asked;
pub mod carried;
pub mod machine;
pub mod offered;
pub mod recorded;
pub mod stored;
pub mod told;
