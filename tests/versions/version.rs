//! A version, as it is written and ordered.

use std::fmt;

/// `MAJOR.MINOR.PATCH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl Version {
    pub fn parse(text: &str) -> Option<Self> {
        let numbers = text.split('.').map(|number| number.parse().ok());
        let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
        let version = Self(numbers.try_into().ok()?);
        // `1.02.3` and `+1.2.3` are other spellings.
        (version.to_string() == text).then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}
