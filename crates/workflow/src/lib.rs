//! A graph of nodes that call tools.

pub mod asked;
pub mod carried;
pub mod machine;
pub mod served;
pub mod stored;
pub mod told;
