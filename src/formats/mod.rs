//! Photos in formats that the recogniser does not take, made into those that it takes.
//!
//! Pure functions over a photo's bytes.

mod webp;

pub use webp::{WebpError, is_webp, jpeg_of_webp, webp_size};
