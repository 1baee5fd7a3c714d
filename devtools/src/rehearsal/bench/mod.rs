//! The benchmark of `cargo run --release -p devtools --bin worlds`: how many chains the machine finds in a world, and
//! at what cost.
//!
//! Each random pair gets a run of the pure machine with providers that never fail
//! ([`WorldProviders`](super::WorldProviders)), in virtual time. No socket is opened, and pictures are only drawn if
//! some are traps. Equal arguments give equal figures everywhere, except for the machine's own wall time.

mod arguments;
mod call_schedule;
mod critical_path;
mod false_edges;
mod figures;
mod measure;
mod memory_figures;
mod pair_run;
mod photo_cache;
mod settings;
mod webp_photos;

pub use arguments::{BenchTask, HELP, parse};
pub use false_edges::FalseEdges;
pub use figures::Figures;
pub use measure::{measure, pairs_of};
pub use pair_run::{NamedPair, Outside, PairEnding, PairResult, run_pair};
pub use settings::{BenchSettings, SHARED_WORLDS, SearchEngine, WorldChoice};
