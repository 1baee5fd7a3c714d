//! What the Worker and a run's object say to each other, and how a run begins there.

mod call;
mod messages;
mod opening;

pub use call::{LiveRunCall, RunObjectCall};
pub use messages::{Creation, Fork, ForkSource, Reservation};
pub use opening::opening;
