//! The carrying out of an investigation's commands.
mod executor;
mod image;
mod kept_photo;
mod page_camera;
mod photo_carrier;
pub use image::check_photo;
pub use photo_carrier::PhotoCarrier;
