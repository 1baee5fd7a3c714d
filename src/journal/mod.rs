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
mod engine;
mod engine_name;
mod entry;
mod inherit;
mod inherit_before;
mod investigation;
mod opened_run;
mod rebuild;
mod suspects;
mod workflow;

pub use answer_entry::{AnswerEntry, AnswerSource, SetAside};
pub use engine::{Engine, EventError, Form, OrderError, key_digest};
pub use engine_name::EngineName;
pub use entry::{ENTRY_VERSION, Entry, InputEntry, Opened};
pub use inherit::answers_to_inherit;
pub use inherit_before::answers_before;
pub use investigation::{
    AVOID_MAX, BUDGET_MAX, CallKey, InvestigationEngine, NoNote, Order, PhotoSource, is_success,
};
pub use opened_run::OpenedRun;
pub use rebuild::{RebuildError, RebuiltRun, ReceivedAnswer, read_entries, rebuild};
pub use suspects::{Suspects, WAKES_WITHOUT_ANSWER_MAX, wakes_without_answer};
pub use workflow::{WORKFLOW_ENGINE, WorkflowEngine, WorkflowKey, WorkflowNote, WorkflowOrder};

/// How the first engine is spoken to.
pub use crate::investigation::{Answer, Input, Outcome};
pub use crate::kernel::{CommandId, LostCall};

/// The state of a run; of the first engine where none is named.
pub type RunState<E = InvestigationEngine> = engine::RunState<E>;
/// A command that waits for its answer; of the first engine where none is named.
pub type PendingCommand<E = InvestigationEngine> = engine::PendingCommand<E>;
/// Answers of an earlier run; of the first engine where none is named.
pub type InheritedAnswers<E = InvestigationEngine> = engine::InheritedAnswers<E>;
