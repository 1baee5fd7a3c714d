//! The contract of an engine: what a type gives so that its runs are conducted, kept, told, sealed and
//! forked. No engine is named here; [`visual_degrees::engines`] has the row of each.

mod asked;
mod begun;
mod browser_address_form;
mod carrier;
mod chat_asker;
mod failure_form;
mod inherited_answers;
mod key_digest;
mod machine;
mod offered;
mod opened;
mod problem;
mod recorded;
mod reply_form;
mod result_form;
mod run_state;
mod served;
mod stored;
mod told;
mod whole_number;

pub mod assistant;
pub mod budget;
pub mod child_run;
pub mod journal;
pub mod run;
pub mod store;
pub mod values;

pub use asked::{Asked, ForkTerms, Given, StartTerms, check_parts};
pub use begun::{Begun, ChildOrder, ChildOutput, ChildResult, Engines, NoResult, ParentLimits};
pub use browser_address_form::BrowserAddressForm;
pub use carrier::{Call, Carried, CarriedCall, Carrier, NoteWriter, RunToCarry};
pub use chat_asker::ChatAsker;
pub use failure_form::FailureForm;
pub use inherited_answers::InheritedAnswers;
pub use key_digest::key_digest;
pub use machine::{Form, Machine, OrderError};
pub use offered::Offered;
pub use opened::Opened;
pub use problem::{Absence, Problem};
pub use recorded::{OrderSummary, Recorded};
pub use reply_form::ReplyForm;
pub use result_form::ResultForm;
pub use run_state::{EventError, PendingCommand, RunState};
pub use served::{RunDocument, Served, StoredDocuments};
pub use stored::Stored;
pub use told::Told;
pub use whole_number::{optional_whole_number, whole_number};

/// An engine as the journal needs it: a machine whose questions and answers are stored, and whose notices
/// are told.
pub trait Engine: Stored + Told {}

impl<E: Stored + Told> Engine for E {}
