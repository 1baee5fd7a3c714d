//! How large a file may be, and why one is not executed.

use std::fmt;

use super::file::{FORMAT, SEALED_VERSION};

/// Why a text is no sealed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// It is over these limits.
    TooLarge(ReplayLimits),
    /// Not JSON of this form; the reader's words.
    Unreadable(String),
    /// JSON of another form or version.
    OtherFormat,
    /// A question that nobody may ask.
    Question(String),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(bounds) => write!(
                formatter,
                "The file is over {} bytes or {} journal entries; execute it on your own machine: \
                 cargo run --bin replay -- FILE.",
                bounds.bytes_max, bounds.entries_max
            ),
            Self::Unreadable(why) => write!(
                formatter,
                "This is no sealed run ({why}); send the file that GET /runs/{{run}}/sealed gave."
            ),
            Self::OtherFormat => write!(
                formatter,
                "This is no \"{FORMAT}\" of version {SEALED_VERSION}."
            ),
            Self::Question(why) => write!(formatter, "The file's question is not valid: {why}."),
        }
    }
}

/// The largest file that is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayLimits {
    /// Of the file, in bytes.
    pub bytes_max: usize,
    /// Of its journal, in entries.
    pub entries_max: usize,
}

impl ReplayLimits {
    /// For anybody who asks a server: five times what a run of the default caps makes.
    pub const SERVER: Self = Self {
        bytes_max: 4 * 1024 * 1024,
        entries_max: 10_000,
    };
    /// For one's own machine: the largest caps, and forks of forks.
    pub const PROGRAM: Self = Self {
        bytes_max: 256 * 1024 * 1024,
        entries_max: 1_000_000,
    };
}
