//! Photos: illustrated group portraits, drawn on demand, with the people written into the file.

mod album;
mod brush;
mod camera;
mod collage;
mod encode;
mod group;
mod keyed_rng;
pub mod label;
mod layout;
mod look;
mod outfit;
mod pixels;
mod portrait;
mod props;
mod scene;
mod trial;
mod wardrobe;

pub use album::{Drawn, Picture, draw, draw_tiny, format_of, photo, picture};
pub use collage::Collage;
pub use encode::Format;
pub use label::{Face, Inspection, Label, Unreadable, inspect};
pub(crate) use look::is_feminine;
pub use props::Prop;
pub use trial::{Subject, Take, Trial, trial};
