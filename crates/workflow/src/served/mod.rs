//! What a workflow's run has told, as others read it: its record, and the folder that the original
//! program would have written.

mod archive;
mod folder;
mod folders;
mod node_trace;
mod record;
mod serving;

pub use archive::trace_archive;
pub use record::workflow_record;
