//! The limits that the operator sets for a run's record.

/// How long a run's record is kept, and how often it may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordLimits {
    /// The time that each document is kept, in seconds.
    pub time_to_live_s: u64,
    /// The most writes of one run to KV.
    pub kv_writes_max: u32,
}
