//! What a photo's pixels show: its brightness on a small grid, by which copies are detected, and whether it is a
//! collage. A collage is several photos put together, in which people seem to meet who never did. The veto rejects
//! collages; it can only reject a photo, never accept one.
//!
//! These are pure functions over a photo's bytes and the faces in it. The veto takes a few milliseconds per megapixel
//! and has the same result on every machine. Photos that cannot be read within the limits are clear.
//!
//! The veto misses seams between two photos of the same place in the same light, seams with the same curtain on both
//! sides, and people cut out along their outlines, which leave no line.
//!
//! The veto falsely rejects photos taken with a level camera in which a post, a window bar or a door frame runs from
//! edge to edge, with nobody in front of it and another room or a busy view behind, since the pixels then look like a
//! seam. Thumbnails have too few pixels to distinguish such a line from a seam well.

mod decode;
mod inset;
mod seams;
mod small_picture;

pub use small_picture::{BRIGHTNESS_SIDE, Content, SmallPicture};

/// Checks whether a photo is a collage. A collage proves nothing about the people in it, whose faces are `faces`.
/// Unreadable photos are clear.
// Without this attribute, the function would be inlined into a caller that is optimised for size, and would be slow.
#[inline(never)]
#[must_use]
pub fn judge(bytes: &[u8], faces: &[FaceArea]) -> Judgement {
    if faces.len() < 2 {
        return Judgement::Clear;
    }
    SmallPicture::read(bytes).map_or(Judgement::Clear, |picture| picture.judge(faces))
}

/// The reason why a photo was found to be composed of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A seam or border runs through the whole photo, with different pictures on its two sides.
    Seam,
    /// One of the faces is in a picture within the picture.
    Inset,
}

/// The result of checking a photo with several faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing speaks against the photo.
    Clear,
    /// A line in the photo resembles a seam, but not enough to reject the photo.
    Doubtful,
    /// The photo is composed of several, as this sign shows.
    Composite(Sign),
}

impl Judgement {
    /// Returns the reason to reject the photo; `None` if it is clear or only doubtful.
    #[must_use]
    pub fn sign(self) -> Option<Sign> {
        match self {
            Self::Composite(sign) => Some(sign),
            Self::Clear | Self::Doubtful => None,
        }
    }
}

/// The area of a face, in fractions of the picture's width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceArea {
    /// The distance of the face's left side from the picture's left edge.
    pub left: f64,
    /// The distance of the face's upper side from the picture's top edge.
    pub top: f64,
    /// The width of the face.
    pub width: f64,
    /// The height of the face.
    pub height: f64,
}
