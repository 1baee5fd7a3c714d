//! States as they are written in a file, in both formats, read and written back, and the sentences that
//! ask for them.
//!
//! //= seed 001, FSM Model

mod automaton;
mod check_reader;
mod continuity;
mod line_reader;
mod members;
mod prompt;
mod read_error;
mod reader;
mod state;
mod structured;
mod writer;

pub use automaton::Automaton;
pub use continuity::Continuity;
pub use prompt::Prompt;
pub use read_error::ReadError;
pub use reader::{FILE_BYTES_MAX, FILE_WEIGHT_MAX, LINES_MAX, STATES_MAX};
pub use state::{Check, CheckKind, Line, PassedOver, State, Unread};
