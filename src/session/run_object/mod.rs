//! What the Worker and a run's object say to each other.

mod messages;
mod opening;

pub use messages::{Creation, Fork, Reservation};
pub use opening::opening;
