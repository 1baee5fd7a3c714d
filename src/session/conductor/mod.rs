//! Conducts a run, from its beginning or from where its journal ends, to its last write.

mod carrier;
mod document_queue;
mod document_writer;
mod in_flight;
mod journal_writer;
mod outcome;
mod photo_carrier;
mod progress;
mod record_limits;
mod recorded;
mod resume;
mod run_loop;
mod run_record;
mod workflow_carrier;

pub use outcome::ConductOutcome;
pub use record_limits::RecordLimits;
pub use resume::{SavedRun, conduct, conduct_workflow};
