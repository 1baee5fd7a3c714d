//! What a run has spent, and on what.

/// Photos by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhotoCounts {
    /// Recognised.
    pub looked: u32,
    /// Their bytes did not come.
    pub unfetchable: u32,
    /// Their bytes are no photo that the recogniser takes.
    pub unreadable: u32,
    /// Seen before; what they showed was used again.
    pub repeated: u32,
    /// Of those recognised: put together from several, so that they prove nothing.
    pub vetoed: u32,
}

/// What a run has spent so far. Calls are counted by attempts, each call under way as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Attempts of searches.
    pub search_calls: u32,
    /// Attempts of recognitions.
    pub recognition_calls: u32,
    /// Attempts of planner calls.
    pub planner_calls: u32,
    /// Attempts of any kind that were throttled and not charged; in none of the others.
    pub throttled_calls: u32,
    /// Since S0, in milliseconds; time in which nobody conducted the run is left out.
    pub runtime_ms: u64,
    /// In billionths of a dollar, by the operator's prices.
    pub nano_usd: u64,
    /// Photos, which cost nothing to fetch.
    pub photos: PhotoCounts,
}
