//! The write-ahead journal of a run: what was asked, answered and told to the machine, in order, so
//! that another process can go on where one died, and anyone can execute the run again.
//!
//! The order of entries is the promise:
//!
//! 1. [`Entry::Intent`] is kept before a call is sent.
//! 2. [`Entry::Answer`] is kept as soon as it is here, and before the machine sees it.
//! 3. [`Entry::Input`] is kept, with its time, before the machine is given it; the events that come
//!    of it are kept before a viewer sees them.
//!
//! Several calls may be open at once: intents and answers carry their command's number, inputs are
//! in the order in which the machine took them.

mod asked;
mod bounds;
mod course;
mod entry;
mod forms;
mod inputs;
mod kept;
mod order;
mod rebuild;
mod seen;

pub use asked::Asked;
pub use course::{Course, CourseError, Open, PhotoSource};
pub use entry::{Answered, ENTRY_VERSION, Entry, InputEntry, Opened};
pub use kept::{KeptAnswers, answers_to_keep};
pub use order::{AVOID_MAX, BUDGET_MAX, Order, OrderError};
pub use rebuild::{
    Arrived, RebuildError, Rebuilt, WAKES_WITHOUT_ANSWER_MAX, read_entries, rebuild,
    wakes_without_answer,
};
