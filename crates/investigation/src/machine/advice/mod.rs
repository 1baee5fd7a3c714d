//! The help in choosing: the table of candidates, and a planner that is believed only as far as the
//! table goes.

mod candidate;
mod guesses;
mod planner;

pub use candidate::{Candidate, TABLE_ROWS_MAX, numbered_rows};
pub use guesses::is_recognised;
pub use planner::{Advice, Consultation, NARRATION_CHARS_MAX, has_planner};
