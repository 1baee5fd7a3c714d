//! Maps, sets and sorting in little code.
//!
//! A tree of the standard library, and its sort, are compiled anew for each type that they are used
//! with; in the Worker that was 90 kB, gzipped. Here only a binary search and a move depend on the
//! type; the rest is compiled once.

mod map;
mod order;
mod set;

pub use map::{Entry, SortedMap};
pub use order::{sort, sort_by, sort_by_key};
pub use set::SortedSet;
