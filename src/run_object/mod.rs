//! What the Worker and a run's object say to each other, and how a run begins there.

mod account;
mod artifact_frames;
mod beginning;
mod call;
mod children;
mod deleted_run;
mod messages;
mod opening;
mod secrets_form;
mod session;

pub use account::{HeldBudget, spent_of};
pub use artifact_frames::ArtifactFrame;
pub use beginning::{ArtifactSource, Beginning};
pub use call::{LiveRunCall, RunObjectCall};
pub use children::children_of;
pub use deleted_run::{DeletedRun, Remainder};
pub use messages::{
    ChildDeletion, CreateAnswer, Creation, CreationJson, CreationOf, DeletionCount, Fork, ForkOf,
    ForkSource, ForkSourceJson, ForkSourceOf, Starter,
};
pub use opening::{first_entry, opening};
pub use session::{SessionCall, find_call, find_run, note_call, noted_run};
