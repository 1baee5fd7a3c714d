//! Photos: illustrated group portraits, drawn on demand, with the people written into the file.

mod album;
mod brush;
mod encode;
pub mod label;
mod layout;
mod look;
mod outfit;
mod portrait;
mod scene;
mod wardrobe;

pub use album::{Album, Drawn, draw, draw_tiny, format_of};
pub use encode::Format;
pub use label::{Face, Inspection, Label, Unreadable, inspect};
pub(crate) use look::is_feminine;
