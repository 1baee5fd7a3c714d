//! Maps, sets and sorting in little code. A tree of the standard library, and its sort, are compiled
//! anew for each type that they are used with: in the Worker that was 90 kB, gzipped. Here what
//! depends on a type is a binary search and a move; the rest is there once.

mod map;
mod order;
mod set;

pub use map::{Entry, SortedMap};
pub use order::{sort, sort_by, sort_by_key};
pub use set::SortedSet;
