//! How far a page has drifted from the automaton that was made for it: what is gone, what is nearest to
//! it, and in what the mended automaton differs from the old one.

mod difference;
mod distance;
mod gone;
mod nearest;
mod report;
mod selector;

pub use difference::difference;
pub use gone::Gone;
pub use nearest::{Nearest, nearest};
pub use report::{Drift, Fault, presence};
