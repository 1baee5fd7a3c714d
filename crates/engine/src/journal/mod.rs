//! The write-ahead journal of a run: what was asked, answered and given to the machine, in order,
//! so that another process can go on where one died, and anyone can execute the run again.
//!
//! The order of entries is the promise:
//!
//! 1. [`Entry::Intent`] is written before a call is sent.
//! 2. [`Entry::Answer`] is written as soon as the answer comes, and before the machine sees it.
//! 3. [`Entry::Input`] is written, with its time, before the machine is given it; the events that
//!    come of it are stored before a viewer sees them.
//!
//! Several commands may be pending at once: intents and answers carry their command's number,
//! inputs are in the order in which the machine took them.

mod answer_entry;
mod entry;
mod inherit;
mod input_form;
mod rebuild;
mod suspects;

pub use answer_entry::AnswerEntry;
pub use entry::{ENTRY_VERSION, Entry, InputEntry};
pub use inherit::answers_to_inherit;
pub use rebuild::{RebuildError, RebuiltRun, ReceivedAnswer, read_entries, rebuild};
pub use suspects::{Suspects, WAKES_WITHOUT_ANSWER_MAX, wakes_without_answer};
