//! The providers. Each is a pair of pure functions over plain values: one builds the request, the
//! other reads the answer. They have no transport, no clock and no settings from the environment.

pub mod brave;
mod chat;
pub mod commons;
pub mod gemini;
mod gemini_chat;
pub mod google;
mod image_search;
mod list_extent;
mod mediawiki;
pub mod openai;
mod openai_chat;
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
mod workers_ai_chat;

pub use chat::{CHAT_BYTES_MAX, CHAT_IMAGES_MAX, CHAT_TOKENS_OUT_MAX, Images};
pub use image_search::ImageSearch;
pub use list_extent::ListExtent;
pub use planner::Planner;
pub use planning::Usage;
pub use reading::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, ReadList, retry_after_ms};
pub use recogniser::Recogniser;
pub use signing::{Credentials, Signer};
pub use wire::{WireRequest, WireResponse};
