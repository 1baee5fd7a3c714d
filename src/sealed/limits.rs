//! The limits of a file that is executed, and the reasons why one is not.

use std::fmt;

use super::file::{FORMAT, SEALED_VERSION};

/// The most characters of a reader's own words that are repeated.
const WORDS_CHARS_MAX: usize = 200;

/// The reason why a text is no sealed file, or one that is not executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// The text has more bytes than these limits allow, or an entry or its question has.
    TooLarge(ReplayLimits),
    /// The text has more entries, decisions or events than these limits allow.
    TooMany(ReplayLimits),
    /// Executing the file takes more steps than [`ReplayLimits::steps_max`].
    TooLong(ReplayLimits),
    /// The text is not JSON of this form. The words are the reader's.
    Unreadable(String),
    /// The text is JSON of another form or version.
    OtherFormat,
    /// The file's question is one that nobody may ask: a part of it cannot be read.
    Question(String),
    /// The file's question has parts that do not go together.
    Conflict(String),
}

impl ReplayError {
    /// Returns whether another program could still execute the text, because it is only more than
    /// these limits allow.
    #[must_use]
    pub fn is_too_much(&self) -> bool {
        matches!(
            self,
            Self::TooLarge(_) | Self::TooMany(_) | Self::TooLong(_)
        )
    }

    /// Makes the error of a text that is not of this form. The words may hold a piece of the file,
    /// and are cut.
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
    /// The most bytes of the file.
    pub bytes_max: usize,
    /// The most entries of its journal.
    pub entries_max: usize,
    /// The most events, and the most decisions.
    pub events_max: usize,
    /// The most bytes of one entry. A search's answer of ten hits with long descriptions has
    /// 30,000.
    pub entry_bytes_max: usize,
    /// The most JSON values, counted as commas and opening brackets. A run's file has at most one
    /// in 17 bytes; a file with far more costs far more to read than its length suggests.
    pub values_max: usize,
    /// The most work. With each entry the machine may look at everybody and every edge that it
    /// knows, and each of them is a step. Time cannot be the limit, since a Worker's computation
    /// has no clock.
    pub steps_max: u64,
}

impl ReplayLimits {
    /// The limits for anybody who asks a server: five times what a run of the default caps makes.
    pub const SERVER: Self = Self {
        bytes_max: 4 * 1024 * 1024,
        entries_max: 10_000,
        events_max: 20_000,
        entry_bytes_max: 256 * 1024,
        values_max: 300_000,
        steps_max: 5_000_000,
    };
    /// The limits for one's own machine: the largest caps, and forks of forks.
    pub const PROGRAM: Self = Self {
        bytes_max: 256 * 1024 * 1024,
        entries_max: 1_000_000,
        events_max: 2_000_000,
        entry_bytes_max: 16 * 1024 * 1024,
        values_max: usize::MAX,
        steps_max: u64::MAX,
    };
}
