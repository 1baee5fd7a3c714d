//! Each provider is a pair of pure functions over plain values: build the request, read the
//! answer. No transport, no clock, no settings from the environment.

pub mod brave;
pub mod commons;
pub mod gemini;
pub mod google;
mod image_search;
mod mediawiki;
pub mod openai;
pub mod openverse;
mod plain_text;
mod planner;
mod planning;
mod reading;
mod recogniser;
pub mod rekognition;
mod search_words;
pub mod serpapi;
pub mod serper;
mod signing;
pub mod wikidata;
mod wire;
pub mod workers_ai;

pub use image_search::ImageSearch;
pub use planner::Planner;
pub use planning::Usage;
pub use reading::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, retry_after_ms};
pub use recogniser::Recogniser;
pub use signing::{Credentials, Signer};
pub use wire::{WireRequest, WireResponse};
