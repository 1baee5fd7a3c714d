//! What the Worker and a run's object say to each other, and how a run begins there.

mod account;
mod artifact_frames;
mod call;
mod messages;
mod opening;

pub use account::{HeldBudget, spent_of};
pub use artifact_frames::ArtifactFrame;
pub use call::{LiveRunCall, RunObjectCall};
pub use messages::{CreateAnswer, Creation, Fork, ForkSource, Reservation, Starter};
pub use opening::{Opening, opening};
