//! How many chains the machine finds in a world, and at what price: the benchmark of
//! `cargo run --release --features sandbox --bin worlds`.
//!
//! Random pairs are asked for, each by a run of the pure machine with providers that never fail
//! (the [`Clerk`](super::Clerk)), in virtual time. No socket is opened, pictures are drawn only where
//! some are collages, and the same arguments give the same figures everywhere; only the machine's
//! own wall time, which a stopwatch from outside measures, differs.

mod arguments;
mod critical;
mod darkroom;
mod figures;
mod measure;
mod question;
mod schedule;
mod settings;
mod truth;

pub use arguments::{HELP, Task, parse};
pub use figures::Figures;
pub use measure::{measure, pairs_of};
pub use question::{Asked, Ending, Question, ask};
pub use settings::{SHARED_WORLDS, Settings, WorldChoice};
pub use truth::FalseEdges;
