//! The spending of a run, and what it was spent on.

/// The numbers of photos by their outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhotoCounts {
    /// The photos that were recognised.
    pub looked: u32,
    /// The photos whose bytes did not come.
    pub unfetchable: u32,
    /// The photos whose bytes are none that the recogniser takes.
    pub unreadable: u32,
    /// The photos that were known before; what they showed was used again.
    pub repeated: u32,
    /// Those of the repeated photos that were copies, in another size or cut, of one that was recognised.
    pub copies: u32,
    /// Those of the recognised photos whose answer an earlier run had paid.
    pub remembered: u32,
    /// The photos that were found and that no search looks at so far, since others promise more. They are
    /// counted where captions are read.
    pub left: u32,
    /// Those of the recognised photos that were put together from several, so that they prove
    /// nothing.
    pub vetoed: u32,
}

/// The spending of a run so far. Calls are counted by attempts, each call under way as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The attempts of searches.
    pub search_calls: u32,
    /// The attempts of recognitions.
    pub recognition_calls: u32,
    /// The attempts of planner calls.
    pub planner_calls: u32,
    /// The attempts of any kind that were throttled and not charged. They are counted in none of
    /// the others.
    pub throttled_calls: u32,
    /// The time since S0, in milliseconds, without the time in which nobody conducted the run.
    pub runtime_ms: u64,
    /// The cost in billionths of a dollar, by the operator's prices.
    pub nano_usd: u64,
    /// The photos, which cost nothing to fetch.
    pub photos: PhotoCounts,
}
