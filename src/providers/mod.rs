//! Each provider is a pair of pure functions over plain values: build the request, read the
//! answer. No transport, no clock, no settings from the environment.

pub mod brave;
pub mod commons;
pub mod gemini;
pub mod google;
mod mediawiki;
pub mod openverse;
mod plain_text;
mod reading;
pub mod rekognition;
mod search_words;
pub mod serpapi;
pub mod serper;
mod signing;
pub mod wikidata;
mod wire;

pub use reading::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX};
pub use signing::{Credentials, Signer};
pub use wire::{WireRequest, WireResponse};
