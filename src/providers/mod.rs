//! Each provider is a pair of pure functions over plain values: build the request, read the
//! answer. No transport, no clock, no settings from the environment.

pub mod gemini;
pub mod google;
mod image_search;
pub mod openai;
mod planner;
mod planning;
mod reading;
mod recogniser;
pub mod rekognition;
mod signing;
mod wire;
pub mod workers_ai;

pub use image_search::ImageSearch;
pub use planner::Planner;
pub use planning::Usage;
pub use reading::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX};
pub use recogniser::Recogniser;
pub use signing::{Credentials, Signer};
pub use wire::{WireRequest, WireResponse};
