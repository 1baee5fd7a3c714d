//! The records of an investigation's run.

mod decisions;
mod documents;
mod record;

pub use decisions::decisions_json;
