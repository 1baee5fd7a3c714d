//! The contract of an engine, which is what a type must implement so that its runs can be conducted, stored, shown,
//! sealed and forked. This crate knows no engine; `visual_degrees::engines` lists them.

mod executor;
mod machine;
mod problem;
mod requests;
mod run_state;
mod tools;

pub mod assistant;
pub mod budget;
pub mod child_run;
pub mod journal;
pub mod record;
pub mod run;
pub mod store;
pub mod values;

pub use child_run::{ChildOrder, ChildOutput, ChildResult, NoResult, ParentLimits, Registry};
pub use executor::{ChatAsker, Execute, ExecutedCall, Executor, NoteWriter, RunContext};
pub use journal::InheritedAnswers;
pub use machine::{Engine, Machine, OrderError, OrderSummary};
pub use problem::{Absence, Problem};
pub use requests::{ForkTerms, Given, Requests, StartTerms, WantedDocument, check_parts};
pub use run_state::{EventError, Opened, PendingCommand, RunState, key_digest};
pub use tools::{ListDocuments, RunDocument, StoredDocuments, Tools};
pub use values::{optional_whole_number, whole_number};
