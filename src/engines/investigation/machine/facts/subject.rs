//! Whom a query is about: one of the two typed people, perhaps not recognised yet, or a person.

use crate::domain::{PersonIndex, Side};

/// Whom a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A typed person.
    Typed(Side),
    /// A recognised person who is neither of the two.
    Person(PersonIndex),
}
