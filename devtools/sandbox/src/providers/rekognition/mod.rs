//! The recogniser: AWS Rekognition's `RecognizeCelebrities`, which also verifies the signatures of requests.
//!
//! It needs nothing but the bytes that it receives, because a label in the picture's file names the people.

mod errors;
mod faults;
mod features;
mod rate_limit;
mod recognition;
pub mod sigv4;

pub(crate) use faults::{RekognitionFault, reply as fault_reply};
pub(crate) use rate_limit::RateLimit;
pub(crate) use recognition::{answer, image_digest, request_id};
