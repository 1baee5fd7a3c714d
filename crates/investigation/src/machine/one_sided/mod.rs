//! The plan that keeps to the specification: from A towards B, one accepted edge after the other.

mod accept;
mod candidates;
mod next_frontier;
mod path;
mod s2_discovery;
mod s3_choice;
mod s4_verification;
mod s5_bridge;

pub use accept::{after_photo, renewed_end};
pub use path::Path;
pub use s2_discovery::discover;
pub use s3_choice::choose;
pub use s4_verification::verify;
pub use s5_bridge::bridge;
