//! The protocol between the Worker and a run's object, and how a run begins there.

mod call;
mod creation;
mod deletion;

pub use call::{
    LiveRunCall, RunObjectCall, SessionCall, find_call, find_run, note_call, noted_run,
};
pub use creation::{
    ArtifactSource, Beginning, ChildDeletion, CreateAnswer, Creation, CreationJson, CreationOf,
    DeletionCount, Fork, ForkOf, ForkSource, ForkSourceJson, ForkSourceOf, Starter, first_entry,
    opening,
};
pub use deletion::{ArtifactFrame, DeletedRun, HeldBudget, Remainder, children_of, spent_of};
