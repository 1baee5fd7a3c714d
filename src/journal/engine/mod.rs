//! What the journal knows of an engine: a small contract, and what every run has by it. The forms of
//! each engine stand in a room of their own.

mod contract;
mod inherited_answers;
mod input_form;
mod key_digest;
mod run_state;
mod whole_number;

pub use contract::{Engine, Form, OrderError};
pub use inherited_answers::InheritedAnswers;
pub(super) use input_form::InputForm;
pub use key_digest::key_digest;
pub use run_state::{EventError, PendingCommand, RunState};
pub(super) use whole_number::{optional_whole_number, whole_number};
