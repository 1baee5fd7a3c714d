//! The carrying out of an investigation's commands.

mod executor;
mod image;
mod kept_photo;
mod known_photos;
mod page_camera;
mod photo_carrier;
mod run_memory;
mod run_photos;
mod search_call;

pub use image::{WebpError, check_photo, jpeg_of_webp, webp_size};
pub use known_photos::{KnownPhotos, PhotoToFetch};
pub use photo_carrier::PhotoCarrier;
