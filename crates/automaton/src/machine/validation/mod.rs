//! Whether an automaton can be run, and what in it surprises.

mod finding;
mod surprises;

pub use finding::{Finding, check, check_anew, check_prompts};
pub use surprises::{Surprise, surprises};
