//! All that the journal knows of the engine whose run it keeps, which is an investigation: its
//! request, the state that its inputs lead to, and the stored forms of what goes in. Another engine
//! would have its own forms beside these; the rest of the journal stays as it is.

mod answer_limits;
mod call_key;
mod hit_form;
mod inherited_answers;
mod input_form;
mod order;
mod outcome_form;
mod recognised_form;
mod run_state;

/// How an engine is spoken to.
pub use crate::investigation::{Answer, CommandId, Input, LostCall, Outcome};

pub use call_key::CallKey;
pub use inherited_answers::InheritedAnswers;
pub(super) use input_form::InputForm;
pub use order::{AVOID_MAX, BUDGET_MAX, Order, OrderError};
pub(super) use outcome_form::OutcomeForm;
pub use outcome_form::is_success;
pub use run_state::{EventError, PendingCommand, PhotoSource, RunState};
