//! The providers. Each is a pair of pure functions over plain values: one builds the request, the
//! other reads the answer. They have no transport, no clock and no settings from the environment.

mod chat;
mod gemini_chat;
mod image_search;
mod list_extent;
mod mediawiki;
mod openai_chat;
mod plain_text;
mod planner;
mod planning;
mod reading;
mod recogniser;
mod search_words;
mod signing;
mod workers_ai_chat;

pub mod brave;
pub mod calls;
pub mod commons;
pub mod gemini;
pub mod google;
pub mod openai;
pub mod openverse;
pub mod rekognition;
pub mod serpapi;
pub mod serper;
pub mod wikidata;
pub mod workers_ai;

pub use chat::{CHAT_BYTES_MAX, CHAT_IMAGES_MAX, CHAT_TOKENS_OUT_MAX, Images};
pub use image_search::ImageSearch;
pub use list_extent::ListExtent;
pub use planner::Planner;
pub use planning::Usage;
pub use reading::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, ReadList, retry_after_ms};
pub use recogniser::Recogniser;
pub use signing::{Credentials, Signer};
