//! The contract of an engine: what a type gives so that its runs are conducted, kept, told, sealed and
//! forked. No engine is named here; [`visual_degrees::engines`] has the row of each.

mod carrier;
mod forms;
mod interface;
mod machine;
mod problem;

pub mod assistant;
pub mod budget;
pub mod child_run;
pub mod journal;
pub mod run;
pub mod store;
pub mod values;

pub use carrier::{Call, Carried, CarriedCall, Carrier, ChatAsker, NoteWriter, RunToCarry};
pub use child_run::{Begun, ChildOrder, ChildOutput, ChildResult, Engines, NoResult, ParentLimits};
pub use forms::{BrowserAddressForm, FailureForm, ReplyForm, ResultForm};
pub use interface::{
    Asked, ForkTerms, Given, Offered, RunDocument, Served, StartTerms, StoredDocuments, check_parts,
};
pub use journal::InheritedAnswers;
pub use machine::{
    EventError, Form, Machine, Opened, OrderError, PendingCommand, RunState, Stored, Told,
    key_digest,
};
pub use problem::{Absence, Problem};
pub use store::{OrderSummary, Recorded};
pub use values::{optional_whole_number, whole_number};

/// An engine as the journal needs it: a machine whose questions and answers are stored, and whose notices
/// are told.
pub trait Engine: Stored + Told {}

impl<E: Stored + Told> Engine for E {}
