//! The providers. Each consists of two pure functions over plain values: one builds a request, the other reads the
//! answer. They have no transport, no clock and no settings from the environment.

mod chat;
mod image_search;
mod mediawiki;
mod plain_text;
mod planner;
mod recogniser;
mod response;
mod written_date;

pub mod brave;
pub mod calls;
pub mod commons;
pub mod gemini;
pub mod google;
pub mod openai;
pub mod openverse;
pub mod references;
pub mod rekognition;
pub mod serpapi;
pub mod serper;
pub mod wikidata;
pub mod workers_ai;

pub use chat::{CHAT_BYTES_MAX, CHAT_IMAGES_MAX, CHAT_TOKENS_OUT_MAX, Images};
pub use image_search::{ImageSearch, ListExtent};
pub use planner::{Planner, Usage};
pub use recogniser::{Recogniser, Recognition};
pub use rekognition::{Credentials, Signer};
pub use response::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX, ReadList, retry_after_ms};
pub use written_date::taken_of;
