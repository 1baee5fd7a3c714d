//! The error that a run has violated a property.

use std::fmt;

/// The violated property, as a sentence for the test's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation(String);

impl Violation {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Fails with the property's text if `is_so` is false.
pub(super) fn require(is_so: bool, law: &str) -> Result<(), Violation> {
    if is_so {
        Ok(())
    } else {
        Err(Violation::new(law))
    }
}
