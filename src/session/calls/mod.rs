//! Carries one command out: which provider is asked, within which limits, how often and at which
//! price.

mod attempts;
mod call_result;
mod chat;
mod executor;
mod failover;
mod gate;
mod hand_over;
mod image;
mod notices;
mod retry;

pub use attempts::{Attempts, CallCost, Reading};
pub use call_result::CallResult;
pub use chat::ChatAsker;
pub use executor::{Executor, PhotoInput, passed_over};
pub use failover::Failover;
pub use gate::Gate;
pub use image::{IMAGE_SIDE_PIXELS_MIN, REDIRECTS_MAX, check_photo};
pub use notices::Notices;
