//! Photos: illustrated group portraits, drawn on demand. Each file carries a label that names the people shown.

mod appearance;
mod camera;
mod canvas;
mod claims;
mod collage;
mod copying;
mod drawing;
mod drawing_cache;
mod encode;
mod form;
mod group;
mod keyed_rng;
pub mod label;
mod layout;
mod marks;
mod outfit;
mod pixels;
mod png_chunks;
mod portrait;
mod props;
mod recently_used;
mod scene;
mod test_picture;
mod wardrobe;

pub(crate) use appearance::is_feminine;
pub use collage::Collage;
pub use drawing::{DrawnPhoto, Picture, draw, is_webp, picture, size_px, thumbnail_size_px};
pub use drawing_cache::{copy, marked_photo, photo, portrait, tiny_photo};
pub use encode::Format;
pub use form::format_of;
pub use label::{InspectError, Inspection, Label, LabelledFace, inspect};
pub use marks::read as marked_number;
pub use props::Prop;
pub use test_picture::{CaptureSettings, TestPicture, TestSubject, test_picture};
