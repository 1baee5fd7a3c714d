//! Random runs, and the properties that every run must have.

mod journal_recorder;
mod memory_questions;
mod random_answers;
mod random_memory;
mod random_request;
mod random_run;
mod recognised_photos;
mod run_checker;
mod seeded_rng;
mod violation;

pub use random_run::{RandomRun, RehearsalOutcome, rehearse};
pub use violation::Violation;
