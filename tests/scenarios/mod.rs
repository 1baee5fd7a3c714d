//! Whole runs: the conductor against the whole sandbox in memory, in virtual time.

mod documents;
mod failures;
mod limits;
mod people;
mod runs;
mod scenario;
