//! How the commands of an investigation are carried out.
mod executor;
mod image;
mod photo_carrier;
pub use image::check_photo;
pub use photo_carrier::PhotoCarrier;
