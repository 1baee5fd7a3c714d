//! Each provider is a pair of pure functions over plain values: build the request, read the
//! answer. No transport, no clock, no settings from the environment.

pub mod gemini;
pub mod google;
mod reading;
pub mod rekognition;
mod signing;

pub use reading::{JSON_BYTES_MAX, RECOGNITION_BYTES_MAX};
pub use signing::{Credentials, Signer};

/// A request as it is handed to a transport.
pub type WireRequest = http::Request<Vec<u8>>;

/// An answer as a transport read it, whole and within its bound.
pub type WireResponse = http::Response<Vec<u8>>;
