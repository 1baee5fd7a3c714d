//! The subject of a query: one of the two typed people, perhaps not recognised yet, or another
//! person.

use domain::{PersonIndex, Side};

/// The person whom a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A typed person.
    Typed(Side),
    /// A recognised person who is neither of the two.
    Person(PersonIndex),
}
