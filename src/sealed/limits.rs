//! How large a file may be to be executed, and why one is not.

use std::fmt;

use super::file::{FORMAT, SEALED_VERSION};

/// The longest words of a reader's that are repeated, in characters.
const WORDS_CHARS_MAX: usize = 200;

/// Why a text is no sealed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// It has more bytes than these limits allow, or an entry or its question has.
    TooLarge(ReplayLimits),
    /// It has more entries, decisions or events than these limits allow.
    TooMany(ReplayLimits),
    /// Executing it takes more than [`ReplayLimits::steps_max`].
    TooLong(ReplayLimits),
    /// Not JSON of this form; the reader's words.
    Unreadable(String),
    /// JSON of another form or version.
    OtherFormat,
    /// A question that nobody may ask: a part of it cannot be read.
    Question(String),
    /// A question whose parts do not go together.
    Conflict(String),
}

impl ReplayError {
    /// Whether another program could still execute it: it is more than these limits allow.
    #[must_use]
    pub fn is_too_much(&self) -> bool {
        matches!(
            self,
            Self::TooLarge(_) | Self::TooMany(_) | Self::TooLong(_)
        )
    }

    /// Not of this form. The words may hold a piece of the file, and are cut.
    pub(super) fn unreadable(why: &impl ToString) -> Self {
        let words = why.to_string();
        Self::Unreadable(words.chars().take(WORDS_CHARS_MAX).collect())
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limits) => write!(
                formatter,
                "The file is over {} bytes or {} values, or one entry is over {} bytes; execute it on \
                 your own machine: cargo run --bin replay -- FILE.",
                limits.bytes_max, limits.values_max, limits.entry_bytes_max
            ),
            Self::TooMany(limits) => write!(
                formatter,
                "The file has over {} journal entries, {} decisions or {} events; execute it on \
                 your own machine: cargo run --bin replay -- FILE.",
                limits.entries_max, limits.events_max, limits.events_max
            ),
            Self::TooLong(limits) => write!(
                formatter,
                "Executing the file takes over {} steps; execute it on your own machine: cargo run \
                 --release --bin replay -- FILE.",
                limits.steps_max
            ),
            Self::Unreadable(why) => write!(
                formatter,
                "This is no sealed run ({why}); send the file that GET /runs/{{run}}/sealed gave."
            ),
            Self::OtherFormat => write!(
                formatter,
                "This is no \"{FORMAT}\" of version {SEALED_VERSION}."
            ),
            Self::Question(why) | Self::Conflict(why) => {
                write!(formatter, "The file's question is not valid: {why}.")
            }
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
    /// Of its events, and of its decisions.
    pub events_max: usize,
    /// Of one entry, in bytes. A search's answer of ten hits with long descriptions has 30,000.
    pub entry_bytes_max: usize,
    /// Of its JSON values, counted as commas and opening brackets. A run's file has one in 17 bytes
    /// or more; what has far more costs far more than its length to read.
    pub values_max: usize,
    /// Of the work. With each entry the machine may look at everybody and every edge that it
    /// knows: each of them is a step. There is no clock in a Worker's computation.
    pub steps_max: u64,
}

impl ReplayLimits {
    /// For anybody who asks a server: five times what a run of the default caps makes.
    pub const SERVER: Self = Self {
        bytes_max: 4 * 1024 * 1024,
        entries_max: 10_000,
        events_max: 20_000,
        entry_bytes_max: 256 * 1024,
        values_max: 300_000,
        steps_max: 5_000_000,
    };
    /// For one's own machine: the largest caps, and forks of forks.
    pub const PROGRAM: Self = Self {
        bytes_max: 256 * 1024 * 1024,
        entries_max: 1_000_000,
        events_max: 2_000_000,
        entry_bytes_max: 16 * 1024 * 1024,
        values_max: usize::MAX,
        steps_max: u64::MAX,
    };
}
