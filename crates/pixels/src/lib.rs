//! What a photo's pixels show: its brightness on a small grid, by which copies are detected, and whether it is a
//! collage. A collage is several photos put together, in which people seem to meet who never did. The veto rejects
//! collages; it can only reject a photo, never accept one.
//!
//! These are pure functions over a photo's bytes and the faces in it. The veto takes a few milliseconds per megapixel
//! and has the same result on every machine. A photo that cannot be read within the limits is not
//! judged.
//!
//! The veto misses seams between two photos of the same place in the same light, seams with the same curtain on both
//! sides, and people cut out along their outlines, which leave no line.
//!
//! The veto falsely rejects photos taken with a level camera in which a post, a window bar or a door frame runs from
//! edge to edge, with nobody in front of it and another room or a busy view behind, since the pixels then look like a
//! seam. Thumbnails have too few pixels to distinguish such a line from a seam well.

mod inset;
mod jpeg;
mod png_file;
mod seams;
mod shrink;
mod small_picture;

pub use small_picture::{BRIGHTNESS_SIDE, Content, SmallPicture};
