//! How many writes to KV a run may make.

/// The writes of one run, unless the operator says otherwise. They are enough to write what has changed every
/// five seconds, for as long as a run may take.
pub const KV_WRITES_DEFAULT: u32 = 600;
/// The fewest writes that an operator may allow: with fewer the documents of a run's end could not be
/// written.
pub const KV_WRITES_MIN: u32 = 20;
/// The most writes that an operator may allow: KV allows one invocation no more operations.
pub const KV_WRITES_MAX: u32 = 1_000;
