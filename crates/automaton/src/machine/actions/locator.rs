//! How an element is found.

use std::fmt;

use domain::page::By;

use crate::machine::grammar::Text;

/// The way to find an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locator {
    /// The way in which the selector is read.
    pub by: By,
    /// The selector.
    pub selector: Text,
}

impl fmt::Display for Locator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.by.as_str(), self.selector)
    }
}
