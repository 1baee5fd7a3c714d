//! Carries one command out: which provider is asked, within which limits, how often and at which
//! price.

mod execute;
mod gate;
mod image;
mod retry;

pub use execute::{CallResult, PhotoInput, execute, price_of_attempt};
pub use gate::Gate;
pub use image::{IMAGE_BYTES_MAX, IMAGE_SIDE_PIXELS_MIN, REDIRECTS_MAX};
pub use retry::{Attempts, CallCost};
